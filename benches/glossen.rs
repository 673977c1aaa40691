//! Glossen's messages and answers: cost against length, and the time that a megabyte of hostile input takes.

#[path = "support/growth.rs"]
mod growth;
mod support;

use std::hint::black_box;

use genui_conform::glossen::{Anchor, Choices, Page, check, edit, sources, to_model_messages, validate};
use genui_conform::json::{self, Json};
use growth::print_growth;
use support::{fastest, machine, met, time};

fn main() {
    println!("{}\n", machine());
    messages_growth();
    answers_growth();
    hostile();
}

fn text(text: &str) -> Json {
    Json::object([("type", "text".into()), ("text", text.into())])
}

fn data(name: &str, data: Json) -> Json {
    Json::object([("type", format!("data-{name}").into()), ("data", data)])
}

fn link(at: usize) -> Json {
    Json::object([("title", "T".into()), ("url", format!("/p{at}#a{at}").into())])
}

fn message(role: &str, parts: Vec<Json>) -> Json {
    Json::object([("id", "m".into()), ("role", role.into()), ("parts", Json::Array(parts))])
}

fn pages(count: usize) -> Vec<Page> {
    let anchors = |at: usize| vec![Anchor { id: format!("a{at}"), heading: "H".to_owned() }];
    (0..count).map(|at| Page { url: format!("/p{at}"), title: "P".to_owned(), anchors: anchors(at) }).collect()
}

fn messages_growth() {
    println!("time for 1, 2, 4 and 8 times the messages");
    type Work<'w> = (&'w str, &'w dyn Fn(&(Json, Vec<Page>)));
    let plain = Choices::default();
    let works: [Work<'_>; 4] = [
        ("valid", &|(messages, _)| drop(black_box(validate(messages, &plain)))),
        ("model", &|(messages, _)| drop(black_box(to_model_messages(messages, &plain)))),
        ("edit", &|(messages, _)| drop(black_box(edit(messages, &message("user", vec![text("x")]), &plain)))),
        ("check", &|(messages, pages)| {
            let Json::Array(list) = messages else { unreachable!("is a list") };
            drop(black_box(check(&list[0], Some(pages), true)));
        }),
    ];
    let kinds: [(&str, &dyn Fn(usize) -> Json); 6] = [
        ("messages", &|times| Json::Array(vec![message("user", vec![text("Why?")]); times])),
        ("texts of an answer", &|times| Json::Array(vec![message("assistant", vec![text("Because."); times])])),
        ("sources", &|times| {
            let entries = Json::Array((0..times).map(link).collect());
            Json::Array(vec![message("assistant", vec![text("Because."), data("sources", entries)])])
        }),
        ("pages out of order", &|times| {
            Json::Array(vec![message("user", (0..times).map(|at| data("page", link(at))).collect())])
        }),
        ("one name again and again", &|times| {
            let mut members = vec![("title".into(), Json::from("T")); times];
            members.push(("url".into(), "/".into()));
            Json::Array(vec![message("user", vec![data("page", Json::Object(members)), text("Why?")])])
        }),
        ("unknown names", &|times| {
            let names = (0..times).map(|at| data(&format!("x{at}"), Json::Null));
            Json::Array(vec![message("user", names.chain([text("Why?")]).collect())])
        }),
    ];
    for (about, messages) in kinds {
        for (name, work) in works {
            let inputs = [1, 2, 4, 8].map(|times| (messages(times * 1_000), pages(times * 1_000)));
            print_growth(about, name, &inputs, work);
        }
    }
    println!();
}

fn answers_growth() {
    println!("the same for answers and page lists");
    let kinds: [(&str, &dyn Fn(usize) -> String); 6] = [
        ("links to many pages", &|times| (0..times).map(|at| format!("[x](/p{at}#a{at}) ")).collect()),
        ("links to one page", &|times| "[x](/p1#a1)".repeat(times)),
        ("links without an end", &|times| "](".repeat(times)),
        ("white space", &|times| format!("]({}", " \u{feff}".repeat(times))),
        ("percent signs", &|times| format!("](/p1#{})", "%41".repeat(times))),
        ("dots", &|times| format!("]({}p1)", "a/../".repeat(times))),
    ];
    for (about, answer) in kinds {
        let inputs = [1, 2, 4, 8].map(|times| (answer(times * 1_000), pages(times * 1_000)));
        print_growth(about, "find", &inputs, &|(answer, pages)| {
            drop(black_box(sources(answer, "https://docs.example", pages)));
        });
    }
    println!();
}

/// The time for a megabyte that is nothing but trouble, read from its text.
fn hostile() {
    println!("a megabyte of hostile JSON, read and validated; target less than a second");
    let of = |unit: &str| unit.repeat(1_000_000 / unit.len());
    let in_parts =
        |unit: &str| format!("[{{\"id\":\"q\",\"role\":\"user\",\"parts\":[{}]}}]", of(unit).trim_end_matches(','));
    let texts = [
        ("100,000 levels", format!("{}{}", "[".repeat(100_000), of("]"))),
        ("500,000 parts", in_parts("0,")),
        ("parts without a type", in_parts("{},")),
        ("parts of unknown names", in_parts("{\"type\":\"data-toString\",\"data\":{}},")),
        ("a repeated member", format!("[{{{}}}]", of("\"id\":\"q\",").trim_end_matches(','))),
        ("escapes", format!("[{{\"id\":\"{}\"}}]", of("\\ud800"))),
    ];
    for (about, text) in texts {
        let mut work = || {
            if let Ok(messages) = json::parse(black_box(&text)) {
                drop(black_box(validate(&messages, &Choices::default())));
            }
        };
        let [seconds] = fastest([&mut work]);
        println!("  {about:26} {:>9}   {}", time(seconds), met(seconds < 1.0));
    }
}
