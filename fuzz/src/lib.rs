//! What all fuzz targets share: the [`target!`] macro, which makes a program of a function, and [`Input`], which makes
//! options and messages of the bytes that a fuzzer gives.
//!
//! A target is one file in `fuzz_targets/`. It passes its input to a property of `genui_testkit::properties`, which alone
//! decides what is right. `tests/suite/regressions.rs` of the suite includes the same files as modules, so everything
//! that a target uses of this crate has to be in `input.rs`.

mod input;

pub use input::Input;

/// Makes a program of a target: one for libFuzzer, or, with the feature `replay`, one that runs the files it is given.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! target {
    ($run:expr) => {
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            let run: fn(&mut $crate::Input<'_>) = $run;
            run(&mut $crate::Input::new(bytes));
        });
    };
}

/// Makes a program of a target: one for libFuzzer, or, with the feature `replay`, one that runs the files it is given.
#[cfg(not(feature = "libfuzzer"))]
#[macro_export]
macro_rules! target {
    ($run:expr) => {
        fn main() -> std::process::ExitCode {
            $crate::replay($run)
        }
    };
}

/// Runs a target on the files, and on the files of the folders, that are named on the command line. Ends with 0 if the
/// property holds for all of them, with 1 if it fails, and with 2 if there is nothing to run.
#[must_use]
pub fn replay(run: fn(&mut Input<'_>)) -> std::process::ExitCode {
    let arguments: Vec<std::path::PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    let mut files = Vec::new();
    for path in arguments {
        match std::fs::read_dir(&path) {
            Ok(entries) => files.extend(entries.filter_map(|entry| Some(entry.ok()?.path()))),
            Err(_) => files.push(path),
        }
    }
    files.sort();
    let mut failed = 0;
    for file in &files {
        let holds = match std::fs::read(file) {
            // The panic has been printed by then.
            Ok(bytes) => std::panic::catch_unwind(|| run(&mut Input::new(&bytes))).is_ok(),
            Err(error) => {
                eprintln!("{error}");
                false
            }
        };
        if !holds {
            println!("FAILS {}", file.display());
            failed += 1;
        }
    }
    println!("{} files, {failed} fail", files.len());
    match (files.len(), failed) {
        (0, _) => std::process::ExitCode::from(2),
        (_, 0) => std::process::ExitCode::SUCCESS,
        _ => std::process::ExitCode::from(1),
    }
}
