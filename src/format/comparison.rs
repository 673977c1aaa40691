//! What a method's results are compared by, beyond what every JSON value is.

use crate::settings::Settings;

/// A member of a result whose text is compared by more than its characters, since it holds JSON.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedJson {
    /// The member.
    pub member: &'static str,
    /// Whether an expected and a found text are the same, as the profile reads them.
    pub same: fn(&Settings, &str, &str) -> bool,
}

/// A text of a result that may differ from answer to answer.
#[derive(Clone, Copy, Debug)]
pub struct Volatile {
    /// The JSON pointer of the text.
    pub at: &'static str,
    /// What the text has to match where two implementations are compared; `None` if they have to give the same text.
    pub pattern: Option<&'static str>,
}
