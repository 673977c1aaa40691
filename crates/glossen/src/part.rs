//! The types of parts, and what each consists of.

/// The beginning of the type of a data part.
pub(super) const DATA: &str = "data-";
/// The types of the contract.
pub(super) const TEXT: &str = "text";
pub(super) const PAGE: &str = "data-page";
pub(super) const PASSAGE: &str = "data-passage";
pub(super) const SOURCES: &str = "data-sources";
/// Types of the SDK.
pub(super) const STEP: &str = "step-start";
pub(super) const REASONING: &str = "reasoning";
pub(super) const FILE: &str = "file";

/// A part of the SDK whose members are strings.
pub(super) struct PlainPart {
    pub(super) kind: &'static str,
    pub(super) required: &'static [&'static str],
    pub(super) optional: &'static [&'static str],
    /// Whether it may have a `state`.
    pub(super) arrives: bool,
}

/// `glossen.type.text`, `glossen.type.parts`.
pub(super) const PLAIN_PARTS: &[PlainPart] = &[
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

/// The states of a part that arrives.
pub(super) const STATES: &[&str] = &["streaming", "done"];

/// Whether a type is that of a tool part: `tool-` alone has no name (`glossen.type.tool-parts`).
pub(super) fn is_tool(kind: &str) -> bool {
    kind == "dynamic-tool" || kind.strip_prefix("tool-").is_some_and(|name| !name.is_empty())
}

/// The states of a tool part.
pub(super) const TOOL_STATES: &[&str] = &[
    "input-streaming",
    "input-available",
    "approval-requested",
    "approval-responded",
    "output-available",
    "output-error",
    "output-denied",
];

/// What else a tool part may have.
pub(super) const TOOL_MEMBERS: &[&str] = &[
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
