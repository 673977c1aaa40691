//! Makes text safe to print. All text from an adapter must pass through this module.

/// Escapes every character that could move the cursor, change the direction of text, or be invisible.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character.is_control() || is_invisible(character) || is_noncharacter(character) => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out
}

/// Returns whether the character is a formatting, bidirectional or zero-width character, a line separator, a variation
/// selector, a tag, or unassigned.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}'
    )
}

/// Returns whether the character is one of the last two of a plane: noncharacters, which XML partly forbids.
fn is_noncharacter(character: char) -> bool {
    u32::from(character) & 0xfffe == 0xfffe
}

/// Returns at most `limit` characters of a text, and the number of the others.
#[must_use]
pub fn excerpt(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}... ({} more characters)", &text[..at], text[at..].chars().count()),
        None => text.to_owned(),
    }
}

/// Returns a count with its noun: `1 case`, `2 cases`.
#[must_use]
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_and_moving_characters_are_escaped() {
        assert_eq!(
            printable("a\u{1b}[31mb\u{202e}c\u{feff}\u{9b}\r\n"),
            "a\\u{1b}[31mb\\u{202e}c\\u{feff}\\u{9b}\\r\\n"
        );
        assert_eq!(printable("Größe 日本 😀"), "Größe 日本 😀");
    }

    #[test]
    fn excerpt_counts_omitted_characters() {
        assert_eq!(excerpt("äöüß", 2), "äö... (2 more characters)");
        assert_eq!(excerpt("äö", 2), "äö");
    }
}
