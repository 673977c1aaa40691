//! Payloads that are deep, long or have many entries.

use genui_json::{self as json, Json};
use genui_toonui::{read_content, to_content, to_display_content, to_model_message, to_ui_message};

fn submit(values: Json) -> Json {
    Json::object([
        ("kind", "ui_submit".into()),
        ("eventId", "s".into()),
        ("intent", "i".into()),
        ("formTitle", "t".into()),
        ("values", values),
    ])
}

#[test]
fn a_deeply_nested_value_has_its_text() {
    // Built by hand, because the JSON parser accepts no such value. Dropping it needs a larger stack.
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(|| {
            let deep = (0..10_000).fold(Json::from("x"), |inner, _| Json::Array(vec![inner]));
            let payload = submit(Json::object([("a", deep)]));
            let text = format!("{}\"x\"{}", "[".repeat(10_000), "]".repeat(10_000));
            let content = to_content(&payload).expect("is a payload");
            assert!(content.ends_with(&format!("\n  a: {text}")));
            assert_eq!(to_display_content(&payload).as_deref(), Ok("t\na: x"));
            assert!(read_content(&content).is_err(), "nests deeper than the JSON parser accepts");
        })
        .expect("a thread can be started")
        .join()
        .expect("nothing overflows");
}

#[test]
fn a_string_of_ten_megabytes_is_written_whole() {
    let long = "say \"hi\"\n".repeat(1_200_000);
    let payload = submit(Json::object([("a", long.as_str().into())]));
    let content = to_content(&payload).expect("is a payload");
    assert_eq!(json::parse(content.rsplit("\n  a: ").next().expect("has a part")), Ok(Json::from(long.as_str())));
    assert_eq!(to_display_content(&payload), Ok(format!("t\na: {long}")));
    assert!(to_model_message(&payload).is_ok() && to_ui_message(&payload).is_ok());
    assert!(read_content(&content).is_ok());
}

#[test]
fn many_entries_are_put_in_order() {
    let names = (0..100_000_u32).map(|index| (index.reverse_bits().to_string().as_str().into(), Json::from(true)));
    let payload = submit(Json::Object(names.collect()));
    let content = to_content(&payload).expect("is a payload");
    let read = read_content(&content).expect("reads back");
    let Some(Json::Object(entries)) = read.get("values") else { panic!("no values") };
    assert_eq!(entries.len(), 100_000);
}
