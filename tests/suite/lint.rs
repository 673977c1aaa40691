//! Lint: a folder of broken case files for each warning, and one of correct files without warnings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use genui_conform::case::{Corpus, LintCode, Selection, lint};

use crate::snapshots::kept_in;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/lint")
}

/// Returns each folder with the messages and the codes of its warnings.
fn findings() -> BTreeMap<String, (Vec<String>, Vec<LintCode>)> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(fixtures()).expect("the fixtures are there") {
        let folder = entry.expect("a folder can be read").path();
        let name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let (corpus, errors) = Corpus::from_folder_with_errors(&folder);
        let found = lint(&corpus);
        let shorten = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        let mut said: Vec<String> = errors
            .iter()
            .map(|error| {
                let place = error.place.map_or_else(String::new, |place| format!("{place}: "));
                format!("{}: {place}{}", shorten(&error.file), error.message)
            })
            .collect();
        said.extend(
            found
                .iter()
                .map(|finding| format!("{}.json:{}: {}: {}", finding.id, finding.place, finding.code, finding.message)),
        );
        all.insert(name, (said, found.into_iter().map(|finding| finding.code).collect()));
    }
    all
}

#[test]
fn each_fixture_has_only_its_own_warning() {
    let findings = findings();
    for &code in LintCode::ALL {
        let (said, codes) = findings.get(code.name()).unwrap_or_else(|| panic!("no fixture for {code}"));
        assert_eq!(codes, &[code], "{said:?}");
    }
    for (name, (said, codes)) in &findings {
        if name.starts_with("unusable-") {
            assert_eq!((said.len(), codes.len()), (1, 0), "{name}: {said:?}");
        } else if name != "sound" {
            assert!(LintCode::ALL.iter().any(|code| code.name() == name), "a fixture for nothing: {name}");
        }
    }
    assert!(findings.keys().filter(|name| name.starts_with("unusable-")).count() > 30);
}

#[test]
fn correct_files_pass() {
    let (corpus, errors) = Corpus::from_folder_with_errors(&fixtures().join("sound"));
    assert_eq!((errors.as_slice(), lint(&corpus).as_slice()), (&[][..], &[][..]));
    assert_eq!(corpus.cases.len(), 5);
    let text = corpus.case("openui/text/text").expect("is there");
    assert_eq!(text.params, r#"{"content":"A","context":{"n":1e400}}"#, "text is inserted unchanged");
}

#[test]
fn lint_messages_match_snapshots() {
    let text: Vec<String> = findings()
        .into_iter()
        .map(|(name, (said, _))| {
            format!("{name}\n{}", said.iter().map(|line| format!("  {line}\n")).collect::<String>())
        })
        .collect();
    kept_in("").bind(|| insta::assert_snapshot!("lint", text.join("\n")));
}

#[test]
fn filters_select() {
    let corpus = Corpus::from_folder(&fixtures().join("sound")).expect("the files are sound");
    let select = |filters: &[&str]| -> Vec<String> {
        let selection = Selection::parse(filters).unwrap_or_else(|why| panic!("{why}"));
        selection.select(&corpus).iter().map(|case| case.id.rsplit('/').next().unwrap_or("").to_owned()).collect()
    };
    assert_eq!(select(&[]).len(), 5);
    assert_eq!(select(&["openui/text"]).len(), 5, "a folder selects what is in it");
    assert_eq!(select(&["openui/text/plain", "id:*/open"]), ["open", "plain"], "filters of one kind add up");
    assert_eq!(select(&["rule:openui.read.*", "openui/text/{open,text}"]), ["open"], "of different kinds narrow down");
    assert_eq!(select(&["method:openui.build"]), ["text"]);
    assert_eq!(select(&["topic:text", "level:should"]), ["cost"]);
    assert_eq!(select(&["topic:text", "level:may"]), Vec::<String>::new());
    for wrong in ["rool:x", "[", "level:{must"] {
        assert!(Selection::parse(&[wrong]).is_err(), "{wrong}");
    }
}

#[test]
fn an_old_id_selects_the_case() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let topic = folder.path().join("openui/text");
    std::fs::create_dir_all(&topic).expect("a folder can be made");
    std::fs::copy(fixtures().join("sound/openui/text/plain.json"), topic.join("new.json"))
        .expect("a file can be copied");
    std::fs::write(folder.path().join("aliases.json"), r#"{"openui/text/old": "openui/text/new"}"#)
        .expect("can be written");
    let corpus = Corpus::from_folder(folder.path()).expect("the files are sound");
    assert_eq!(corpus.case("openui/text/old").map(|case| case.id.as_str()), Some("openui/text/new"));
    let selection = Selection::parse(&["openui/text/old"]).expect("is a filter");
    assert_eq!(selection.select(&corpus).len(), 1);
}
