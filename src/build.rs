//! Packs the corpus for the program: the case files of a folder become one compressed text. They have much in common,
//! so that a folder takes a tenth of its size.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use walkdir::WalkDir;

/// The files of a folder: their paths in the corpus, and their texts.
type Files = Vec<(String, String)>;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=corpus");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut table = String::from("&[");
    for (number, files) in folders(Path::new("corpus"))?.values().enumerate() {
        let packed = out.join(format!("{number}.deflate"));
        fs::write(&packed, pack(files)?)?;
        let names: Vec<&str> = files.iter().map(|(name, _)| &name[..]).collect();
        write!(table, "Folder {{ files: &{names:?}, packed: include_bytes!({packed:?}) }},")?;
    }
    fs::write(out.join("corpus.rs"), table + "]")?;
    Ok(())
}

fn folders(corpus: &Path) -> Result<BTreeMap<PathBuf, Files>, Box<dyn Error>> {
    let mut folders: BTreeMap<PathBuf, Files> = BTreeMap::new();
    for entry in WalkDir::new(corpus).sort_by_file_name() {
        let entry = entry?;
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let relative = path.strip_prefix(corpus)?;
        let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        if text.contains('\0') {
            return Err(
                format!("{}: expected text, but found U+0000, which separates packed files", path.display()).into()
            );
        }
        let folder = relative.parent().unwrap_or(relative).to_owned();
        folders.entry(folder).or_default().push((parts.join("/"), text));
    }
    Ok(folders)
}

/// The texts, each ended by U+0000, which no JSON text contains.
fn pack(files: &Files) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for (_, text) in files {
        packed.write_all(text.as_bytes())?;
        packed.write_all(b"\0")?;
    }
    Ok(packed.finish()?)
}
