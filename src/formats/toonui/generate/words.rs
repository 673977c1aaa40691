//! Texts, names and numbers for the places of generated requests: what software changes when it only has to carry it
//! through.

use crate::generate::{Draw, DrawExt};

/// Words without a line feed.
const WORDS: &[&str] = &[
    "",
    " ",
    "x",
    "book_table",
    "Show the menu",
    "camelCase-and_more.Words",
    "Zo\u{eb} \u{1f600}",
    // What looks like a line, an item or a comment of a text such as YAML.
    "a: b",
    "a: \"b",
    ": ",
    "\": ",
    "Total:",
    "- item",
    "#h # i",
    "~",
    // Patterns of replacement, escapes.
    "$$",
    "$&",
    "$1 $` $'",
    "\\1 \\n \\\\",
    "C:\\temp\\n",
    "\\u00e9",
    "%s %% {0} {{x}} ${y}",
    "%41",
    "100% %20 %2B a+b",
    // Markup.
    "&amp;",
    "&lt;b&gt; &quot;q&quot; &#65;",
    "a < b > c & d",
    "<b>a</b>",
    "</p>",
    "<!--c-->",
    "<![CDATA[x]]>",
    "]]>o",
    "*s* _e_ **b** `t`",
    "[a](https://docs.example/?a=1&b=2)",
    // Quotation marks around and within.
    "\"s\"",
    "'s'",
    "say \"hi\"",
    "it's \u{201c}q\u{201d} \u{2026} \u{2013}",
    // What looks like another value.
    "42",
    "007",
    "-5",
    "1.0",
    "12.50",
    "1e3",
    "0x1f",
    "9007199254740993",
    "18446744073709551616",
    "true",
    "false",
    "null",
    "NULL",
    "None",
    "undefined",
    "NaN",
    "2026-01-01",
    "[]",
    "[1,2]",
    "{}",
    "{\"a\":1}",
    "{\"a\":",
    "a,b;c",
    // Letters.
    "e\u{301}",
    "\u{e9}",
    "u\u{308}ber a\u{308}",
    "\u{212b} \u{fb01} \u{661}",
    "stra\u{df}e \u{130} \u{17f}",
    "\u{20000}",
    "\u{1f468}\u{200d}\u{1f469}",
    // White space, and what cannot be seen.
    "  padded  ",
    "two  spaces",
    " a",
    "a ",
    "\ta\tb\t",
    "\u{a0}x\u{3000}",
    "a\rb\r",
    "a\u{2028}b",
    "\u{85}a\u{2029}",
    "\u{feff}",
    "\u{feff}x",
    "x\u{feff}",
    "x\u{200b}",
    "a\u{ad}b",
    "\u{202e}abc\u{202c}",
    "\u{b}a\u{c}",
    "\0\u{1}\u{1b}[1m\u{7f}\u{1f}",
];
/// Words with line feeds. They forge a line if they occur in a raw field.
const BREAKS: &[&str] = &[
    "\n",
    "a\nb",
    "a\n",
    "\na",
    "a\n\n\nb",
    "two\r\nlines",
    "a\r\n",
    "```\na\n```",
    "- a\n- b",
    "a \n\nb \n",
    "ok\n  source: form",
    "x: 1\n  admin",
];
/// Words that software changes only if they are the whole text.
const WHOLE: &[&str] = &[
    "null",
    "undefined",
    "true",
    "false",
    "4000",
    "-5",
    "1.0",
    "[1,2]",
    "{\"a\":1}",
    "\"s\"",
    "'s'",
    "```a```",
    " a ",
    " ",
    "",
    "a/",
    "a.",
    "2026-01-01",
    "__proto__",
    "constructor",
    "\u{feff}x",
];
/// What joins words. It makes no longer number of two.
const JOINTS: &[&str] = &[" ", " ", " ", ", ", "-", "_", "."];
/// How many words are joined to the first one.
const FURTHER: &[usize] = &[0, 0, 0, 0, 0, 0, 0, 1, 1, 2];
/// What long texts are made of.
const UNITS: &[&str] = &["w", "z", "ab ", "\u{e9}", "\u{1f600}", "Xy"];
/// Their lengths, in units: just beyond those at which software likes to cut.
const LENGTHS: &[usize] = &[42, 65, 101, 130, 210, 260, 300, 520, 1030, 1030, 1030, 2100];
/// Names of members and entries. None is that of a line of the header, and none makes JavaScript call something.
const NAMES: &[&str] = &[
    "name",
    "Name",
    "guests",
    "a",
    "B",
    "0",
    "7",
    "10",
    "01",
    "-0",
    "4294967294",
    "4294967295",
    "2147483648",
    "-1",
    "1.5",
    "1e3",
    "true",
    "null",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "valueOf",
    "length",
    "first name",
    "first_name",
    "firstName",
    " name",
    "name ",
    "user.email",
    "tags[]",
    "a/b",
    "password",
    "token",
    "id",
    "type",
    "note",
    "items",
    "e\u{301}",
    "\u{e9}",
];
/// Names of lines of the header, and of other members of a payload.
const HEADER_NAMES: &[&str] =
    &["kind", "eventId", "value", "source", "component", "intent", "formTitle", "values", "context"];
/// Numbers that every double holds, or nearly; what reads JSON into integers sees others than what reads doubles.
const PLAIN_NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "42",
    "2500",
    "0.5",
    "-2.25",
    "1.5e300",
    "4294967296",
    "1234567890123456",
    "9007199254740992",
];
const EDGE_NUMBERS: &[&str] = &[
    "1.0",
    "-0",
    "-0.0",
    "0.1",
    "12345.678",
    "1234567.125",
    "0.30000000000000004",
    "0.00001",
    "1e20",
    "1e21",
    "-1e21",
    "123456789012345678901",
    "0.000001",
    "0.0000001",
    "-1.5e-9",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551616",
    "1e400",
    "-1e400",
    "5e-324",
    "1.7976931348623157e308",
    "2e23",
    "1E2",
    "0.1e1",
];

/// A text, perhaps of several lines.
pub(super) fn text(draw: &mut dyn Draw) -> String {
    match draw.below(28) {
        0..=23 => line(draw),
        24..=26 => draw.pick(BREAKS).to_owned(),
        _ => BREAKS.join(draw.pick(JOINTS)),
    }
}

/// Every text.
pub(super) fn all_texts() -> impl Iterator<Item = &'static str> {
    WORDS.iter().chain(BREAKS).copied()
}

/// Every name of a member or an entry.
pub(super) fn all_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// Every number that every double holds.
pub(super) fn all_numbers() -> impl Iterator<Item = &'static str> {
    PLAIN_NUMBERS.iter().copied()
}

/// A text without a line feed: mostly a word, or some of them joined, and sometimes a long one.
pub(super) fn line(draw: &mut dyn Draw) -> String {
    match draw.below(40) {
        0..=24 => {}
        25..=31 => return draw.pick(WHOLE).to_owned(),
        32..=35 => return WORDS.join(draw.pick(JOINTS)),
        _ => return long(draw),
    }
    let mut text = draw.pick(WORDS).to_owned();
    for _ in 0..draw.pick(FURTHER) {
        text.push_str(draw.pick(JOINTS));
        text.push_str(draw.pick(WORDS));
    }
    text
}

fn long(draw: &mut dyn Draw) -> String {
    let length = match draw.below(200) {
        0..=192 => draw.pick(LENGTHS),
        193..=198 => 5_000,
        _ => 66_000,
    };
    draw.pick(UNITS).repeat(length)
}

/// A name of a member or an entry, perhaps one that is nearly one of the others.
pub(super) fn name(draw: &mut dyn Draw, others: &[String]) -> String {
    if !others.is_empty() && draw.one_in(6) {
        return near_one_of(draw, others);
    }
    match draw.below(24) {
        0..=14 => draw.pick(NAMES).to_owned(),
        15..=21 => line(draw),
        22 => text(draw),
        _ => draw.pick(HEADER_NAMES).to_owned(),
    }
}

/// One of the names, of which there is at least one, or a name that differs from it in something that software overlooks.
pub(super) fn near_one_of(draw: &mut dyn Draw, names: &[String]) -> String {
    let name = &names[draw.below(names.len())];
    match draw.below(7) {
        0 | 1 => name.to_owned(),
        2 => name.to_uppercase(),
        3 => name.to_lowercase(),
        4 => format!(" {name}"),
        5 => format!("{name} "),
        _ => name.replace('\u{e9}', "e\u{301}"),
    }
}

/// The text of a number. With edges, it may be one that languages write differently.
pub(super) fn number(draw: &mut dyn Draw, edges: bool) -> &'static str {
    let numbers = if edges && draw.one_in(2) { EDGE_NUMBERS } else { PLAIN_NUMBERS };
    draw.pick(numbers)
}
