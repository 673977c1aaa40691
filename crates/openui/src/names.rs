//! Names of variants: written once, and read back by `FromStr`.

use std::fmt;

/// The error of reading a name: for [`Profile`](super::Profile), [`Role`](super::Role),
/// [`LineKind`](super::LineKind) and [`WriteErrorKind`](super::WriteErrorKind).
///
/// # Examples
///
/// ```
/// use genui_openui::Profile;
///
/// let error = "chatty".parse::<Profile>().unwrap_err();
/// assert_eq!(error.to_string(), "expected core, chat or line-start, but found `chatty`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    known: &'static [&'static str],
    found: String,
}

impl UnknownName {
    pub(crate) fn new(known: &'static [&'static str], found: &str) -> UnknownName {
        UnknownName { known, found: found.to_owned() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ")?;
        for (index, name) in self.known.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == self.known.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{name}")?;
        }
        write!(f, ", but found `{}`", self.found.escape_debug())
    }
}

impl std::error::Error for UnknownName {}

/// Gives each variant of an enum its name: `name`, `Display` and `FromStr`. A variant without a name does not compile.
macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Returns the name, which `Display` writes and `FromStr` reads.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)+ }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(text: &str) -> Result<$type, Self::Err> {
                match text {
                    $($name => Ok($type::$variant),)+
                    _ => Err($crate::names::UnknownName::new(&[$($name),+], text)),
                }
            }
        }
    };
}

pub(crate) use names;
