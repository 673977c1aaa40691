//! The format of a text.

use genui_conform::explain::format_of;
use genui_conform::format::Format;
use genui_conform::formats::FORMATS;
use genui_conform::settings::Settings;

#[test]
fn a_format_is_recognised_by_the_text() {
    let format = |text: &str| format_of(FORMATS, text).map_or("none", |format| format.name());
    for (text, expected) in [
        ("", "openui"),
        ("]]>openui:end", "openui"),
        ("\"kind\"", "openui"),
        ("{}", "openui"),
        ("{\"kind\":\"ui_reply\"", "openui"),
        (" {\"kind\":1}\n", "toonui"),
        ("{\"kind\":1,\"role\":2}", "glossen"),
        ("[]", "glossen"),
        ("[", "openui"),
    ] {
        assert_eq!(format(text), expected, "{text}");
    }
    assert_eq!(format(&"[".repeat(100_000)), "none");
    let explain = |format: Format, text: &str| {
        format.explain(text, false, &Settings::default()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(explain(genui_conform::formats::openui::FORMAT, &"[".repeat(100_000)), Ok(()));
    let error = explain(genui_conform::formats::toonui::FORMAT, "{\"kind\":}").expect_err("is no JSON");
    assert!(error.contains("at byte 8"), "{error}");
}
