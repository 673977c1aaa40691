//! Reading, without recursion: a hostile text costs time and memory in proportion to its length, and no stack.

use std::fmt;

use super::{Json, JsonString, MAX_DEPTH, Number};

/// The error of reading a text that is not JSON, or that nests too deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    offset: usize,
    kind: ErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorKind {
    Expected(&'static str),
    TooDeep(usize),
}

impl Error {
    /// Returns the byte offset at which reading stopped.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns whether reading stopped because the text nests deeper than is allowed. It may be JSON otherwise.
    #[must_use]
    pub fn is_too_deep(&self) -> bool {
        matches!(self.kind, ErrorKind::TooDeep(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::Expected(what) => write!(f, "expected {what} at byte {}", self.offset),
            ErrorKind::TooDeep(depth) => {
                write!(f, "expected at most {depth} levels of nesting, but found more at byte {}", self.offset)
            }
        }
    }
}

impl std::error::Error for Error {}

/// Parses a text that consists of one JSON value and white space around it, nested at most [`MAX_DEPTH`] levels deep.
///
/// # Errors
///
/// Returns an error if the text is not JSON by RFC 8259 or nests deeper. The error contains the byte offset.
///
/// # Examples
///
/// ```
/// use genui_json::parse;
///
/// assert_eq!(parse(" [1.0, \"a\"] ")?.to_compact(), "[1.0,\"a\"]");
///
/// let error = parse("[1,]").unwrap_err();
/// assert_eq!(error.offset(), 3);
/// assert_eq!(error.to_string(), "expected a JSON value at byte 3");
/// # Ok::<(), genui_json::Error>(())
/// ```
pub fn parse(text: &str) -> Result<Json, Error> {
    parse_within(text, MAX_DEPTH)
}

/// Parses a text as [`parse`] does, nested at most `depth` levels deep.
///
/// # Errors
///
/// Returns an error if the text is not JSON by RFC 8259 or nests deeper. The error contains the byte offset.
///
/// # Examples
///
/// ```
/// use genui_json::parse_within;
///
/// assert!(parse_within("[[1]]", 2).is_ok());
/// assert!(parse_within("[[1]]", 1).unwrap_err().is_too_deep());
/// ```
pub fn parse_within(text: &str, depth: usize) -> Result<Json, Error> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0 };
    let value = reader.value(depth)?;
    reader.white_space();
    if reader.at < text.len() {
        return Err(reader.expected("the end of the text"));
    }
    Ok(value)
}

/// A list or object that is not closed yet.
enum Open {
    Array(Vec<Json>),
    Object(Vec<(JsonString, Json)>, JsonString),
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, Error> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let mut value = match self.opening(&mut open, depth)? {
                Some(value) => value,
                None => continue,
            };
            // Add the value to the innermost list or object, and close those that end after it.
            loop {
                let Some(innermost) = open.last_mut() else { return Ok(value) };
                self.white_space();
                let next = self.bytes.get(self.at).copied();
                match innermost {
                    Open::Array(items) => {
                        items.push(value);
                        match next {
                            Some(b',') => self.at += 1,
                            Some(b']') => self.at += 1,
                            _ => return Err(self.expected("`,` or `]`")),
                        }
                    }
                    Open::Object(members, name) => {
                        members.push((std::mem::replace(name, JsonString::Unicode(String::new())), value));
                        match next {
                            Some(b',') => {
                                self.at += 1;
                                *name = self.name()?;
                            }
                            Some(b'}') => self.at += 1,
                            _ => return Err(self.expected("`,` or `}`")),
                        }
                    }
                }
                if next == Some(b',') {
                    break;
                }
                value = match open.pop() {
                    Some(Open::Array(items)) => Json::Array(items),
                    Some(Open::Object(members, _)) => Json::Object(members),
                    None => return Err(self.expected("a value")),
                };
            }
        }
    }

    /// Reads a scalar or an empty list or object. Returns `None` if it has opened a list or object instead.
    fn opening(&mut self, open: &mut Vec<Open>, depth: usize) -> Result<Option<Json>, Error> {
        self.white_space();
        let first = self.bytes.get(self.at).copied();
        if matches!(first, Some(b'[' | b'{')) && open.len() >= depth {
            return Err(Error { offset: self.at, kind: ErrorKind::TooDeep(depth) });
        }
        match first {
            Some(b'[') => {
                self.at += 1;
                self.white_space();
                if self.bytes.get(self.at) == Some(&b']') {
                    self.at += 1;
                    return Ok(Some(Json::Array(Vec::new())));
                }
                open.push(Open::Array(Vec::new()));
                Ok(None)
            }
            Some(b'{') => {
                self.at += 1;
                self.white_space();
                if self.bytes.get(self.at) == Some(&b'}') {
                    self.at += 1;
                    return Ok(Some(Json::Object(Vec::new())));
                }
                let name = self.name()?;
                open.push(Open::Object(Vec::new(), name));
                Ok(None)
            }
            Some(b'"') => self.string().map(|string| Some(Json::String(string))),
            Some(b'-' | b'0'..=b'9') => self.number().map(|number| Some(Json::Number(number))),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            _ => Err(self.expected("a JSON value")),
        }
    }

    fn name(&mut self) -> Result<JsonString, Error> {
        self.white_space();
        if self.bytes.get(self.at) != Some(&b'"') {
            return Err(self.expected("a member name in quotes"));
        }
        let name = self.string()?;
        self.white_space();
        if self.bytes.get(self.at) != Some(&b':') {
            return Err(self.expected("`:`"));
        }
        self.at += 1;
        Ok(name)
    }

    fn word(&mut self, word: &'static str, value: Json) -> Result<Option<Json>, Error> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(Some(value))
        } else {
            Err(self.expected("a JSON value"))
        }
    }

    fn number(&mut self) -> Result<Number, Error> {
        let start = self.at;
        if self.bytes[self.at] == b'-' {
            self.at += 1;
        }
        if self.bytes.get(self.at) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Number::from_checked(&self.text[start..self.at]))
    }

    fn digits(&mut self) -> Result<(), Error> {
        let count = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.expected("a digit"));
        }
        self.at += count;
        Ok(())
    }

    fn string(&mut self) -> Result<JsonString, Error> {
        self.at += 1;
        let start = self.at;
        self.plain();
        if self.bytes.get(self.at) == Some(&b'"') {
            let text = self.text[start..self.at].to_owned();
            self.at += 1;
            return Ok(JsonString::Unicode(text));
        }
        let mut text = self.text[start..self.at].to_owned();
        // Used from the first lone surrogate on.
        let mut units: Option<Vec<u16>> = None;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match units {
                        None => JsonString::Unicode(text),
                        Some(mut units) => {
                            units.extend(text.encode_utf16());
                            JsonString::from(units)
                        }
                    });
                }
                Some(b'\\') => match self.escape()? {
                    Ok(scalar) => text.push(scalar),
                    Err(surrogate) => {
                        let units = units.get_or_insert_default();
                        units.extend(text.encode_utf16());
                        units.push(surrogate);
                        text.clear();
                    }
                },
                Some(byte) if *byte < 0x20 => {
                    return Err(self.expected("an escape instead of a raw control character"));
                }
                Some(_) => {
                    let start = self.at;
                    self.plain();
                    text.push_str(&self.text[start..self.at]);
                }
                None => return Err(self.expected("`\"`")),
            }
        }
    }

    /// Skips characters that represent themselves.
    fn plain(&mut self) {
        self.at += self.bytes[self.at..].iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)).count();
    }

    /// Reads an escape: a scalar value (`Ok`), or a lone surrogate (`Err`).
    fn escape(&mut self) -> Result<Result<char, u16>, Error> {
        let escaped = self.bytes.get(self.at + 1).copied();
        self.at += 2;
        Ok(Ok(match escaped {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.hex()?;
                if (0xd800..0xdc00).contains(&unit) && self.bytes[self.at..].starts_with(b"\\u") {
                    let after_first = self.at;
                    self.at += 2;
                    let low = self.hex()?;
                    if (0xdc00..0xe000).contains(&low) {
                        let scalar = 0x10000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
                        return Ok(Ok(char::from_u32(scalar).expect("a surrogate pair is a scalar value")));
                    }
                    self.at = after_first;
                }
                return Ok(char::from_u32(u32::from(unit)).ok_or(unit));
            }
            _ => {
                self.at -= 1;
                return Err(self.expected("one of the escapes of JSON"));
            }
        }))
    }

    fn hex(&mut self) -> Result<u16, Error> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.bytes.get(self.at).and_then(|byte| char::from(*byte).to_digit(16));
            unit = unit * 16 + digit.ok_or_else(|| self.expected("four hex digits"))? as u16;
            self.at += 1;
        }
        Ok(unit)
    }

    fn white_space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expected(&self, what: &'static str) -> Error {
        Error { offset: self.at.min(self.text.len()), kind: ErrorKind::Expected(what) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_other_readers_lose() {
        for text in [
            r#"{"a":1,"a":1.0,"__proto__":[1e400,-0]}"#,
            r#"["\ud800","\udc00\ud800x","a\ud83d"]"#,
            r#"[[],{},[{}],"",null,true,false]"#,
        ] {
            assert_eq!(parse(text).expect("is JSON").to_ascii(), text);
        }
        assert_eq!(parse(r#""\ud83d\ude00\/\u0041""#).expect("is JSON"), Json::from("\u{1f600}/A"));
    }

    #[test]
    fn refuses_what_is_not_json() {
        for (text, offset) in [
            ("", 0),
            ("nul", 0),
            ("NaN", 0),
            ("01", 1),
            ("1.", 2),
            ("-", 1),
            ("+1", 0),
            ("[1,]", 3),
            ("{\"a\":1,}", 7),
            ("{a:1}", 1),
            ("'a'", 0),
            ("\"a\nb\"", 2),
            ("\"\\x\"", 2),
            ("\"\\u12\"", 5),
            ("1 2", 2),
            ("[1", 2),
            ("\"abc", 4),
            ("\u{feff}1", 0),
            ("{\"a\"1}", 4),
            ("]", 0),
        ] {
            assert_eq!(parse(text).expect_err(text).offset(), offset, "{text:?}");
        }
    }

    #[test]
    fn depth_is_bounded_exactly() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert!(parse(&nested(MAX_DEPTH + 1)).expect_err("too deep").is_too_deep());
        assert!(parse(&"[".repeat(5_000_000)).expect_err("too deep").is_too_deep());
    }
}
