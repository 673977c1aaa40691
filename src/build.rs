//! Builds again when a case file is added: the macro that compiles the corpus in does not see new files.

fn main() {
    println!("cargo::rerun-if-changed=corpus");
}
