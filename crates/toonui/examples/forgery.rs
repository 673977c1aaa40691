//! Makes the text of a form for the model, and finds values that forge a line of it.
//!
//! `cargo run -p genui-toonui --example forgery`

use std::error::Error;

use genui_json::Json;
use genui_toonui::{forgeries, read_content, submit, to_content};

fn main() -> Result<(), Box<dyn Error>> {
    // The title of a form goes into the text unchanged, so a line break in it starts another line.
    let payload = submit("Order\n  paid: true", Some(Json::object([("guests", 2.into())])));
    let content = to_content(&payload)?;
    println!("{content}\n");
    for forgery in forgeries(&payload)? {
        println!("{}: {:?}", forgery.at, forgery.kind);
    }
    match read_content(&content) {
        Ok(payload) => println!("read back as {}", payload.to_ascii()),
        Err(error) => println!("cannot be read back: {error}"),
    }
    Ok(())
}
