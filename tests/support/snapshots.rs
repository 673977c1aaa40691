//! The location and the settings of snapshots.

/// The settings for snapshots in a folder below `snapshots`; an empty name is `snapshots` itself.
pub(crate) fn kept_in(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
