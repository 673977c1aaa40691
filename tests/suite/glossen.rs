//! Properties of the Glossen reference that need the suite, and a line that nests too deeply. `crates/glossen/tests` has
//! the others.

use genui_conform::adapter::{InProcessAdapter, serve};
use genui_conform::formats::glossen::generate::{answer, messages};
use genui_conform::generate::Seeded;
use genui_conform::glossen::{Anchor, Page};
use genui_testkit::properties;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn messages_are_validated_and_used(seed in any::<u64>()) {
        properties::glossen::validated_messages_are_accepted_and_used(&messages(&mut Seeded::new(seed), true));
    }

    #[test]
    fn sources_are_pages(seed in any::<u64>()) {
        properties::glossen::sources_are_pages(&answer(&mut Seeded::new(seed)), "https://docs.example", &pages());
    }
}

fn pages() -> Vec<Page> {
    let page = |url: &str, ids: &[&str]| Page {
        url: url.to_owned(),
        title: format!("Page {url}"),
        anchors: ids.iter().map(|id| Anchor { id: (*id).to_owned(), heading: (*id).to_owned() }).collect(),
    };
    vec![page("/docs/backups", &["restore", "step-2", "\u{fc}"]), page("/", &["top"])]
}

#[test]
fn too_deep_nesting_is_refused_with_its_id() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":41,\"method\":\"glossen.validate\",\"params\":{{\"messages\":{deep}}}}}\n"
    );
    let mut answers = Vec::new();
    serve(InProcessAdapter::reference(), line.as_bytes(), &mut answers, None).expect("is written");
    let answer = String::from_utf8(answers).expect("is text");
    assert!(answer.starts_with("{\"jsonrpc\":\"2.0\",\"id\":41,\"error\":{\"code\":-32600,"), "{answer}");
    assert!(answer.contains("expected at most 999 levels of nesting"), "{answer}");
}
