//! Where the contract is silent.

use crate::open_points::open_points;

open_points! {
    /// What becomes of members of metadata and data that no type names.
    extra_keys: ExtraKeys, "glossen.type.extra-keys", Stripped = "stripped", Kept = "kept";
    /// Whether the url of a page, a passage or a source has to lead to the web.
    url: Url, "glossen.type.url", AnyString = "any-string", Checked = "checked";
    /// Whether validation refuses what breaks the order of parts.
    order: Order, "glossen.validate.order", NotEnforced = "not-enforced", Enforced = "enforced";
    /// How the url of a file stands in what the model gets.
    file_data: FileData, "glossen.model.file", String = "string", Object = "object";
    /// Whether an edited message has a member `messageId`.
    stray_key: StrayKey, "glossen.edit.stray-key", Dropped = "dropped", Kept = "kept";
}
