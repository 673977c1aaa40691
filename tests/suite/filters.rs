//! Names on the command line: an unknown name is a usage error, even among known ones, and the nearest name is
//! suggested. Parts of a corpus are disjoint and complete.

#![cfg(feature = "cli")]

use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};

use genui_conform::case::{Corpus, Selection};

fn conform(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_genui-conform"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .expect("the program can be started")
}

fn exits(code: i32, arguments: &[&str], says: &str) {
    let output = conform(arguments);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert!(text.contains(says), "{arguments:?}: expected `{says}` in\n{text}");
}

/// A filter that matches nothing, and the suggested one; empty if none is near.
const FILTERS: &[(&str, &str)] = &[
    ("openui/plain-txet", "openui/plain-text"),
    ("openui/plain-txet/", "openui/plain-text"),
    ("openui/plain-txet/*", "openui/plain-text/*"),
    ("opnui/plain-text/*", "openui/plain-text/*"),
    ("openui/plain-text/cdata-endign", "openui/plain-text/cdata-ending"),
    ("cdata-ending", "openui/plain-text/cdata-ending"),
    ("id:openui/plain-txet", "id:openui/plain-text"),
    ("openui/nothing/*", ""),
    ("nothing-of-the-kind", ""),
    ("openui.read.end", "rule:openui.read.end"),
    ("openui.raed.end", "rule:openui.read.end"),
    ("openui.raed.*", "rule:openui.read.*"),
    ("must", "level:must"),
    ("openui.parse", "method:openui.parse"),
    ("rule:openui.read.edn", "rule:openui.read.end"),
    ("rule:openui.raed.*", "rule:openui.read.*"),
    ("rule:glossen.horoscope", ""),
    ("topic:contxt", "topic:context"),
    ("topic:openui/context", "openui/context"),
    ("level:mst", "level:must"),
    ("level:perhaps", ""),
    ("method:openui.pares", "method:openui.parse"),
    ("method:parse", "method:openui.parse"),
    ("method:openui.dance", ""),
    ("openui/plain-text/cdata-ending#no-flahs", "openui/plain-text/cdata-ending#no-flash"),
    ("openui/plain-text/cdata-endign#no-flash", "openui/plain-text/cdata-ending"),
    ("openui/plain-text/cdata-ending#horoscope", ""),
    // A check of another format, which does not apply to this message.
    ("openui/plain-text/cdata-ending#same-prefix", ""),
];

#[test]
fn filter_without_a_match_is_a_usage_error() {
    for (filter, meant) in FILTERS {
        for command in ["run", "list", "show"] {
            for arguments in [vec![command, filter], vec![command, "openui/end", filter]] {
                let output = conform(&arguments);
                let text = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
                assert!(output.stdout.is_empty(), "{arguments:?} runs something nevertheless");
                assert!(text.contains(&format!("matches `{filter}`")), "{arguments:?}: {text}");
                if meant.is_empty() {
                    assert!(!text.contains("did you mean"), "{arguments:?}: {text}");
                } else {
                    assert!(text.contains(&format!("; did you mean `{meant}`?")), "{arguments:?}: {text}");
                }
            }
        }
    }
}

#[test]
fn suggested_filters_match() {
    let meant: BTreeSet<&str> = FILTERS.iter().map(|(_, meant)| *meant).filter(|meant| !meant.is_empty()).collect();
    for filter in meant {
        exits(0, &["list", filter], "");
    }
}

#[test]
fn every_wrong_filter_is_reported() {
    let output = conform(&["list", "openui/plain-txet", "topic:end", "topic:contxt"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 2), "{text}");
    assert!(text.contains("`openui/plain-text`") && text.contains("`topic:context`"), "{text}");
    exits(2, &["run", "rul:x"], "but found `rul:x`; did you mean `rule:x`?");
    exits(2, &["run", "horoscope:x"], "id: rule: topic: level: method:");
}

#[test]
fn filters_without_a_common_match_are_no_usage_error() {
    exits(
        4,
        &["list", "topic:context", "method:toonui.reply"],
        "no case matches all of `topic:context method:toonui.reply`",
    );
    exits(4, &["run", "--profile", "core", "openui/legacy/content-alone"], "profile core");
    exits(0, &["list", "openui/plain-text/cdata-ending#no-flash"], "openui/plain-text/cdata-ending");
    exits(0, &["list", "openui/plain-text/*#no-*"], "openui/plain-text/cdata-ending");
}

#[test]
fn forgotten_dash_dash_is_suggested() {
    exits(2, &["run", "python3", "adapter.py"], "no case matches `python3`; did you mean `-- python3 adapter.py`?");
    exits(2, &["run", "topic:context", "./a.py"], "did you mean `topic:context -- ./a.py`?");
    exits(2, &["run", "openui/end", "node", "a.mjs", "--", "x"], "did you mean `openui/end -- node a.mjs`?");
    exits(2, &["run", "openui/end", "openui/plain-txet", "--", "x"], "did you mean `openui/plain-text`?");
}

#[test]
fn other_names_are_suggested() {
    for (arguments, says) in [
        (&["rules", "openui.raed.*"][..], "no rule matches `openui.raed.*`; did you mean `openui.read.*`?"),
        (&["rules", "openui.read.edn"], "did you mean `openui.read.end`?"),
        (&["rules", "horoscope"], "no rule matches `horoscope`\n"),
        (
            &["shrink", "openui/end/aloen", "--", "x"],
            "expected the id of a case, but found openui/end/aloen; did you mean `openui/end/alone`?",
        ),
        (&["prove", "--without", "openui.read.edn"], "did you mean `openui.read.end`?"),
        (&["starter", "pyhton"], "a similar value exists: 'python'"),
        (&["starter", "cobol"], "[possible values: python, javascript, java, go, ruby]\n\nFor"),
        (&["explain", "--format", "opnui"], "a similar value exists: 'openui'"),
        (&["explain", "--profile", "chatt"], "a similar value exists: 'chat'"),
        (
            &["run", "--profile", "lien-start"],
            "[possible values: core, chat, line-start]\n\n  tip: a similar value exists: 'line-start'",
        ),
        (&["fuzz", "--method", "openui.biuld", "--", "x"], "a similar value exists: 'openui.build'"),
        (&["new", "openui/a/b", "--method", "openui.biuld"], "a similar value exists: 'openui.build'"),
        (&["new", "opnui/a/b"], "did you mean `openui/a/b`?"),
        (&["run", "--choice", "openui.read.stale-edn=counts"], "did you mean `openui.read.stale-end`?"),
        (
            &["run", "--choice", "openui.read.stale-end=conuts"],
            "(counts, ignored), but found `conuts`; did you mean `counts`?",
        ),
        (&["serve", "--choice", "openui.read.stale-end=conuts"], "did you mean `counts`?"),
        (&["run", "--report", "jsno=x"], "but found `jsno=x`; did you mean `json=x`?"),
        (
            &["run", "--new", "wran", "--baseline", "x"],
            "[possible values: fail, warn]\n\n  tip: a similar value exists: 'warn'",
        ),
        (&["run", "--fail-on", "shoud"], "a similar value exists: 'should'"),
    ] {
        exits(2, arguments, says);
    }
    let name = genui_conform::formats::FORMATS.mutants().next().expect("there are mutants").name;
    let slip = format!("{name}s");
    exits(2, &["serve", "--mutant", &slip], &format!("but found {slip}; did you mean `{name}`?"));
}

#[test]
fn names_in_files_are_suggested() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("can be written");
        file.display().to_string()
    };
    let entry = |names: &str, verdict: &str| {
        format!("suite = \"0.1.0\"\n[[known]]\n{names}\nverdict = \"{verdict}\"\nreason = \"x\"\n")
    };
    for (names, verdict, says) in [
        (
            "cases = \"openui/end/aloen\"",
            "fail",
            "found cases = \"openui/end/aloen\"; did you mean `openui/end/alone`?",
        ),
        ("cases = \"openui/edn/*\"", "fail", "did you mean `openui/end/*`?"),
        ("rules = \"openui.read.edn\"", "fail", "did you mean `openui.read.end`?"),
        ("checks = \"openui/end/alone#rewriet\"", "fail", "did you mean `openui/end/alone#rewrite`?"),
        ("checks = \"openui/end/alone#same-prefix\"", "fail", "expected the name of something that there is"),
        ("rules = \"openui.read.end\"", "fial", "did you mean `fail`?"),
        ("rules = \"openui.read.end\"\nresaon = \"x\"", "fail", "but found `resaon`; did you mean `reason`?"),
    ] {
        let file = write("known.toml", &entry(names, verdict));
        exits(2, &["run", "openui/end", "--no-derived", "--baseline", &file], says);
    }
    let lineup = |more: &str| format!("[[implementation]]\nname = \"a\"\ncommand = [\"x\"]\n{more}\n");
    let file = write("compare.toml", &lineup("profile = \"cor\""));
    exits(2, &["compare", &file], "expected one of core, chat, line-start, but found `cor`; did you mean `core`?");
    let file = write("compare.toml", &lineup("choices = { \"openui.read.stale-edn\" = \"counts\" }"));
    exits(2, &["compare", &file], "did you mean `openui.read.stale-end`?");
    let file = write("compare.toml", &lineup(""));
    exits(2, &["compare", &file, "openui/plain-txet"], "did you mean `openui/plain-text`?");
    let report = write("report.json", r#"{"cases":[{"id":"openui/end/aloen","fails":true}],"derived":[]}"#);
    exits(2, &["run", "--failed", &report], "did you mean `openui/end/alone`?");
}

fn ids(arguments: &[&str]) -> Vec<String> {
    let output = conform(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
}

#[test]
fn parts_are_disjoint_and_complete() {
    let all = ids(&["list"]);
    for count in [1, 2, 5] {
        let parts: Vec<Vec<String>> =
            (1..=count).map(|index| ids(&["list", "--shard", &format!("{index}/{count}")])).collect();
        let mut together = parts.concat();
        together.sort();
        assert_eq!(together, all, "{count} parts");
        assert!(parts.iter().all(|part| part.len() > all.len() / (2 * count)), "{count} parts of about a size");
    }
    // The part of a case does not depend on the selection.
    let some: BTreeSet<String> = ids(&["list", "--shard", "2/3", "openui/context"]).into_iter().collect();
    let whole: BTreeSet<String> = ids(&["list", "--shard", "2/3"]).into_iter().collect();
    assert!(!some.is_empty() && some.is_subset(&whole));
}

#[test]
fn one_part_runs() {
    let part = ids(&["list", "--shard", "1/3", "openui/plain-text", "openui/end"]);
    let says = format!("{0} cases: {0} pass", part.len());
    exits(0, &["run", "--no-derived", "--shard", "1/3", "openui/plain-text", "openui/end"], &says);
    for wrong in ["0/3", "4/3", "x", "1", "1/0", "-1/3", "1/3/3", ""] {
        for command in ["run", "list", "prove"] {
            exits(2, &[command, &format!("--shard={wrong}")], "expected I/N, such as 1/3");
        }
    }
    let alone = ids(&["list", "--shard", "1/2", "openui/end/alone", "openui/plain-text"]);
    let (is_first, other) = (alone.contains(&"openui/end/alone".to_owned()), ["2/2", "1/2"]);
    let other = other[usize::from(!is_first)];
    exits(4, &["run", "--shard", other, "openui/end/alone"], "none of the 1 selected cases is in part");
}

/// A pass in one part does not make an entry stale: a case in another part may fail.
#[test]
fn part_makes_no_baseline_entry_stale() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("known.toml");
    let entry = "suite = \"0.1.0\"\n[[known]]\ncases = \"openui/**\"\nverdict = \"fail\"\nreason = \"x\"\n";
    std::fs::write(&file, entry).expect("can be written");
    let file = file.display().to_string();
    let run = ["run", "--no-derived", "--cases", "tests/fixtures/plain", "--baseline", &file];
    exits(1, &run, "UNEXPECTED PASS");
    exits(1, &[&run[..], &["--shard", "1/1"]].concat(), "UNEXPECTED PASS");
    // One of the three cases is in another part than the others.
    let sizes = (1..=5).map(|index| {
        let part = format!("{index}/5");
        let list = conform(&["list", "--cases", "tests/fixtures/plain", "--shard", &part]);
        (part, String::from_utf8_lossy(&list.stdout).lines().count())
    });
    let part = sizes.into_iter().find(|(_, size)| (1..3).contains(size)).expect("they are in several").0;
    exits(0, &[&run[..], &["--shard", &part]].concat(), "conformant");
}

#[test]
fn a_part_of_the_corpus_is_what_its_filters_select() {
    let whole = Corpus::embedded().expect("the corpus can be used");
    let old = whole.aliases.keys().next().map_or("openui/plain-text", String::as_str);
    for (filters, is_part) in [
        (vec!["openui/plain-text"], true),
        (vec!["toonui/*", "openui/end/a*#rewrite"], true),
        (vec!["id:glossen"], true),
        (vec![old], true),
        (vec![], false),
        (vec!["openui/plain-text", "level:must"], false),
        (vec!["openui/plain-text", "openui/no-such-topic"], false),
    ] {
        let selection = Selection::parse(&filters).expect("they are filters");
        let part = Corpus::embedded_for(&selection).expect("the corpus can be used");
        let ids = |corpus: &Corpus| selection.select(corpus).iter().map(|case| case.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&part), ids(&whole), "{filters:?}");
        assert_eq!((part.is_part, part.cases.len() < whole.cases.len()), (is_part, is_part), "{filters:?}");
    }
}
