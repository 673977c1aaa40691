//! Replays findings of fuzzing and example inputs of each fuzz target: `fuzz/regressions/<target>/`.
//!
//! The targets are included as modules, so that inputs have the same meaning as in the fuzzer, which is not needed here.
//! This program replaces the crate that a target uses: `main.rs` provides its `Input`, and this file a `target!` that makes a
//! function.

use std::collections::BTreeSet;
use std::path::Path;

#[expect(unreachable_pub, reason = "it is the fuzz crate's own module, where this is what others use")]
#[path = "../../fuzz/src/input.rs"]
mod input;

pub(crate) use input::Input;

/// Makes a function of a target; the macro of the fuzz crate makes a program.
#[macro_export]
macro_rules! target {
    ($run:expr) => {
        pub(crate) fn run(bytes: &[u8]) {
            let run: fn(&mut $crate::Input<'_>) = $run;
            run(&mut $crate::Input::new(bytes));
        }
    };
}

/// Includes the file of each target, and tests that its property holds for all its regression inputs.
macro_rules! targets {
    ($($target:ident: $path:literal,)*) => {
        $(
            #[path = $path]
            mod $target;

            #[test]
            fn $target() {
                replay(stringify!($target), $target::run);
            }
        )*

        const TARGETS: &[&str] = &[$(stringify!($target)),*];
    };
}

targets! {
    openui_read: "../../fuzz/fuzz_targets/openui_read.rs",
    openui_chunks: "../../fuzz/fuzz_targets/openui_chunks.rs",
    openui_write: "../../fuzz/fuzz_targets/openui_write.rs",
    openui_rewrite: "../../fuzz/fuzz_targets/openui_rewrite.rs",
    openui_attributes: "../../fuzz/fuzz_targets/openui_attributes.rs",
    openui_legacy: "../../fuzz/fuzz_targets/openui_legacy.rs",
    toonui_content: "../../fuzz/fuzz_targets/toonui_content.rs",
    glossen_messages: "../../fuzz/fuzz_targets/glossen_messages.rs",
    glossen_sources: "../../fuzz/fuzz_targets/glossen_sources.rs",
    case_file: "../../fuzz/fuzz_targets/case_file.rs",
    protocol_line: "../../fuzz/fuzz_targets/protocol_line.rs",
}

fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("can be listed").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "expected a file in {}", folder.display());
    for file in files {
        let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // Captured with the panic, to identify the file.
        println!("{}", file.display());
        run(&bytes);
    }
}

#[test]
fn every_target_is_replayed() {
    let names = |folder: &str| -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let names = entries.map(|entry| entry.expect("can be listed").file_name().to_string_lossy().into_owned());
        names.map(|name| name.trim_end_matches(".rs").to_owned()).collect()
    };
    let targets: BTreeSet<String> = TARGETS.iter().map(|target| (*target).to_owned()).collect();
    for folder in ["fuzz/fuzz_targets", "fuzz/regressions", "fuzz/seeds"] {
        assert_eq!(names(folder), targets, "{folder}");
    }
}
