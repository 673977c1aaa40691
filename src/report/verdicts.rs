//! Verdicts by name, as the machine reports count them.

use std::collections::BTreeMap;

use crate::run::Verdict;

/// Counts in the order of reports: `12 pass, 1 fail`.
pub(super) fn counted(counts: &BTreeMap<String, usize>) -> String {
    let counted =
        Verdict::ALL.iter().filter_map(|verdict| Some(format!("{} {}", counts.get(verdict.name())?, verdict.name())));
    counted.collect::<Vec<_>>().join(", ")
}

/// Whether a verdict tells of nothing odd: a right answer, or none because the method is not offered.
pub(super) fn is_plain(verdict: &str) -> bool {
    [Verdict::Pass, Verdict::Unsupported].iter().any(|plain| plain.name() == verdict)
}

/// The reason of a case that is unsupported because the handshake does not list its method.
pub(super) const NOT_LISTED: &str = "the adapter does not list the method";
