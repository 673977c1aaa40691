//! Refusals, and params that do not fit their method.

use serde::Deserialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// An implementation's refusal that a case can expect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Refusal {
    /// The kind of refusal.
    pub kind: RefusalKind,
    /// What is refused, and the place of it.
    pub message: String,
}

impl Refusal {
    /// Returns a refusal of this kind, with an error as its message.
    #[must_use]
    pub fn new(kind: RefusalKind, error: impl std::fmt::Display) -> Refusal {
        Refusal { kind, message: error.to_string() }
    }
}

/// The kinds of refusal. `Display` and `FromStr` use the names in `data.kind` and in case files, such as
/// `forged-marker`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum RefusalKind {
    /// Content or a text context contains a marker line.
    ForgedMarker,
    /// The written message would not read back.
    NotWritable,
    /// No text can be made of the payload.
    BadPayload,
    /// No message has the id.
    UnknownId,
    /// The message that has the id is not a user's.
    NotAUserMessage,
    /// The params do not fit the method.
    BadParams,
}

impl RefusalKind {
    /// Every kind.
    pub const ALL: &[RefusalKind] = <RefusalKind as VariantArray>::VARIANTS;

    /// Returns the name in `data.kind` and in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Params that do not fit their method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParamsError(String);

impl ParamsError {
    /// Returns an error with this message.
    #[must_use]
    pub fn new(message: String) -> ParamsError {
        ParamsError(message)
    }
}

impl From<ParamsError> for Refusal {
    fn from(error: ParamsError) -> Refusal {
        Refusal::new(RefusalKind::BadParams, error)
    }
}

/// Reads the params of a method from their JSON text.
///
/// # Errors
///
/// Returns what does not fit, with the line and column in the text.
///
/// # Example
///
/// ```
/// #[derive(serde::Deserialize)]
/// struct Params {
///     raw: String,
/// }
///
/// let params: Params = genui_protocol::read_params(r#"{"raw":"Good morning"}"#).unwrap();
/// assert_eq!(params.raw, "Good morning");
/// assert!(genui_protocol::read_params::<Params>("[]").is_err());
/// ```
pub fn read_params<'a, T: Deserialize<'a>>(params: &'a str) -> Result<T, ParamsError> {
    // serde would accept a list of the members in their order.
    if !params.trim_start().starts_with('{') {
        return Err(ParamsError("expected an object as params".to_owned()));
    }
    serde_json::from_str(params).map_err(|error| ParamsError(error.to_string()))
}
