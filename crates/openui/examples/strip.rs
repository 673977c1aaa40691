//! Strips the marker lines of a stored conversation: the text that the model sees of each turn.
//!
//! `cargo run -p genui-openui --example strip`

use genui_openui::{ActionEvent, Options, Role, WriteError, from_event, model_text};

fn main() -> Result<(), WriteError> {
    let options = Options::default();
    let click = ActionEvent { message: "Save order", form_state: None, context: None };
    let conversation = [
        (Role::User, "Show me the order".to_owned()),
        (Role::Assistant, "]]>openui:content?library=support\nroot = Order([save])\n]]>openui:end".to_owned()),
        (Role::User, from_event(&click, &options)?.message),
    ];
    for (role, stored) in &conversation {
        println!("{role}: {:?}", model_text(stored, *role, &options));
    }
    Ok(())
}
