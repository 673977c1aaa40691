//! Writes an explanation as human-readable text and as JSON. Both escape all characters of the message that are not
//! printable ASCII.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use super::colour::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW};
use super::escape::{excerpt, plural, printable};
use super::paragraph::{wrapping, write_wrapped};
use crate::explain::{Detail, Explanation, Fact, FactValue, Part, Warning};
use crate::format::{Format, PartKind};
use crate::json::Json;

/// The maximum length of lines and other texts of a message; `--json` has them in full.
const SHOWN: usize = 120;
/// The maximum number of details of a part.
const DETAILS: usize = 20;
/// The maximum number of warnings.
const WARNINGS: usize = 50;
/// Further rules of a part continue on another line after this column.
const WIDTH: usize = 120;

/// Writes an explanation as human-readable text: the parts, the result, the named rules, and warnings. The text contains
/// colours as escape sequences; the caller removes them if the output is not a terminal.
///
/// # Errors
///
/// When writing fails.
pub fn write_explanation(explanation: &Explanation<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", heading(explanation))?;
    write_parts(explanation, "  ", out)?;
    writeln!(out, "\n{BOLD}Reads as{BOLD:#}")?;
    for fact in &explanation.facts {
        write_fact(fact, out)?;
    }
    if let Some(refused) = &explanation.refused {
        let rule = refused.rule.map_or_else(String::new, |rule| format!(" ({rule})"));
        writeln!(out, "  {RED}nothing{RED:#}: {}{rule}", excerpt(&printable(&refused.message), SHOWN))?;
    }
    if !explanation.rules.is_empty() {
        writeln!(out, "\n{BOLD}Rules{BOLD:#}")?;
        for rule in &explanation.rules {
            writeln!(out, "  {BOLD}{}{BOLD:#} ({})", rule.id, rule.level)?;
            write_wrapped(rule.text, "    ", out)?;
        }
    }
    if !explanation.warnings.is_empty() {
        writeln!(out, "\n{BOLD}Warnings{BOLD:#}")?;
        for warning in explanation.warnings.iter().take(WARNINGS) {
            write_warning(warning, out)?;
        }
        if let Some(more @ 1..) = explanation.warnings.len().checked_sub(WARNINGS) {
            writeln!(out, "  ... ({more} more; --json has them all)")?;
        }
    }
    Ok(())
}

/// Writes an aligned line for each part, each after `indent`: its position, its kind, the rule that applies, and its
/// text. Further rules and details follow on separate lines.
///
/// # Errors
///
/// When writing fails.
pub fn write_parts(explanation: &Explanation<'_>, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let widest = |width: &dyn Fn(&Part<'_>) -> usize| explanation.parts.iter().map(width).max().unwrap_or(0);
    let first_rule = |part: &Part<'_>| part.rules.first().map_or(0, |rule| rule.len());
    let columns = Columns {
        place: widest(&|part| place(part).chars().count()).min(SHOWN / 2),
        what: widest(&|part| what(part).len()),
        rule: widest(&first_rule),
    };
    for part in &explanation.parts {
        write_part(explanation.format, part, &columns, indent, out)?;
    }
    Ok(())
}

struct Columns {
    place: usize,
    what: usize,
    rule: usize,
}

fn heading(explanation: &Explanation<'_>) -> String {
    let mut heading = format!("{BOLD}read as {}{BOLD:#}", explanation.format);
    if let Some(profile) = explanation.profile {
        heading.push_str(&format!(", profile {profile}"));
    }
    if explanation.streaming {
        heading.push_str(", incomplete");
    }
    for (rule, name) in &explanation.choices {
        heading.push_str(&format!(", {rule}={name}"));
    }
    // A moved content marker shares the number of its line, and omitted text has none.
    let lines = explanation.parts.iter().filter_map(|part| part.line).max().unwrap_or(0);
    let counted = match explanation.format.parts() {
        PartKind::Lines => plural(lines, "line"),
        PartKind::Places => plural(explanation.parts.len(), "place"),
    };
    format!("{heading}: {counted}")
}

fn place(part: &Part<'_>) -> String {
    match (part.line, &part.at) {
        (Some(line), _) => line.to_string(),
        (None, Some(at)) if at.is_empty() => "the whole".to_owned(),
        (None, Some(at)) => printable(at),
        (None, None) => String::new(),
    }
}

/// Returns the kind of a part; for text also its section, because the marker lines above are less clear.
fn what(part: &Part<'_>) -> String {
    let is_text = matches!(part.kind, "content" | "context" | "ignored");
    match &part.section {
        Some(of) if is_text => format!("{}, {of}", part.kind),
        _ => part.kind.to_owned(),
    }
}

fn write_part(format: Format, part: &Part<'_>, columns: &Columns, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let Columns { place: place_width, what: what_width, rule: rule_width } = *columns;
    let place = excerpt(&place(part), SHOWN / 2);
    let (rule, others) = part.rules.split_first().map_or(("", &[][..]), |(rule, others)| (*rule, others));
    let text = match format.parts() {
        PartKind::Places => excerpt(&part.text, SHOWN),
        PartKind::Lines => quoted(&part.text),
    };
    let colour = match part.kind {
        "content" | "context" => GREEN,
        "ignored" | "left out" => DIM,
        "held" | "forged line" => YELLOW,
        _ => BOLD,
    };
    let what = what(part);
    let line = match format.parts() {
        PartKind::Places => format!("{place:place_width$}"),
        PartKind::Lines => format!("{place:>place_width$}"),
    };
    writeln!(out, "{indent}{line}  {colour}{what:what_width$}{colour:#}  {rule:rule_width$}  {text}")?;
    let further = " ".repeat(indent.len() + place_width + what_width + 4);
    if !others.is_empty() {
        for line in textwrap::wrap(&others.join(", "), wrapping(WIDTH.saturating_sub(further.len()))) {
            writeln!(out, "{further}{DIM}{line}{DIM:#}")?;
        }
    }
    let below = " ".repeat(indent.len() + place_width + 4);
    for detail in part.details.iter().take(DETAILS) {
        write_detail(detail, &below, out)?;
    }
    match part.details.len().checked_sub(DETAILS) {
        Some(more @ 1..) => writeln!(out, "{below}... ({more} more; --json has them all)"),
        _ => Ok(()),
    }
}

fn write_detail(detail: &Detail<'_>, below: &str, out: &mut dyn Write) -> io::Result<()> {
    let is_attribute = detail.kind.ends_with("attribute") || detail.kind == "attribute without effect";
    let colour = if detail.kind == "breaks" { RED } else { PLAIN };
    let rules = detail.rules.join(", ");
    let what = detail.kind;
    match (&detail.value, is_attribute) {
        (Some(value), true) => {
            writeln!(out, "{below}{what} {} = {}  {DIM}{rules}{DIM:#}", quoted(&detail.name), quoted(value))
        }
        (value, _) => {
            let name = if detail.name.is_empty() { "the whole".to_owned() } else { printable(&detail.name) };
            let value = value.as_ref().map_or_else(String::new, |value| format!(": {}", printable(value)));
            let said = excerpt(&format!("{name}{value}"), SHOWN);
            writeln!(out, "{below}{colour}{what}{colour:#} {said}  {DIM}{rules}{DIM:#}")
        }
    }
}

fn write_fact(fact: &Fact<'_>, out: &mut dyn Write) -> io::Result<()> {
    let value = match &fact.value {
        FactValue::None => "none".to_owned(),
        FactValue::Flag(flag) => flag.to_string(),
        FactValue::Count(count) => count.to_string(),
        FactValue::Text(text) => quoted(text),
        FactValue::Pairs(pairs) => {
            let pairs = pairs.iter().map(|(name, value)| format!("{}:{}", ascii(name), ascii(value)));
            excerpt(&format!("{{{}}}", pairs.collect::<Vec<_>>().join(",")), SHOWN)
        }
        FactValue::Json(json) => excerpt(json, SHOWN),
    };
    let rule = fact.rule.map_or_else(String::new, |rule| format!("  {DIM}{rule}{DIM:#}"));
    writeln!(out, "  {:10}  {value}{rule}", fact.name)
}

fn ascii(text: &str) -> String {
    Json::from(text).to_ascii()
}

fn write_warning(warning: &Warning, out: &mut dyn Write) -> io::Result<()> {
    let place = match (warning.line, warning.at.as_deref()) {
        (Some(line), Some(at)) => format!("line {line}, {}", excerpt(&printable(at), SHOWN)),
        (Some(line), None) => format!("line {line}"),
        (None, None | Some("")) => "the whole".to_owned(),
        (None, Some(at)) => excerpt(&printable(at), SHOWN),
    };
    let message = excerpt(&printable(&warning.message), SHOWN * 2);
    writeln!(out, "  {YELLOW}{place}{YELLOW:#}: {message} ({})", warning.rule)
}

/// Returns a text in quotes, shortened if it is long.
fn quoted(text: &str) -> String {
    // No character is shorter as an escape, so the text can be shortened before it is escaped.
    let head = text.char_indices().nth(SHOWN).map_or(text, |(at, _)| &text[..at]);
    let out = Json::from(head).to_ascii();
    match (head.len() == text.len(), text[head.len()..].chars().count()) {
        (true, _) => out,
        (false, more) => format!("{out}... ({more} more characters)"),
    }
}

/// Writes an explanation as JSON, indented, with a LF at its end, in printable ASCII alone.
///
/// # Errors
///
/// When writing fails.
pub fn write_explanation_json(explanation: &Explanation<'_>, out: &mut dyn Write) -> io::Result<()> {
    explanation.serialize(&mut Serializer::with_formatter(&mut *out, AsciiFormatter(PrettyFormatter::new())))?;
    writeln!(out)
}

/// A formatter for indented JSON that escapes every character outside printable ASCII.
struct AsciiFormatter(PrettyFormatter<'static>);

impl Formatter for AsciiFormatter {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let is_plain = |character: &char| matches!(character, ' '..='~');
        let mut rest = fragment;
        while let Some((at, odd)) = rest.char_indices().find(|(_, character)| !is_plain(character)) {
            CompactFormatter.write_string_fragment(out, &rest[..at])?;
            for unit in odd.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + odd.len_utf8()..];
        }
        CompactFormatter.write_string_fragment(out, rest)
    }

    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;

    #[test]
    fn json_is_printable_ascii_and_means_the_same() {
        let text = "a\"\\\n\u{0}\u{7f}\u{202e}é\u{1f600}";
        let mut out = Vec::new();
        let mut serializer = Serializer::with_formatter(&mut out, AsciiFormatter(PrettyFormatter::new()));
        [text].serialize(&mut serializer).expect("can be written");
        let out = String::from_utf8(out).expect("is text");
        assert!(out.chars().all(|character| matches!(character, ' '..='~' | '\n')), "{out:?}");
        assert_eq!(crate::json::parse(&out), Ok(Json::Array(vec![text.into()])));
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(quoted("a\n"), "\"a\\n\"");
        let long = quoted(&"\u{202e}".repeat(SHOWN + 3));
        assert!(long.ends_with("\\u202e\"... (3 more characters)"), "{long}");
    }
}
