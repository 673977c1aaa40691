//! Names are read by `FromStr` as `Display` writes them.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use genui_openui::{LineKind, Profile, Role, UnknownName, WriteErrorKind};

fn round_trips<T: Copy + Debug + Display + PartialEq + FromStr<Err = UnknownName>>(values: &[T], names: &[&str]) {
    let written: Vec<String> = values.iter().map(T::to_string).collect();
    assert_eq!(written, names);
    for (value, name) in values.iter().zip(names) {
        assert_eq!(name.parse(), Ok(*value));
        assert!(name.to_uppercase().parse::<T>().is_err(), "names are case-sensitive");
    }
}

#[test]
fn every_name_is_read_as_it_is_written() {
    round_trips(&Profile::ALL, &["core", "chat", "line-start"]);
    round_trips(&[Role::Assistant, Role::User], &["assistant", "user"]);
    round_trips(&[WriteErrorKind::ForgedMarker, WriteErrorKind::NotWritable], &["forged-marker", "not-writable"]);
    let kinds =
        [LineKind::Marker, LineKind::Content, LineKind::Context, LineKind::Ignored, LineKind::Held, LineKind::Envelope];
    round_trips(&kinds, &["marker", "content", "context", "ignored", "held", "envelope"]);
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
    let error = "user\n".parse::<Role>().expect_err("is no role");
    assert_eq!(error.to_string(), "expected assistant or user, but found `user\\n`");
}
