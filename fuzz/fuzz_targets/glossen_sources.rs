//! Whatever an answer links to, its sources are pages of the list, with anchors of theirs.
//!
//! Input: after a `=`, an answer; after anything else, choices by which one is drawn.

#![cfg_attr(feature = "libfuzzer", no_main)]

use genui_conform::formats::glossen::generate;
use genui_conform::glossen::{Anchor, Page};
use genui_conform_fuzz::Input;
use genui_testkit::properties;

genui_conform_fuzz::target!(|input: &mut Input<'_>| {
    let page = |url: &str, anchors: &[&str]| Page {
        url: url.to_owned(),
        title: format!("Page {url}"),
        anchors: anchors.iter().map(|id| Anchor { id: (*id).to_owned(), heading: (*id).to_uppercase() }).collect(),
    };
    let pages = [page("/", &["top"]), page("/docs", &[]), page("/docs/backups", &["restore", "\u{fc}", "a b"])];
    let answer =
        if input.is_text() { String::from_utf8_lossy(input.rest()).into_owned() } else { generate::answer(input) };
    properties::glossen::sources_are_pages(&answer, "https://docs.example", &pages);
});
