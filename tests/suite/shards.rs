//! The parts of a corpus.

use genui_conform::case::Shard;

#[test]
fn parts_are_disjoint_and_complete_and_stay_what_they_are() {
    let ids: Vec<String> = (0..500).map(|number| format!("openui/topic/case-{number}")).collect();
    for count in [1, 2, 3, 7, 600] {
        let parts: Vec<Shard> =
            (1..=count).map(|index| Shard::parse(&format!("{index}/{count}")).expect("is a part")).collect();
        for id in &ids {
            assert_eq!(parts.iter().filter(|part| part.has(id)).count(), 1, "{id} of {count}");
        }
    }
    let third = Shard::parse("2/3").expect("is a part");
    let size = ids.iter().filter(|id| third.has(id)).count();
    assert!((100..=230).contains(&size), "{size}");
    // Fixed values: every version of the program on every machine splits at the same places.
    let first = ["openui/a/b", "toonui/c/d", "glossen/e/f", "openui/plain-text/emoji"];
    let half = Shard::parse("1/2").expect("is a part");
    assert_eq!(first.map(|id| half.has(id)), FIRST_OF_TWO);
}

const FIRST_OF_TWO: [bool; 4] = [false, true, false, true];

#[test]
fn what_is_no_part_says_so() {
    for text in ["", "1", "x", "0/3", "4/3", "1/0", "0/0", "-1/3", "+1/3", "1/3/5", " 1/3", "1/3x", "1/99999999999"] {
        let why = Shard::parse(text).expect_err("is no part").to_string();
        assert!(why.starts_with("expected I/N") && why.ends_with(&format!("`{text}`")), "{why}");
    }
    assert_eq!(Shard::parse("3/3").expect("is a part").to_string(), "3/3");
}
