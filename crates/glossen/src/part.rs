//! The types of parts, and the members of each.

/// The beginning of the type of a data part.
pub(crate) const DATA: &str = "data-";
/// Types of the contract.
pub(crate) const TEXT: &str = "text";
pub(crate) const PAGE: &str = "data-page";
pub(crate) const PASSAGE: &str = "data-passage";
pub(crate) const SOURCES: &str = "data-sources";
/// Types of the SDK.
pub(crate) const STEP: &str = "step-start";
pub(crate) const REASONING: &str = "reasoning";
pub(crate) const FILE: &str = "file";

/// A part of the SDK whose members are strings.
pub(crate) struct PlainPart {
    pub(crate) kind: &'static str,
    pub(crate) required: &'static [&'static str],
    pub(crate) optional: &'static [&'static str],
    /// Whether it may have a `state`.
    pub(crate) arrives: bool,
}

/// `glossen.type.text`, `glossen.type.parts`.
pub(crate) const PLAIN_PARTS: &[PlainPart] = &[
    PlainPart { kind: TEXT, required: &["text"], optional: &[], arrives: true },
    PlainPart { kind: REASONING, required: &["text"], optional: &[], arrives: true },
    PlainPart { kind: STEP, required: &[], optional: &[], arrives: false },
    PlainPart { kind: FILE, required: &["mediaType", "url"], optional: &["filename"], arrives: false },
    PlainPart { kind: "source-url", required: &["sourceId", "url"], optional: &["title"], arrives: false },
    PlainPart {
        kind: "source-document",
        required: &["sourceId", "mediaType", "title"],
        optional: &["filename"],
        arrives: false,
    },
];

/// The states of a part that may still be arriving.
pub(crate) const STATES: &[&str] = &["streaming", "done"];

/// Returns whether a type is that of a tool part. `tool-` alone has no name (`glossen.type.tool-parts`).
pub(crate) fn is_tool(kind: &str) -> bool {
    kind == "dynamic-tool" || kind.strip_prefix("tool-").is_some_and(|name| !name.is_empty())
}

/// The states of a tool part.
pub(crate) const TOOL_STATES: &[&str] = &[
    "input-streaming",
    "input-available",
    "approval-requested",
    "approval-responded",
    "output-available",
    "output-error",
    "output-denied",
];

/// Further members of a tool part.
pub(crate) const TOOL_MEMBERS: &[&str] = &[
    "title",
    "input",
    "output",
    "errorText",
    "rawInput",
    "preliminary",
    "providerExecuted",
    "approval",
    "callProviderMetadata",
    "resultProviderMetadata",
];
