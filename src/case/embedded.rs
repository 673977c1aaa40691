//! The corpus of this repository, compiled in: `src/build.rs` packs it.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// The files of a folder of the corpus.
struct Folder {
    /// Their paths in the corpus.
    files: &'static [&'static str],
    /// Their texts, each ended by U+0000, compressed.
    packed: &'static [u8],
}

static FOLDERS: &[Folder] = include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// The paths of all files in the corpus.
pub(super) fn paths() -> impl Iterator<Item = &'static str> {
    FOLDERS.iter().flat_map(|folder| folder.files).copied()
}

/// The files of which this is true: their paths, and their texts. Folders without such a file stay packed.
pub(super) fn files(is_read: &dyn Fn(&str) -> bool) -> impl Iterator<Item = (&'static str, String)> {
    let folders = FOLDERS.iter().filter(|folder| folder.files.iter().any(|path| is_read(path)));
    folders.flat_map(Folder::unpack).filter(|(path, _)| is_read(path))
}

impl Folder {
    fn unpack(&self) -> Vec<(&'static str, String)> {
        let mut text = String::new();
        DeflateDecoder::new(self.packed).read_to_string(&mut text).expect("the build packed text");
        self.files.iter().copied().zip(text.split('\0').map(str::to_owned)).collect()
    }
}
