//! Texts: whole lines go first, then characters.

/// Returns the smallest text for which `holds` is still true, found within this many attempts. `text` itself is taken
/// to hold. Whole lines are removed first, then pieces of any length down to single characters.
pub fn text(text: &str, attempts: usize, holds: &mut dyn FnMut(&str) -> bool) -> String {
    let mut left = attempts;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let small = without(lines, &mut left, holds);
    let characters: Vec<&str> = small.split_inclusive(|_| true).collect();
    without(characters, &mut left, holds)
}

/// Removes runs of pieces, the longest first, as long as `holds` stays true.
fn without(mut pieces: Vec<&str>, left: &mut usize, holds: &mut dyn FnMut(&str) -> bool) -> String {
    let mut run = pieces.len().div_ceil(2);
    while run > 0 {
        let mut at = 0;
        let mut any = false;
        while at < pieces.len() {
            if *left == 0 {
                return pieces.concat();
            }
            *left -= 1;
            let end = (at + run).min(pieces.len());
            let candidate = [&pieces[..at], &pieces[end..]].concat();
            if holds(&candidate.concat()) {
                pieces = candidate;
                any = true;
            } else {
                at = end;
            }
        }
        // The same length once more, where leaving out one run may have made another superfluous.
        if !any {
            run = if run == 1 { 0 } else { run.div_ceil(2) };
        }
    }
    pieces.concat()
}

#[cfg(test)]
mod tests {

    #[test]
    fn only_what_is_needed_stays() {
        let text = "first line\nsecond ]] line\nthird > line\nfourth\n";
        let small = super::text(text, 1_000, &mut |text| text.contains("]]") && text.contains('>'));
        assert_eq!(small, "]]>");
    }

    #[test]
    fn attempts_are_bounded() {
        let mut asked = 0;
        let text = "x".repeat(10_000);
        super::text(&text, 50, &mut |_| {
            asked += 1;
            false
        });
        assert_eq!(asked, 50);
    }

    #[test]
    fn characters_stay_whole() {
        assert_eq!(super::text("aé\u{1f600}b", 100, &mut |text| text.contains('\u{1f600}')), "\u{1f600}");
    }
}
