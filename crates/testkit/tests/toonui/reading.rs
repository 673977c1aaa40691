//! Contents read back (`toonui.content.recoverable`): by the oracle, and by the library as by the oracle.

use genui_conform::generate::{Seeded, mutated, request};
use genui_json::Json;
use genui_toonui::{read_content, to_content};

use super::{method, odd, oracle};

/// How many payloads a test makes of each kind.
const PAYLOADS: usize = 10_000;

/// Pairs of a payload that has a content, and the content.
fn contents(seed: u64) -> impl Iterator<Item = (Json, String)> {
    let mut draw = Seeded::new(seed);
    let of_content = method("toonui.to_content");
    let payloads = (0..PAYLOADS).flat_map(move |_| {
        let params = request(&mut draw, of_content).params;
        [params.get("payload").expect("params have a payload").clone(), odd::payload(&mut draw)]
    });
    payloads.filter_map(|payload| to_content(&payload).ok().map(|content| (payload, content)))
}

#[test]
fn a_content_reads_back_as_its_payload() {
    let mut recovered = 0;
    for (payload, content) in contents(200) {
        if let Some(expected) = oracle::recoverable(&payload) {
            assert_eq!(oracle::read_back(&content), Some(expected), "{content:?}");
            recovered += 1;
        }
    }
    assert!(recovered > PAYLOADS / 2, "only {recovered}");
}

/// The library reads no text that is the content of no payload. It adds the `source` that every submit has, which a
/// content leaves out.
#[test]
fn the_library_reads_contents_as_the_oracle_does() {
    let mut draw = Seeded::new(300);
    let (mut read, mut refused, mut last) = (0, 0, String::new());
    for (_, content) in contents(301) {
        let broken = mutated(&mut draw, &content, &last);
        for text in [&content, &broken] {
            let mut expected = oracle::read_back(text).filter(|payload| oracle::content(payload) == *text);
            if let Some(Json::Object(members)) = &mut expected
                && text.starts_with("ui_submit")
            {
                members.insert(4, ("source".into(), "form".into()));
            }
            *(if expected.is_some() { &mut read } else { &mut refused }) += 1;
            assert_eq!(read_content(text).ok(), expected, "{text:?}");
        }
        last = content;
    }
    assert!(read > PAYLOADS / 2 && refused > PAYLOADS / 4, "{read} were read, {refused} refused");
}
