//! Reads a message while it arrives, and prints each change of what the user sees.
//!
//! `cargo run -p genui-openui --example stream`

use genui_openui::{Options, StreamReader};

/// Chunks as a model sends them: they end anywhere, also within a marker.
const CHUNKS: [&str; 7] = ["]]>open", "ui:content\nroot = ", "Card([title])\n", "]]", ">openui:e", "nd", "\n"];

fn main() {
    let mut reader = StreamReader::new(Options::default());
    let mut shown = String::new();
    for chunk in CHUNKS {
        reader.push(chunk);
        let message = reader.message();
        let change = if message.content == shown { "unchanged" } else { "shown" };
        println!("{chunk:22?} {change}: {:?}", message.content);
        shown = message.content.into_owned();
    }
    // Nothing more arrives, so a line that was held back counts now.
    let whole = reader.whole();
    println!("whole: {:?}, end: {}", whole.content, whole.end);
}
