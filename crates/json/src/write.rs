//! Writing: compact, in ASCII, or indented.

use std::fmt;

use super::{Json, JsonString};

/// The style in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// No white space; characters beyond ASCII as they are.
    Compact,
    /// No white space; everything but printable ASCII as escapes, so that no text can break or fake a line.
    Ascii,
    /// Two spaces per level; everything but printable ASCII as escapes.
    Indented,
}

impl Json {
    /// Returns the value as compact JSON, with characters beyond ASCII as they are and lone surrogates as escapes.
    #[must_use]
    pub fn to_compact(&self) -> String {
        self.write(Style::Compact)
    }

    /// Returns the value as compact JSON that consists of printable ASCII.
    #[must_use]
    pub fn to_ascii(&self) -> String {
        self.write(Style::Ascii)
    }

    /// Returns the value as JSON in a style.
    ///
    /// # Examples
    ///
    /// ```
    /// use genui_json::{Style, parse};
    ///
    /// let value = parse(r#"{"a":["\u00fc",null]}"#)?;
    /// assert_eq!(value.write(Style::Compact), "{\"a\":[\"\u{fc}\",null]}");
    /// assert_eq!(value.write(Style::Ascii), r#"{"a":["\u00fc",null]}"#);
    /// assert_eq!(value.write(Style::Indented), "{\n  \"a\": [\n    \"\\u00fc\",\n    null\n  ]\n}");
    /// # Ok::<(), genui_json::Error>(())
    /// ```
    #[must_use]
    pub fn write(&self, style: Style) -> String {
        let mut out = String::new();
        self.write_to(&mut out, style, 0);
        out
    }

    fn write_to(&self, out: &mut String, style: Style, level: usize) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Number(number) => out.push_str(number.as_str()),
            Json::String(string) => string.write_to(out, style),
            Json::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    separate(out, style, index, level + 1);
                    item.write_to(out, style, level + 1);
                }
                close(out, style, items.is_empty(), level);
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    separate(out, style, index, level + 1);
                    name.write_to(out, style);
                    out.push(':');
                    if style == Style::Indented {
                        out.push(' ');
                    }
                    value.write_to(out, style, level + 1);
                }
                close(out, style, members.is_empty(), level);
                out.push('}');
            }
        }
    }
}

impl fmt::Display for JsonString {
    /// Writes the string in quotes, as JSON that consists of printable ASCII.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write_to(&mut out, Style::Ascii);
        f.write_str(&out)
    }
}

impl JsonString {
    /// Appends the string in quotes, as JSON in a style. Lone surrogates are escapes.
    pub fn write_to(&self, out: &mut String, style: Style) {
        match self {
            JsonString::Unicode(text) => write_string(out, text, style),
            JsonString::Surrogates(units) => {
                out.push('"');
                for unit in char::decode_utf16(units.iter().copied()) {
                    match unit {
                        Ok(scalar) => write_scalar(out, scalar, style),
                        Err(lone) => write_unit(out, lone.unpaired_surrogate()),
                    }
                }
                out.push('"');
            }
        }
    }
}

/// Appends a text in quotes.
fn write_string(out: &mut String, text: &str, style: Style) {
    out.push('"');
    for scalar in text.chars() {
        write_scalar(out, scalar, style);
    }
    out.push('"');
}

fn write_scalar(out: &mut String, scalar: char, style: Style) {
    match scalar {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\0'..' ' => write_unit(out, scalar as u16),
        ' '..='~' => out.push(scalar),
        _ if style == Style::Compact => out.push(scalar),
        _ => scalar.encode_utf16(&mut [0; 2]).iter().for_each(|unit| write_unit(out, *unit)),
    }
}

fn write_unit(out: &mut String, unit: u16) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.push(char::from_digit(u32::from(unit >> shift) & 15, 16).expect("four bits are a hex digit"));
    }
}

fn separate(out: &mut String, style: Style, index: usize, level: usize) {
    if index > 0 {
        out.push(',');
    }
    if style == Style::Indented {
        line(out, level);
    }
}

fn close(out: &mut String, style: Style, empty: bool, level: usize) {
    if style == Style::Indented && !empty {
        line(out, level);
    }
}

fn line(out: &mut String, level: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}
