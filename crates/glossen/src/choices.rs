//! The open points of the Glossen contract: the documents are silent there, and an implementation makes a choice.
//!
//! The first choice of each is the default. Each type names the rule of its point.

/// A choice for each open point. [`Default`] makes the first choice of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// What happens to members of metadata and data that their type does not name.
    pub extra_keys: ExtraKeys,
    /// Whether the url of a page, a passage or a source must be a web address.
    pub url: UrlCheck,
    /// Whether validation refuses messages that violate the order of parts.
    pub order: OrderCheck,
    /// How the url of a file appears in the messages for the model.
    pub file_data: FileData,
    /// Whether an edited message keeps a member `messageId`.
    pub stray_key: StrayKey,
}

/// What happens to members of metadata and data that their type does not name.
///
/// This is the open point `glossen.type.extra-keys`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtraKeys {
    /// They are removed.
    #[default]
    Stripped,
    /// They are kept.
    Kept,
}

/// Whether the url of a page, a passage or a source must be a web address.
///
/// This is the open point `glossen.type.url`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UrlCheck {
    /// Any string is accepted.
    #[default]
    AnyString,
    /// Only a web address is accepted.
    Checked,
}

/// Whether validation refuses messages that violate the order of parts.
///
/// This is the open point `glossen.validate.order`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderCheck {
    /// It accepts them.
    #[default]
    NotEnforced,
    /// It refuses them.
    Enforced,
}

/// How the url of a file appears in the messages for the model.
///
/// This is the open point `glossen.model.file`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileData {
    /// As a string.
    #[default]
    String,
    /// As an object with a type.
    Object,
}

/// Whether an edited message keeps a member `messageId`.
///
/// This is the open point `glossen.edit.stray-key`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StrayKey {
    /// The member is dropped.
    #[default]
    Dropped,
    /// The member is kept.
    Kept,
}
