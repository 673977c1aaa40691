//! Text as HTML with all characters visible.

use crate::report::escape::printable;

/// Returns the text as HTML, safe between tags and in attributes. Each character that is invisible, or would move or turn
/// the text around it, becomes an element of class `odd` with the escape.
pub(super) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut bytes = [0; 4];
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push_str("<b class=odd>\\n</b>\n"),
            _ => {
                let plain = character.encode_utf8(&mut bytes);
                let shown = printable(plain);
                if shown == *plain {
                    out.push(character);
                } else {
                    out.push_str("<b class=odd>");
                    out.push_str(&shown);
                    out.push_str("</b>");
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_characters_and_markup_are_escaped() {
        assert_eq!(
            html("<a href='x'>\u{202e}&\r\n"),
            "&lt;a href=&#39;x&#39;&gt;<b class=odd>\\u{202e}</b>&amp;<b class=odd>\\r</b><b class=odd>\\n</b>\n"
        );
        assert_eq!(html("Größe"), "Größe");
    }
}
