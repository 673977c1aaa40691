//! Parsers of names that the definitions of the formats give. The help and errors list the names.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::format::{Format, Method};
use crate::formats::FORMATS;
use crate::settings::ProfileName;

/// Parses the name of a profile.
pub(super) fn profile_parser() -> impl TypedValueParser<Value = ProfileName> {
    PossibleValuesParser::new(FORMATS.profile_names()).try_map(|name| name.parse::<ProfileName>())
}

/// Parses the name of a method.
pub(super) fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(FORMATS.method_names())
        .map(|name| FORMATS.method(&name).expect("the name is in the list"))
}

/// Parses the name of a format.
pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    let names = FORMATS.all().map(Format::name).collect::<Vec<_>>();
    PossibleValuesParser::new(names).map(|name| FORMATS.format(&name).expect("the name is in the list"))
}
