//! The report as an HTML page: one self-contained file with a matrix of rules and implementations, filters, and
//! details of every case.

mod diff;
mod page;
mod visible;

use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};
use sha2::{Digest, Sha256};

use super::comparison::Comparison;
use page::Page;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the report as an HTML page. Its content security policy allows only its own script and style, by their hashes;
/// the page loads nothing.
///
/// # Errors
///
/// When writing fails.
pub fn write_html(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let mut environment = Environment::new();
    // A name that the page does not have is a mistake of the template.
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_filter("visible", |text: &str| Value::from_safe_string(visible::html(text)));
    environment.add_template("page", TEMPLATE).map_err(io::Error::other)?;
    let template = environment.get_template("page").map_err(io::Error::other)?;
    let page = Page::new(comparison);
    let context = context! {
        page => Value::from(Serde(&page)),
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        style_hash => hash(STYLE),
        script_hash => hash(SCRIPT),
    };
    template.render_captured_to(context, out).map(drop).map_err(io::Error::other)
}

/// Returns the hash of a text for a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}
