//! Reads a stored message: its content, attributes, context and end.
//!
//! `cargo run -p genui-openui --example read [FILE]`

use std::error::Error;

use genui_openui::{ContextValue, Mode, Options, parse, trace};

/// The message that is read if no file is given.
const STORED: &str = "]]>openui:content?library=support%401.2.0\nroot = Form([guests])\n\
    ]]>openui:context\n{\"guests\":2}\n]]>openui:end";

fn main() -> Result<(), Box<dyn Error>> {
    let stored = match std::env::args().nth(1) {
        Some(path) => std::fs::read_to_string(path)?,
        None => STORED.to_owned(),
    };
    let options = Options::default();
    // Every text is a message, so this cannot fail.
    let message = parse(&stored, &options);
    println!("content: {:?}", message.content);
    for (name, value) in message.attributes.decode() {
        println!("attribute {name:?}: {value:?}");
    }
    match message.context.as_ref().map(|context| context.decode()) {
        None => println!("no context"),
        Some(ContextValue::Json(value)) => println!("context, a JSON value: {}", value.to_ascii()),
        Some(ContextValue::Text(text)) => println!("context, a text: {text:?}"),
    }
    println!("end: {}", message.end);
    println!("lines:");
    for line in trace(&stored, Mode::Whole, &options) {
        println!("  {:3} {:8} {:?} ({})", line.number, line.kind, &stored[line.span], line.rule);
    }
    Ok(())
}
