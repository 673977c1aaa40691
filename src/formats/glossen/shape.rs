//! The shape of params that have messages.

use crate::format::words;
use crate::json::Json;

/// The shape of params: the messages without what is said in them.
pub(super) fn messages(params: &Json, out: &mut String) {
    message_shape(params, "", out);
}

/// What a message is called and where it leads means something, unlike what is said in it.
fn message_shape(value: &Json, name: &str, out: &mut String) {
    match value {
        Json::Array(items) => {
            out.push('[');
            items.iter().for_each(|item| message_shape(item, name, out));
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (name, value) in members {
                out.push_str(&name.to_string());
                message_shape(value, &name.to_text(), out);
            }
            out.push('}');
        }
        Json::String(text) if matches!(name, "text" | "title" | "heading") => out.push_str(&words(&text.to_string())),
        other => out.push_str(&other.to_ascii()),
    }
    out.push(',');
}
