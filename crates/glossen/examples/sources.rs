//! Reads the sources of an answer, and checks the message that contains them.
//!
//! `cargo run -p genui-glossen --example sources`

use std::error::Error;

use genui_glossen::{Anchor, Page, check, sources};
use genui_json::Json;

/// An answer that links to a page, to a heading of it, and to another site.
const ANSWER: &str =
    "See [Backups](/docs/backups), [Restore](/docs/backups#restore) and [Rust](https://rust-lang.org).";

fn main() -> Result<(), Box<dyn Error>> {
    let restore = Anchor { id: "restore".to_owned(), heading: "Restore a backup".to_owned() };
    let pages = [Page { url: "/docs/backups".to_owned(), title: "Backups".to_owned(), anchors: vec![restore] }];
    let found = sources(ANSWER, "https://docs.example", &pages)?;
    for source in &found {
        println!("{}: {}", source.url, source.title);
    }

    let entry = |title: &str, url: &str| Json::object([("title", title.into()), ("url", url.into())]);
    let mut entries: Vec<Json> = found.iter().map(|source| entry(&source.title, &source.url)).collect();
    entries.push(entry("A page that is not in the list", "/docs/other"));
    let text = Json::object([("type", "text".into()), ("text", ANSWER.into())]);
    let listed = Json::object([("type", "data-sources".into()), ("data", Json::Array(entries))]);
    let message = Json::object([
        ("id", "a1".into()),
        ("role", "assistant".into()),
        ("metadata", Json::object([("finishReason", "stop".into())])),
        ("parts", Json::Array(vec![text, listed])),
    ]);
    for violation in check(&message, Some(&pages), true)? {
        println!("{violation}");
    }
    Ok(())
}
