//! The comparison against its vectors, which are there for everyone who loads the corpus without this program.

use genui_conform::case::Matcher;
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::json::{self, Json};
use genui_conform::run::compare::difference;
use regex::Regex;

const VECTORS: &str = include_str!("../../corpus/compare.json");

#[test]
fn every_vector_holds() {
    let file = json::parse(VECTORS).expect("the vectors are JSON");
    let Some(Json::Array(vectors)) = file.get("vectors") else { panic!("expected a list of vectors") };
    assert!(vectors.len() >= 40, "expected the vectors, but found {}", vectors.len());
    let mut wrong = Vec::new();
    for vector in vectors {
        let text = |name: &str| vector.get(name).and_then(Json::as_str);
        let about = text("about").expect("a vector says what it is about");
        let method =
            text("method").and_then(|name| FORMATS.method(name)).unwrap_or_else(|| panic!("{about}: no such method"));
        let profile = text("profile").map_or(formats::openui::CORE, |name| name.parse().expect("is a profile"));
        let matchers: Vec<Matcher> = match vector.get("match") {
            Some(Json::Object(members)) => members
                .iter()
                .map(|(pointer, pattern)| Matcher {
                    pointer: pointer.as_str().expect("is text").parse().expect("is a pointer"),
                    pattern: Regex::new(pattern.as_str().expect("is text")).expect("is a pattern"),
                })
                .collect(),
            _ => Vec::new(),
        };
        let member = |name: &str| vector.get(name).unwrap_or_else(|| panic!("{about}: no {name}"));
        let difference = difference(method, profile, &matchers, member("expected"), member("found"));
        if *member("equal") != Json::Bool(difference.is_none()) {
            wrong.push(format!("{about}: {difference:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
