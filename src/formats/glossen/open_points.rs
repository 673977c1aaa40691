//! The names of the open points of Glossen and of their choices.

use genui_glossen::choices::*;

crate::open_points::open_points! { Choices:
    extra_keys: ExtraKeys = "glossen.type.extra-keys" { Stripped = "stripped", Kept = "kept" };
    url: UrlCheck = "glossen.type.url" { AnyString = "any-string", Checked = "checked" };
    order: OrderCheck = "glossen.validate.order" { NotEnforced = "not-enforced", Enforced = "enforced" };
    file_data: FileData = "glossen.model.file" { String = "string", Object = "object" };
    stray_key: StrayKey = "glossen.edit.stray-key" { Dropped = "dropped", Kept = "kept" };
}
