//! Mutants that decode attributes wrongly, or take them from the wrong marker.

use std::collections::BTreeMap;

use super::Fault::Read;
use super::mangling::entities_decoded;
use super::reference::{ReferenceReader, at_line_start, attributes_of, decoded};
use super::{Mutant, mutant};
use crate::formats::openui::wire::ParseResult;

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "openui.attributes.decode",
        "plus-left-alone",
        "A `+` is unchanged, as decodeURIComponent leaves it.",
        Read(|right, raw, streaming| right.read_attributes(raw, streaming, |text| text.replace('+', "%2B"))),
    ),
    mutant(
        "openui.attributes.decode",
        "attributes-not-decoded",
        "Names and values are not decoded.",
        Read(|right, raw, streaming| {
            right.read_attributes(raw, streaming, |text| text.replace('%', "%25").replace('+', "%2B"))
        }),
    ),
    mutant(
        "openui.attributes.decode",
        "attributes-decoded-twice",
        "Values are decoded twice.",
        Read(|right, raw, streaming| {
            with_attributes(right, raw, streaming, |attributes| {
                attributes.into_iter().map(|(name, value)| (name, decoded(&value))).collect()
            })
        }),
    ),
    mutant(
        "openui.attributes.decode",
        "split-at-the-last-equals-sign",
        "A pair is split at its last `=`.",
        Read(|right, raw, streaming| {
            right.read_attributes(raw, streaming, |text| {
                let pairs = text.split('&').map(|pair| match pair.rsplit_once('=') {
                    Some((name, value)) => format!("{}={value}", name.replace('=', "%3D")),
                    None => pair.to_owned(),
                });
                pairs.collect::<Vec<_>>().join("&")
            })
        }),
    ),
    mutant(
        "openui.attributes.decode",
        "semicolon-separates",
        "Pairs are also separated by `;`.",
        Read(|right, raw, streaming| right.read_attributes(raw, streaming, |text| text.replace(';', "&"))),
    ),
    mutant(
        "openui.attributes.decode",
        "bytes-taken-for-characters",
        "Decoded bytes are read as Latin-1.",
        Read(|right, raw, streaming| {
            let latin = |text: String| text.bytes().map(char::from).collect::<String>();
            with_attributes(right, raw, streaming, |attributes| {
                attributes.into_iter().map(|(name, value)| (latin(name), latin(value))).collect()
            })
        }),
    ),
    mutant(
        "openui.attributes.winner",
        "attributes-of-the-first-content-marker",
        "The attributes are those of the first content marker.",
        Read(|right, raw, streaming| {
            let texts = attribute_texts(right, raw, &["content"]);
            let first = texts.first().cloned();
            replaced(right, raw, streaming, |result| {
                result.attributes = first.map_or(Vec::new(), |text| read_attributes(right, &text));
            })
        }),
    ),
    mutant(
        "openui.attributes.winner",
        "attributes-of-all-content-markers",
        "The attributes of all content markers are merged.",
        Read(|right, raw, streaming| {
            let texts = attribute_texts(right, raw, &["content"]);
            replaced(right, raw, streaming, |result| {
                result.attributes = read_attributes(right, &texts.join("&"));
            })
        }),
    ),
    mutant(
        "openui.attributes.winner",
        "attributes-of-any-marker",
        "The last marker with attributes gives them, also a context marker or an end line.",
        Read(|right, raw, streaming| {
            let texts = attribute_texts(right, raw, &["content", "context", "end"]);
            replaced(right, raw, streaming, |result| {
                let last = texts.iter().rev().find(|text| !text.is_empty());
                result.attributes = last.map_or(Vec::new(), |text| read_attributes(right, text));
            })
        }),
    ),
    mutant(
        "openui.attributes.any-name",
        "only-known-names",
        "Attributes that the reader does not know are dropped.",
        Read(|right, raw, streaming| {
            with_attributes(right, raw, streaming, |attributes| {
                let known = ["library", "libraryVersion", "version", "lang", "model"];
                attributes.into_iter().filter(|(name, _)| known.contains(&name.as_str())).collect()
            })
        }),
    ),
    mutant(
        "openui.attributes.any-name",
        "reserved-names-lost",
        "Attributes are put into a plain object, which loses `__proto__` and already has `constructor`.",
        Read(|right, raw, streaming| {
            with_attributes(right, raw, streaming, |attributes| {
                let reserved = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "length"];
                attributes.into_iter().filter(|(name, _)| !reserved.contains(&name.as_str())).collect()
            })
        }),
    ),
    mutant(
        "openui.attributes.no-value",
        "name-without-value-dropped",
        "A name without `=` is dropped.",
        Read(|right, raw, streaming| {
            right.read_attributes(raw, streaming, |text| {
                text.split('&').filter(|pair| pair.contains('=')).collect::<Vec<_>>().join("&")
            })
        }),
    ),
    mutant(
        "openui.attributes.no-value",
        "name-without-value-is-true",
        "A name without `=` has the value `true`.",
        Read(|right, raw, streaming| {
            right.read_attributes(raw, streaming, |text| {
                let pair = |pair: &str| {
                    if pair.contains('=') || pair.is_empty() { pair.to_owned() } else { format!("{pair}=true") }
                };
                text.split('&').map(pair).collect::<Vec<_>>().join("&")
            })
        }),
    ),
    mutant(
        "openui.attributes.malformed",
        "malformed-percent-loses-everything",
        "A `%` without two hexadecimal digits makes decoding fail, and there are no attributes.",
        Read(|right, raw, streaming| {
            let malformed = |text: &str| {
                text.match_indices('%').any(|(at, _)| {
                    !text.as_bytes().get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit))
                })
            };
            right.read_attributes(raw, streaming, |text| if malformed(text) { String::new() } else { text.to_owned() })
        }),
    ),
    mutant(
        "openui.attributes.malformed",
        "bytes-that-are-no-text-dropped",
        "Bytes that are not UTF-8 are dropped, without U+FFFD in their place.",
        Read(|right, raw, streaming| {
            with_attributes(right, raw, streaming, |attributes| {
                attributes.into_iter().map(|(name, value)| (name, value.replace('\u{fffd}', ""))).collect()
            })
        }),
    ),
    mutant(
        "openui.attributes.control-characters",
        "attributes-lose-their-crs",
        "Every CR is removed from the attributes, not only that of the line ending.",
        Read(|right, raw, streaming| right.read_attributes(raw, streaming, |text| text.replace('\r', ""))),
    ),
    mutant(
        "openui.attributes.control-characters",
        "line-separators-make-no-marker",
        "A CR, U+2028 or U+2029 in the attributes makes the line text, as in the pattern \\?.* of JavaScript.",
        Read(|right, raw, streaming| {
            right.read_masked(raw, streaming, |at| {
                let line = raw[at..].split('\n').next().unwrap_or("");
                let line = line.strip_suffix('\r').unwrap_or(line);
                at_line_start(raw, at) && line.contains(['\r', '\u{2028}', '\u{2029}'])
            })
        }),
    ),
    mutant(
        "openui.attributes.duplicate",
        "duplicates-joined",
        "If a name is given twice, its values are joined with a comma.",
        Read(|right, raw, streaming| {
            let texts = attribute_texts(right, raw, &["content"]);
            with_attributes(right, raw, streaming, |attributes| {
                let text = texts.last().cloned().unwrap_or_default();
                let values = |name: &str| {
                    let pairs = form_urlencoded::parse(text.as_bytes()).filter(|(given, _)| given == name);
                    pairs.map(|(_, value)| value.into_owned()).collect::<Vec<_>>().join(",")
                };
                attributes.into_iter().map(|(name, _)| (name.clone(), values(&name))).collect()
            })
        }),
    ),
    mutant(
        "openui.attributes.empty-name",
        "value-becomes-the-name",
        "A pair without a name is a name without a value.",
        Read(|right, raw, streaming| {
            right.read_attributes(raw, streaming, |text| {
                let pair = |pair: &str| match pair.strip_prefix('=') {
                    Some(value) if !value.is_empty() => format!("{value}="),
                    _ => pair.to_owned(),
                };
                text.split('&').map(pair).collect::<Vec<_>>().join("&")
            })
        }),
    ),
    mutant(
        "openui.attributes.decode",
        "attribute-values-trimmed",
        "Spaces around the values of attributes are removed after decoding.",
        Read(|right, raw, streaming| {
            with_attributes(right, raw, streaming, |attributes| {
                with_attribute_values(attributes, |value| value.trim_matches(' ').to_owned())
            })
        }),
    ),
    mutant(
        "openui.attributes.decode",
        "entities-in-attributes-decoded",
        "Entities in the values of attributes are decoded.",
        Read(|right, raw, streaming| {
            with_attributes(right, raw, streaming, |attributes| with_attribute_values(attributes, entities_decoded))
        }),
    ),
    mutant(
        "openui.attributes.any-name",
        "attribute-names-in-small-letters",
        "Names of attributes are returned in small letters.",
        Read(|right, raw, streaming| {
            with_attributes(right, raw, streaming, |attributes| {
                let small = attributes
                    .into_iter()
                    .map(|(name, value)| (name.to_lowercase(), value))
                    .collect::<BTreeMap<_, _>>();
                small.into_iter().collect()
            })
        }),
    ),
];

fn replaced(
    right: &ReferenceReader<'_>,
    raw: &str,
    streaming: bool,
    change: impl FnOnce(&mut ParseResult),
) -> ParseResult {
    let mut result = right.read(raw, streaming);
    // While a marker is still arriving, its attributes do not count.
    if !streaming || raw.ends_with('\n') {
        change(&mut result);
    }
    result
}

type Attributes = Vec<(String, String)>;

fn with_attributes(
    right: &ReferenceReader<'_>,
    raw: &str,
    streaming: bool,
    change: impl FnOnce(Attributes) -> Attributes,
) -> ParseResult {
    let mut result = right.read(raw, streaming);
    result.attributes = change(std::mem::take(&mut result.attributes));
    result
}

fn with_attribute_values(attributes: Attributes, change: impl Fn(&str) -> String) -> Attributes {
    attributes.into_iter().map(|(name, value)| (name, change(&value))).collect()
}

/// Returns the text of the attributes of each marker of these kinds, empty if it has none.
fn attribute_texts(right: &ReferenceReader<'_>, raw: &str, kinds: &[&str]) -> Vec<String> {
    let pieces = right.lines(raw);
    let markers = pieces.iter().filter(|piece| piece.marker().is_some_and(|kind| kinds.contains(&kind)));
    markers.map(|piece| attributes_of(piece.text).map_or(String::new(), |(_, text, _)| text.to_owned())).collect()
}

/// Decodes attributes as the rules require.
fn read_attributes(right: &ReferenceReader<'_>, text: &str) -> Attributes {
    right.read(&format!("]]>openui:content?{text}\n"), false).attributes
}
