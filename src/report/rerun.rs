//! The command line that reruns a case.

/// The command line of a run, as far as it affects a single case.
#[derive(Clone, Debug, Default)]
pub struct Rerun {
    /// Flags: profile, choices, deadlines, another corpus.
    pub flags: Vec<String>,
    /// The adapter's command; empty for the reference.
    pub command: Vec<String>,
    /// The selection: filters, and flags that select cases.
    pub selection: Vec<String>,
}

impl Rerun {
    /// Returns the command line for one case, quoted for a POSIX shell.
    #[must_use]
    pub fn line(&self, id: &str) -> String {
        self.words(&[id.to_owned()])
    }

    /// Returns the command line that shows every failure in full: of all selected cases, or of the cases of a rule.
    #[must_use]
    pub fn more_line(&self, rule: Option<&str>) -> String {
        let mut words = vec!["--max-failures".to_owned(), "all".to_owned()];
        // Filters of the same kind add cases, but this rule must narrow the selection.
        let is_kept = |word: &&String| rule.is_none() || !word.starts_with(RULE);
        words.extend(self.selection.iter().filter(is_kept).cloned());
        words.extend(rule.filter(|rule| !rule.is_empty()).map(|rule| format!("{RULE}{rule}")));
        self.words(&words)
    }

    /// Returns the command line that shows the verdict and every rule.
    #[must_use]
    pub fn summary_line(&self) -> String {
        let mut words = vec!["--summary".to_owned()];
        words.extend(self.selection.iter().cloned());
        self.words(&words)
    }

    fn words(&self, more: &[String]) -> String {
        let mut words = vec!["genui-conform".to_owned(), "run".to_owned()];
        words.extend(self.flags.iter().chain(more).map(|word| quote(word)));
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().map(|word| quote(word)));
        }
        words.join(" ")
    }
}

/// The prefix of a filter on rules.
const RULE: &str = "rule:";

fn quote(word: &str) -> String {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(safe) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_quoted_for_the_shell() {
        let rerun = Rerun {
            flags: vec!["--profile".into(), "chat".into()],
            command: vec!["python3".into(), "it's mine.py".into()],
            selection: vec!["a/b/*".into(), "rule:a.b.*".into()],
        };
        assert_eq!(rerun.line("a/b/c"), "genui-conform run --profile chat a/b/c -- python3 'it'\\''s mine.py'");
        let rest = "-- python3 'it'\\''s mine.py'";
        let run = "genui-conform run --profile chat";
        assert_eq!(rerun.more_line(Some("a.b.c")), format!("{run} --max-failures all 'a/b/*' rule:a.b.c {rest}"));
        assert_eq!(rerun.more_line(None), format!("{run} --max-failures all 'a/b/*' 'rule:a.b.*' {rest}"));
        assert_eq!(rerun.summary_line(), format!("{run} --summary 'a/b/*' 'rule:a.b.*' {rest}"));
    }
}
