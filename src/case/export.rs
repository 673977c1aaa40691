//! The corpus as one JSON document, for test suites in other languages that load it natively.

use std::io::{self, Write};

use serde_json::json;

use super::Corpus;
use super::corpus::comparison_vectors;
use crate::SUITE;
use crate::json;
use crate::rules;

/// Writes the bundle of a corpus: `suite`, `hash`, `rules`, `aliases`, `compare` and `cases`, as
/// `spec/case-format.md` describes it. The text of a case is the one in its file, so that no number and no escape
/// changes.
///
/// # Errors
///
/// When writing fails.
pub fn write_bundle(corpus: &Corpus, out: &mut dyn Write) -> io::Result<()> {
    let rules = rules::all().iter().map(|rule| {
        json!({
            "id": rule.id,
            "level": rule.level_name(),
            "profiles": rule.profiles.iter().map(|profile| profile.name()).collect::<Vec<_>>(),
            "choices": rule.choices,
            "open_in": rule.open_in.iter().map(|profile| profile.name()).collect::<Vec<_>>(),
            "text": rule.text,
        })
    });
    writeln!(out, "{{\n\"suite\": {},", json!(SUITE))?;
    writeln!(out, "\"hash\": {},", json!(corpus.hash()))?;
    writeln!(out, "\"rules\": {},", ascii(&json!(rules.collect::<Vec<_>>())))?;
    writeln!(out, "\"aliases\": {},", json!(corpus.aliases))?;
    writeln!(out, "\"compare\": {},", comparison_vectors().trim_end())?;
    write!(out, "\"cases\": [")?;
    for (index, case) in corpus.cases.iter().enumerate() {
        // A case that could be read is an object with at least the members it needs.
        let members = case.source.trim_start().trim_start_matches('{');
        write!(out, "{}\n{{\"id\": {},{}", if index > 0 { "," } else { "" }, json!(case.id), members.trim_end())?;
    }
    writeln!(out, "\n]\n}}")
}

/// JSON of printable ASCII alone: rules speak of characters beyond it.
fn ascii(value: &serde_json::Value) -> String {
    json::parse(&value.to_string()).map_or_else(|_| value.to_string(), |value| value.to_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    #[test]
    fn every_case_is_in_the_bundle_as_it_is_in_its_file() {
        let corpus = Corpus::embedded().expect("the corpus can be used");
        let mut bundle = Vec::new();
        write_bundle(&corpus, &mut bundle).expect("memory can be written");
        let text = String::from_utf8(bundle).expect("the bundle is text");
        assert!(text.is_ascii(), "what is odd is an escape");
        let bundle = json::parse(&text).expect("the bundle is JSON");
        let Some(Json::Array(cases)) = bundle.get("cases") else { panic!("expected a list of cases") };
        assert_eq!(cases.len(), corpus.cases.len());
        for (bundled, case) in cases.iter().zip(&corpus.cases) {
            let Json::Object(members) = bundled else { panic!("expected an object") };
            let (id, rest) = members.split_first().expect("there is an id");
            assert_eq!(id.1.as_str(), Some(case.id.as_str()));
            assert_eq!(Json::Object(rest.to_vec()), json::parse(&case.source).expect("a case is JSON"), "{}", case.id);
        }
        assert_eq!(bundle.get("hash").and_then(Json::as_str), Some(corpus.hash().as_str()));
    }
}
