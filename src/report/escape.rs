//! Text that is safe to print. Whatever an adapter writes is data until it has gone through here.

/// The text with every character that could move the cursor, change the direction of text, or not be seen at
/// all, written as an escape.
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

/// Formatting, bidirectional and zero-width characters, line separators, variation selectors, tags, and
/// characters that stand for nothing.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fdd0}'..='\u{fdef}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}'
    )
}

/// The last two of each plane, which stand for nothing and which XML partly forbids.
fn is_noncharacter(character: char) -> bool {
    u32::from(character) & 0xfffe == 0xfffe
}

/// At most `limit` characters of a text, and how many more there are.
#[must_use]
pub fn excerpt(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}... ({} more characters)", &text[..at], text[at..].chars().count()),
        None => text.to_owned(),
    }
}

/// A count with its noun: `1 case`, `2 cases`.
#[must_use]
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_or_hides_is_left() {
        assert_eq!(
            printable("a\u{1b}[31mb\u{202e}c\u{feff}\u{9b}\r\n"),
            "a\\u{1b}[31mb\\u{202e}c\\u{feff}\\u{9b}\\r\\n"
        );
        assert_eq!(printable("Größe 日本 😀"), "Größe 日本 😀");
    }

    #[test]
    fn an_excerpt_counts_what_it_leaves_out() {
        assert_eq!(excerpt("äöüß", 2), "äö... (2 more characters)");
        assert_eq!(excerpt("äö", 2), "äö");
    }
}
