//! Aligns two texts line by line.

use serde::Serialize;
use similar::{DiffOp, TextDiff};

/// A line of both sides; a missing line is empty.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct DiffLine {
    left: String,
    right: String,
    same: bool,
}

/// The maximum number of lines.
const LINES: usize = 200;
/// The maximum length of a line.
const LINE: usize = 2_000;

/// Returns the lines of both texts with equal lines aligned, and the number of omitted lines.
pub(super) fn side_by_side(left: &str, right: &str) -> (Vec<DiffLine>, usize) {
    let diff = TextDiff::from_lines(left, right);
    let line = |line: Option<&str>| super::super::escape::excerpt(line.unwrap_or("").trim_end_matches('\n'), LINE);
    let (left, right): (Vec<&str>, Vec<&str>) =
        (left.split_inclusive('\n').collect(), right.split_inclusive('\n').collect());
    let mut lines = Vec::new();
    for op in diff.ops() {
        let (old, new) = (op.old_range(), op.new_range());
        for at in 0..old.len().max(new.len()) {
            let of = |texts: &[&str], range: &std::ops::Range<usize>| {
                line((at < range.len()).then(|| texts[range.start + at]))
            };
            let same = matches!(op, DiffOp::Equal { .. });
            lines.push(DiffLine { left: of(&left, &old), right: of(&right, &new), same });
        }
    }
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    (lines, more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_are_aligned() {
        let (lines, more) = side_by_side("a\nb\nc\n", "a\nx\ny\nc\n");
        let lines: Vec<(&str, &str, bool)> =
            lines.iter().map(|line| (&line.left[..], &line.right[..], line.same)).collect();
        assert_eq!(lines, [("a", "a", true), ("b", "x", false), ("", "y", false), ("c", "c", true)]);
        assert_eq!(more, 0);
    }
}
