//! The nearest name.

use std::collections::BTreeSet;

use genui_conform::nearest::*;

const WORDS: [&str; 6] =
    ["core", "chat", "line-start", "openui/plain-text", "openui/plain-text/emoji", "openui.read.end"];

#[test]
fn slips_of_every_kind_are_seen_through() {
    for (given, meant) in [
        ("cor", "core"),
        ("Core", "core"),
        ("ocre", "core"),
        ("lien-start", "line-start"),
        ("line_start", "line-start"),
        ("openui/plain-txet", "openui/plain-text"),
        ("openui/plain-text/emojis", "openui/plain-text/emoji"),
        ("emoji", "openui/plain-text/emoji"),
        ("read.end", "openui.read.end"),
        ("openui/read/end", "openui.read.end"),
    ] {
        assert_eq!(nearest(given, WORDS), Some(meant), "{given}");
    }
}

#[test]
fn what_is_far_is_not_meant() {
    for given in ["", "x", "python3", "openui/nothing", "conformant", "oji", "no"] {
        assert_eq!(nearest(given, WORDS), None, "{given}");
    }
    assert_eq!(nearest("no", ["id", "end"]), None, "one letter of two is too much");
    assert_eq!(did_you_mean("python3", WORDS), "");
}

#[test]
fn globs_are_put_right_where_they_begin() {
    let known = BTreeSet::from(WORDS);
    for (given, meant) in [
        ("openui/plain-txet/*", Some("openui/plain-text/*")),
        ("opneui.read.*", Some("openui.read.*")),
        ("openui.raed.{end,stale-end}", Some("openui.read.{end,stale-end}")),
        ("openui/plain-txet/*x*", None),
        ("lien*", None),
        ("opneui.read.end", Some("openui.read.end")),
    ] {
        assert_eq!(nearest_glob(given, &known).as_deref(), meant, "{given}");
    }
}

#[test]
fn a_few_names_are_listed() {
    assert_eq!(
        expected_one_of(&["fail", "warn"], "wran"),
        "expected one of fail, warn, but found `wran`; did you mean `warn`?"
    );
    assert_eq!(expected_one_of(&["fail", "warn"], "maybe"), "expected one of fail, warn, but found `maybe`");
}
