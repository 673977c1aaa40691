//! The command line that runs a case again.

/// How a run was started, as far as it bears on a single case.
#[derive(Clone, Debug, Default)]
pub struct Repeat {
    /// Flags: profile, choices, deadlines, another corpus.
    pub flags: Vec<String>,
    /// The adapter's command; empty for the reference.
    pub command: Vec<String>,
}

impl Repeat {
    /// The command line for one case, ready for a POSIX shell.
    #[must_use]
    pub fn line(&self, id: &str) -> String {
        let mut words = vec!["genui-conform".to_owned(), "run".to_owned()];
        words.extend(self.flags.iter().map(|flag| quote(flag)));
        words.push(quote(id));
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().map(|word| quote(word)));
        }
        words.join(" ")
    }
}

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
    fn a_line_survives_the_shell() {
        let repeat = Repeat {
            flags: vec!["--profile".into(), "chat".into()],
            command: vec!["python3".into(), "it's mine.py".into()],
        };
        assert_eq!(
            repeat.line("openui/a/b"),
            "genui-conform run --profile chat openui/a/b -- python3 'it'\\''s mine.py'"
        );
    }
}
