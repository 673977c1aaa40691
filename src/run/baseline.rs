//! Baselines: a file lists what fails, how, and why, so that a run passes until something changes. A failure that is
//! not in it fails the run, and so does a stale entry.

use globset::{Glob, GlobMatcher};
use semver::Version;
use thiserror::Error;
use toml_edit::{Item as TomlItem, Table};

use super::derived::{CheckResult, all_checks, check_id, checks_on};
use super::record::{CaseResult, RunResult};
use super::verdict::Verdict;
use crate::case::{Case, Corpus, KnownFailing};
use crate::nearest::{did_you_mean, expected_one_of, nearest_glob, suggestion};
use crate::rules::{self, Rule};
use crate::settings::ProfileName;

/// A baseline.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// `None` if only fixtures are known to fail.
    suite: Option<Version>,
    entries: Vec<Entry>,
}

/// An entry: what is known to fail.
#[derive(Clone, Debug)]
struct Entry {
    subject: Subject,
    glob: GlobMatcher,
    /// The cases of a fixture.
    ids: Vec<String>,
    /// How it fails; `None` for any way.
    verdict: Option<Verdict>,
    reason: String,
    flaky: bool,
    /// The most failures that are known; further ones are not.
    at_most: Option<usize>,
    line: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Cases,
    Checks,
    Rules,
    /// Sampled requests, by the rule under which reports list them.
    Sampled,
    /// A message fixture, with all its cases.
    Fixture,
}

const SUBJECTS: [(&str, Subject); 4] =
    [("cases", Subject::Cases), ("checks", Subject::Checks), ("rules", Subject::Rules), ("sampled", Subject::Sampled)];

/// What a baseline covers in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineUse {
    /// The version of the suite for which the baseline was written; `None` if only fixtures are known to fail.
    pub suite: Option<Version>,
    /// Each entry, in the order of the file.
    pub entries: Vec<EntryUse>,
}

/// What an entry covers in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryUse {
    /// The cases, checks or rules that it names, as in the file: `cases = "format/topic/*"`.
    pub names: String,
    /// Why it is known to fail.
    pub reason: String,
    /// The number of cases and checks that fail in the way that it says.
    pub known: usize,
    /// Whether the entry is stale: nothing under it fails any more.
    pub fixed: bool,
    /// The number of failures, if there are more than the entry allows: then none of them is known.
    pub exceeded: Option<usize>,
}

/// Why a text is not a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{message}", line.map_or_else(String::new, |line| format!("{line}: ")))]
pub struct BaselineError {
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// What was expected, and what was found.
    pub message: String,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// Returns the line and what was expected. An empty reason is an error: each entry needs one.
    pub fn parse(text: &str) -> Result<Baseline, BaselineError> {
        let document = read(text)?;
        let at = |item: Option<&TomlItem>| {
            item.and_then(TomlItem::span).map(|span| text[..span.start].matches('\n').count() + 1)
        };
        let error = |line: Option<usize>, message: String| BaselineError { line, message };
        if let Some((key, item)) = document.iter().find(|(key, _)| !["suite", "known"].contains(key)) {
            return Err(error(at(Some(item)), format!("expected `suite` and `known`, but found `{key}`")));
        }
        let suite = document.get("suite").and_then(TomlItem::as_str).and_then(|suite| Version::parse(suite).ok());
        let suite = suite.ok_or_else(|| {
            error(at(document.get("suite")), "expected the suite's version, such as suite = \"0.1.0\"".to_owned())
        })?;
        let tables = match document.get("known") {
            None => Vec::new(),
            Some(item) => item
                .as_array_of_tables()
                .ok_or_else(|| error(at(Some(item)), "expected entries that begin with [[known]]".to_owned()))?
                .iter()
                .collect(),
        };
        let entries = tables.into_iter().map(|table| {
            let line = table.span().map(|span| text[..span.start].matches('\n').count() + 1);
            Entry::read(table, line).map_err(|why| error(line, why.to_string()))
        });
        Ok(Baseline { suite: Some(suite), entries: entries.collect::<Result<_, _>>()? })
    }

    /// Returns the first entry whose glob matches nothing: no case of the corpus, no derived check on one, no rule.
    ///
    /// # Errors
    ///
    /// Returns the entry's line.
    pub fn check_names(&self, corpus: &Corpus) -> Result<(), BaselineError> {
        let ids = || corpus.cases.iter().map(|case| case.id.clone());
        let checks = || {
            let ids =
                |case: &Case| checks_on(case).into_iter().map(|check| check_id(&case.id, check)).collect::<Vec<_>>();
            corpus.cases.iter().flat_map(ids)
        };
        let names = |subject| -> Vec<String> {
            match subject {
                Subject::Rules | Subject::Sampled => rules::all().iter().map(|rule| rule.id.clone()).collect(),
                Subject::Cases | Subject::Fixture => ids().collect(),
                Subject::Checks => checks().collect(),
            }
        };
        let exists = |entry: &Entry| names(entry.subject).iter().any(|name| entry.glob.is_match(name));
        match self.entries.iter().find(|entry| !exists(entry)) {
            Some(entry) => {
                let known = names(entry.subject);
                let meant = nearest_glob(entry.glob.glob().glob(), &known.iter().map(String::as_str).collect());
                let (found, question) = (entry.unused().names, meant.map_or_else(String::new, suggestion));
                let message = format!("expected the name of something that there is, but found {found}{question}");
                Err(BaselineError { line: entry.line, message })
            }
            None => Ok(()),
        }
    }

    /// Returns why the implementation of this baseline violates a rule: the reasons of the entries that name the rule,
    /// a case of the corpus that tests it, or a check of it.
    #[must_use]
    pub fn reasons(&self, rule: &Rule, corpus: &Corpus) -> Vec<&str> {
        let turns_on = |case: &&Case| case.rules.contains(&rule.id);
        let check = || all_checks().into_iter().filter(|check| check.rule == rule.id);
        let names = |entry: &&Entry| match entry.subject {
            Subject::Rules | Subject::Sampled => entry.glob.is_match(&rule.id),
            // A fixture tests no rule.
            Subject::Fixture => false,
            Subject::Cases => corpus.cases.iter().filter(turns_on).any(|case| entry.glob.is_match(&case.id)),
            Subject::Checks => {
                check().any(|check| corpus.cases.iter().any(|case| entry.glob.is_match(check_id(&case.id, check))))
            }
        };
        self.entries.iter().filter(names).map(|entry| &entry.reason[..]).collect()
    }

    /// Adds the known failures of message fixtures after the entries of a baseline, if there is one.
    #[must_use]
    pub fn with_fixtures(baseline: Option<Baseline>, known: &[KnownFailing]) -> Option<Baseline> {
        if known.is_empty() {
            return baseline;
        }
        let mut all = baseline.unwrap_or(Baseline { suite: None, entries: Vec::new() });
        all.entries.extend(known.iter().filter_map(|known| {
            let glob = Glob::new(&globset::escape(&known.name)).ok()?.compile_matcher();
            let (ids, reason) = (known.cases.clone(), known.reason.clone());
            let (subject, verdict) = (Subject::Fixture, None);
            Some(Entry { subject, glob, ids, verdict, reason, flaky: false, at_most: None, line: None })
        }));
        Some(all)
    }

    /// Returns the same entries without limits on the number of failures.
    #[must_use]
    pub fn without_limits(mut self) -> Baseline {
        self.entries.iter_mut().for_each(|entry| entry.at_most = None);
        self
    }

    /// Whether a case is newer than the suite for which this was written.
    pub(super) fn is_older_than(&self, case: &Case) -> bool {
        self.suite.as_ref().is_some_and(|suite| case.since > *suite)
    }

    /// Marks the known failures of a run, and the unexpected passes.
    pub(super) fn mark(&self, items: &mut [Item], record: &RunResult<'_>) -> BaselineUse {
        let mut uses: Vec<EntryUse> = self.entries.iter().map(Entry::unused).collect();
        // Collects what fails as each entry says, and what passes although it is listed.
        let mut failing: Vec<Vec<usize>> = vec![Vec::new(); self.entries.len()];
        let mut passing: Vec<Vec<usize>> = vec![Vec::new(); self.entries.len()];
        for (at, item) in items.iter().enumerate() {
            let covering = (0..self.entries.len()).filter(|entry| self.entries[*entry].covers(item));
            if item.is_failure() {
                covering.take(1).for_each(|entry| failing[entry].push(at));
            } else if item.verdict == Verdict::Pass {
                // A pass belongs to each of its rules. Only the evidence of a failure decides which of them reports
                // list it under.
                covering.for_each(|entry| passing[entry].push(at));
            }
        }
        for ((entry, used), (failing, passing)) in
            self.entries.iter().zip(&mut uses).zip(failing.into_iter().zip(passing))
        {
            if entry.at_most.is_some_and(|most| failing.len() > most) {
                used.exceeded = Some(failing.len());
                continue;
            }
            used.known = failing.len();
            failing.into_iter().for_each(|at| items[at].mark(Verdict::KnownFailure));
            // A part of the corpus may pass while the rest fails. A rule is judged by every stage.
            let ran = match entry.subject {
                Subject::Rules => record.checked && !record.unsampled,
                Subject::Sampled => !record.unsampled,
                Subject::Cases | Subject::Checks | Subject::Fixture => true,
            };
            let saw_all = !record.interrupted && !record.partial && ran;
            if used.known == 0 && !entry.flaky && saw_all && !passing.is_empty() {
                used.fixed = true;
                passing.into_iter().for_each(|at| items[at].mark(Verdict::UnexpectedPass));
            }
        }
        BaselineUse { suite: self.suite.clone(), entries: uses }
    }
}

/// Counts failures that are not in a baseline.
#[derive(Debug, Default)]
pub(super) struct UnknownFailures {
    unknown: usize,
    /// What each entry covers: everything, and the part that fails the run.
    covered: Vec<(usize, usize)>,
}

impl UnknownFailures {
    /// Counts a failure, which may fail the run.
    pub(super) fn add(&mut self, baseline: Option<&Baseline>, item: &Item, fails: bool) {
        let entries = baseline.map_or(&[][..], |baseline| &baseline.entries);
        self.covered.resize(entries.len(), (0, 0));
        match entries.iter().position(|entry| entry.covers(item)) {
            Some(entry) => {
                self.covered[entry].0 += 1;
                self.covered[entry].1 += usize::from(fails);
            }
            None => self.unknown += usize::from(fails),
        }
    }

    /// Returns how many fail the run: all of them, if there are more than the entry allows.
    pub(super) fn count(&self, baseline: Option<&Baseline>) -> usize {
        let entries = baseline.map_or(&[][..], |baseline| &baseline.entries);
        let exceeded =
            entries.iter().zip(&self.covered).filter(|(entry, (all, _))| entry.at_most.is_some_and(|most| *all > most));
        self.unknown + exceeded.map(|(_, (_, failing))| failing).sum::<usize>()
    }
}

/// Why a table is no entry.
#[derive(Debug, Error)]
enum EntryError {
    #[error("{0}")]
    Key(String),
    #[error("expected exactly one of `cases`, `checks`, `rules` and `sampled`, a glob")]
    Subject,
    #[error("expected a glob, but found `{pattern}`: {}", source.kind())]
    Glob { pattern: String, source: globset::Error },
    #[error("expected `verdict`, how it fails: {known}{question}")]
    Verdict { known: String, question: String },
    #[error("expected `reason`, why it is known to fail, but found none or an empty one")]
    Reason,
    #[error("expected true or false for `flaky`")]
    Flaky,
    #[error("expected a whole number for `at_most`")]
    AtMost,
}

impl Entry {
    fn read(table: &Table, line: Option<usize>) -> Result<Entry, EntryError> {
        let known = ["cases", "checks", "rules", "sampled", "verdict", "reason", "flaky", "at_most"];
        if let Some((key, _)) = table.iter().find(|(key, _)| !known.contains(key)) {
            return Err(EntryError::Key(expected_one_of(&known, key)));
        }
        let text = |key: &str| table.get(key).and_then(TomlItem::as_str);
        let mut named = SUBJECTS.iter().filter_map(|(key, subject)| Some((*subject, text(key)?)));
        let (Some((subject, pattern)), None) = (named.next(), named.next()) else {
            return Err(EntryError::Subject);
        };
        let glob = Glob::new(pattern).map_err(|source| EntryError::Glob { pattern: pattern.to_owned(), source })?;
        let is_known = |verdict: &Verdict| {
            (verdict.fails() || matches!(verdict, Verdict::Warn | Verdict::Unsupported))
                && !matches!(*verdict, Verdict::UnexpectedPass | Verdict::NOT_RUN)
        };
        let named = |name| Verdict::ALL.into_iter().filter(is_known).find(|known| known.name() == name);
        let verdict = text("verdict").and_then(named).ok_or_else(|| {
            let known: Vec<&str> = Verdict::ALL.into_iter().filter(is_known).map(Verdict::name).collect();
            let question = did_you_mean(text("verdict").unwrap_or_default(), known.iter().copied());
            let (last, first) = known.split_last().expect("there is a verdict that can be known");
            EntryError::Verdict { known: format!("{} or {last}", first.join(", ")), question }
        })?;
        let reason = text("reason").map(str::trim).filter(|reason| !reason.is_empty());
        let reason = reason.ok_or(EntryError::Reason)?.to_owned();
        let flaky = match table.get("flaky") {
            None => false,
            Some(item) => item.as_bool().ok_or(EntryError::Flaky)?,
        };
        let at_most = match table.get("at_most") {
            None => None,
            Some(item) => {
                let count = item.as_integer().and_then(|count| usize::try_from(count).ok());
                Some(count.ok_or(EntryError::AtMost)?)
            }
        };
        let (glob, ids, verdict) = (glob.compile_matcher(), Vec::new(), Some(verdict));
        Ok(Entry { subject, glob, ids, verdict, reason, flaky, at_most, line })
    }

    fn unused(&self) -> EntryUse {
        let key = SUBJECTS.iter().find(|(_, subject)| *subject == self.subject).map_or("", |(key, _)| key);
        let names = match (self.subject, self.ids.first()) {
            (Subject::Fixture, Some(id)) => format!("known-failing.json: {id}"),
            _ => format!("{key} = \"{}\"", self.glob.glob()),
        };
        EntryUse { names, reason: self.reason.clone(), known: 0, fixed: false, exceeded: None }
    }

    /// Whether the entry covers this failure, or this pass is one that the entry lists as a failure.
    fn covers(&self, item: &Item) -> bool {
        self.names(item) && (!item.is_failure() || self.verdict.is_none_or(|verdict| verdict == item.verdict))
    }

    fn names(&self, item: &Item) -> bool {
        match self.subject {
            Subject::Cases => !item.is_check && self.glob.is_match(&item.id),
            Subject::Checks => item.is_check && self.glob.is_match(&item.id),
            Subject::Fixture => self.ids.iter().any(|id| Some(&id[..]) == item.id.split('#').next()),
            Subject::Rules => self.names_rule(item),
            Subject::Sampled => item.is_sampled && self.names_rule(item),
        }
    }

    fn names_rule(&self, item: &Item) -> bool {
        item.rules.iter().chain([&item.rule]).any(|rule| self.glob.is_match(rule))
    }
}

/// A case or a derived check of a run, as policies use it.
pub(super) struct Item {
    id: String,
    /// The rule under which reports list it.
    rule: String,
    /// The other rules of a case that passes.
    rules: Vec<String>,
    is_check: bool,
    is_sampled: bool,
    pub(super) verdict: Verdict,
    /// Whether it fails any run.
    pub(super) fails: bool,
    /// Whether it is a wrong answer at level should.
    pub(super) warns: bool,
}

impl Item {
    /// Returns the item of a case.
    pub(super) fn of_case(outcome: &CaseResult<'_>, profile: ProfileName) -> Item {
        let (fails, warns) = (outcome.fails(), outcome.warns());
        Item {
            id: outcome.case.id.clone(),
            rule: outcome.rule(profile).unwrap_or_default().to_owned(),
            rules: if fails || warns { Vec::new() } else { outcome.case.rules.clone() },
            is_check: false,
            is_sampled: outcome.case.is_sampled(),
            verdict: outcome.verdict,
            fails,
            warns,
        }
    }

    /// Returns the item of a derived check.
    pub(super) fn of_check(outcome: &CheckResult<'_>) -> Item {
        Item {
            id: outcome.id(),
            rule: outcome.rule.to_owned(),
            rules: Vec::new(),
            is_check: true,
            is_sampled: false,
            verdict: outcome.verdict,
            fails: outcome.fails(),
            warns: outcome.verdict == Verdict::Warn,
        }
    }

    /// Whether it fails, or is a wrong answer at level should.
    pub(super) fn is_failure(&self) -> bool {
        self.fails || self.warns
    }

    fn mark(&mut self, verdict: Verdict) {
        (self.verdict, self.fails, self.warns) = (verdict, verdict.fails(), false);
    }
}

pub(super) fn read(text: &str) -> Result<toml_edit::Document<&str>, BaselineError> {
    toml_edit::Document::parse(text).map_err(|why| BaselineError {
        line: why.span().map(|span| text[..span.start].matches('\n').count() + 1),
        message: why.message().to_owned(),
    })
}
