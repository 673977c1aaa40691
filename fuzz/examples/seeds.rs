//! Writes `seeds/` again, from the corpus: `cargo run --manifest-path fuzz/Cargo.toml --example seeds`.
//!
//! For each target these are the cases that show a rule, or a choice, which no case before them has shown it: enough to
//! start from, and few enough to keep. `src/input.rs` and the targets say how an input is laid out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use genui_conform::case::{Case, CaseOption, Corpus, Outcome};
use genui_conform::formats::openui::FORMAT;
use genui_conform::json::{self, Json};

/// The seeds of each target.
#[derive(Default)]
struct Seeds(BTreeMap<&'static str, Kept>);

/// The seeds of a target by their names, and the rules and choices that they show.
#[derive(Default)]
struct Kept {
    seeds: BTreeMap<String, Vec<u8>>,
    shown: BTreeSet<String>,
}

impl Seeds {
    fn add(&mut self, target: &'static str, case: &Case, option: Option<&CaseOption>, bytes: Vec<u8>) {
        let Kept { seeds, shown } = self.0.entry(target).or_default();
        let mut shows: Vec<String> = case.rules.iter().map(|rule| format!("{} {rule}", case.method)).collect();
        let choices = option.into_iter().flat_map(|option| &option.choices);
        shows.extend(choices.map(|(rule, name)| format!("{} {rule} = {name}", case.method)));
        if shows.iter().any(|rule| !shown.contains(rule)) {
            shown.extend(shows);
            let name = case.id.split_once('/').map_or(&case.id[..], |(_, name)| name).replace('/', "-");
            let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}-{number}")));
            let free = names.into_iter().find(|name| !seeds.contains_key(name)).expect("there is always a number");
            seeds.insert(free, bytes);
        }
    }
}

fn main() -> std::io::Result<()> {
    let corpus = Corpus::embedded().expect("a test reads every case");
    let mut seeds = Seeds::default();
    for case in &corpus.cases {
        seeds.add("case_file", case, None, case.source.clone().into_bytes());
        for option in case.options() {
            if let Outcome::Result(result) = &option.outcome {
                let line = format!("={{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}}", result.to_ascii());
                seeds.add("protocol_line", case, Some(option), line.into_bytes());
            }
            let params = json::parse(&case.params).expect("a case's params are JSON");
            match case.method.format().name() {
                "openui" => openui(&mut seeds, case, option, &params),
                "toonui" => toonui(&mut seeds, case, option, &params),
                "glossen" => glossen(&mut seeds, case, option, &params),
                other => panic!("expected targets for {other}"),
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    for (target, Kept { seeds: files, .. }) in &seeds.0 {
        let folder = root.join(target);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        for (name, bytes) in files {
            std::fs::write(folder.join(name), bytes)?;
        }
        println!("{target}: {} files, {} bytes", files.len(), files.values().map(Vec::len).sum::<usize>());
    }
    Ok(())
}

fn openui(seeds: &mut Seeds, case: &Case, option: &CaseOption, params: &Json) {
    let text = |name: &str| params.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let header = options(case, option);
    let mut input = |target, parts: &[&[u8]]| {
        seeds.add(target, case, Some(option), [&header[..]].iter().chain(parts).copied().flatten().copied().collect());
    };
    match case.method.name() {
        "openui.parse" | "openui.model_text" => {
            let raw = text("raw");
            for target in ["openui_read", "openui_rewrite"] {
                input(target, &[b"=", raw.as_bytes()]);
            }
            input("openui_chunks", &[b"3179=", raw.as_bytes()]);
            if case.topic() == "legacy" {
                input("openui_legacy", &[b"=", raw.as_bytes()]);
            }
            if let Some((_, after)) = raw.split_once("]]>openui:content?") {
                let attributes = after.split('\n').next().unwrap_or(after);
                input("openui_attributes", &[b"=", attributes.as_bytes()]);
            }
        }
        "openui.stream" => {
            let Some(Json::Array(chunks)) = params.get("chunks") else { return };
            let chunks: Vec<&str> = chunks.iter().filter_map(Json::as_str).collect();
            let length =
                |index: usize| b'0' + u8::try_from(chunks.get(index).map_or(0, |chunk| chunk.len()) % 16).unwrap_or(0);
            input("openui_chunks", &[&[0, 1, 2, 3].map(length), b"=", chunks.concat().as_bytes()]);
        }
        "openui.build" => {
            let (meant, context) = match params.get("context") {
                None | Some(Json::Null) => (b'0', String::new()),
                Some(Json::String(text)) => (b'1', text.as_str().unwrap_or_default().to_owned()),
                Some(value) => (b'2', value.to_compact()),
            };
            let mut texts = vec![text("content"), context];
            if let Some(Json::Array(pairs)) = params.get("attributes") {
                for pair in pairs {
                    let Json::Array(pair) = pair else { continue };
                    texts.extend(pair.iter().filter_map(Json::as_str).map(str::to_owned));
                }
            }
            let texts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
            let end = if params.get("end") == Some(&Json::Bool(true)) { b'1' } else { b'0' };
            input("openui_write", &[b"=", &[end, meant], &texts.join(&0xff)]);
        }
        _ => {}
    }
}

fn toonui(seeds: &mut Seeds, case: &Case, option: &CaseOption, params: &Json) {
    if let Some(payload) = params.get("payload") {
        seeds.add("toonui_content", case, Some(option), format!("={}", payload.to_compact()).into_bytes());
    }
    if let ("toonui.to_content", Outcome::Result(result)) = (case.method.name(), &option.outcome) {
        let text = result.get("text").and_then(Json::as_str).unwrap_or_default();
        seeds.add("toonui_content", case, Some(option), format!("={text}").into_bytes());
    }
}

fn glossen(seeds: &mut Seeds, case: &Case, option: &CaseOption, params: &Json) {
    if let Some(messages) = params.get("messages") {
        seeds.add("glossen_messages", case, Some(option), format!("={}", messages.to_compact()).into_bytes());
    }
    if let Some(message) = params.get("message") {
        seeds.add("glossen_messages", case, Some(option), format!("=[{}]", message.to_compact()).into_bytes());
    }
    if let Some(answer) = params.get("answer").and_then(Json::as_str) {
        seeds.add("glossen_sources", case, Some(option), format!("={answer}").into_bytes());
    }
}

/// The options with which this answer of the case is right, as an input has them.
fn options(case: &Case, option: &CaseOption) -> [u8; 3] {
    let profile = FORMAT.profiles().iter().position(|profile| case.profiles.contains(profile)).unwrap_or(0);
    let bits = FORMAT.open_points().iter().enumerate().fold(0_u16, |bits, (index, point)| {
        let other = option.choices.get(point.rule).is_some_and(|name| name == point.names[1]);
        bits | u16::from(other) << index
    });
    let [low, high] = bits.to_le_bytes();
    [b'0' + u8::try_from(profile).unwrap_or(0), b'0' ^ low, b'0' ^ high]
}
