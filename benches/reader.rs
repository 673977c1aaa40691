//! The reader's targets: whole reading against one search for the prefix, streaming against appending, and cost
//! against length on inputs that real readers are slow on.

#[path = "support/growth.rs"]
mod growth;
mod support;

use std::hint::black_box;

use genui_conform::json::Json;
use genui_conform::openui::{
    Draft, DraftContext, Options, PREFIX, Profile, Role, StreamReader, build, model_text, parse, parse_streaming,
};
use genui_conform::toonui::{forgeries, read_content, to_content, to_display_content};
use growth::print_growth;
use memchr::memmem::Finder;
use support::{fastest, machine, met, time};

fn main() {
    println!("{}\n", machine());
    against_a_scan();
    streaming();
    growth();
    payload_growth();
}

/// A stored message of about this size: attributes, a program, a context, an end.
fn message(size: usize) -> String {
    let line = "card = Card([TextContent(\"Order 42\"), Button(\"Save\", @ToAssistant(\"Save order\"))])\n";
    let mut content = String::from("root = Stack([card])\n");
    while content.len() + line.len() + 150 < size {
        content.push_str(line);
    }
    format!(
        "]]>openui:content?library=support%401.2.0\n{content}\n]]>openui:context\n{{\"formState\":{{\"note\":\"rush\"}}}}\n]]>openui:end"
    )
}

fn against_a_scan() {
    println!("whole reading, against one search for the prefix over the same bytes");
    let options = Options::default();
    let finder = Finder::new(PREFIX);
    for (size, name) in [(1_000, "1 KB"), (100_000, "100 KB"), (10_000_000, "10 MB")] {
        let raw = message(size);
        let mut scan = || {
            black_box(finder.find_iter(black_box(raw.as_bytes())).count());
        };
        let mut read = || {
            black_box(parse(black_box(&raw), &options));
        };
        let [scan, read] = fastest([&mut scan, &mut read]);
        let (target, holds) = match size {
            1_000 => ("at most 4 times the scan", read <= 4.0 * scan),
            _ => ("at least 0.8 of its speed", scan / read >= 0.8),
        };
        println!(
            "  {name:>6}  scan {:>9}  read {:>9}  {:.2} of its speed, {:.2} times its time; target {target}: {}",
            time(scan),
            time(read),
            scan / read,
            read / scan,
            met(holds)
        );
    }
    println!();
}

fn streaming() {
    println!("streaming in chunks of 4 bytes, against appending them to a String");
    for (size, name) in [(100_000, "100 KB"), (800_000, "800 KB")] {
        let raw = message(size);
        let chunks: Vec<&str> = (0..raw.len()).step_by(4).map(|at| &raw[at..raw.len().min(at + 4)]).collect();
        let mut append = || {
            let mut text = String::new();
            for chunk in &chunks {
                text.push_str(black_box(chunk));
            }
            black_box(text);
        };
        let mut push = || {
            let mut reader = StreamReader::new(Options::default());
            for chunk in &chunks {
                reader.push(black_box(chunk));
            }
            black_box(reader.message().content.len());
        };
        let mut look = || {
            let mut reader = StreamReader::new(Options::default());
            for chunk in &chunks {
                reader.push(black_box(chunk));
                black_box(reader.message().content.len());
            }
        };
        let mut whole = || {
            black_box(parse_streaming(black_box(&raw), &Options::default()));
        };
        let [append, push, look, whole] = fastest([&mut append, &mut push, &mut look, &mut whole]);
        println!(
            "  {name:>6}  append {:>9}  read {:>9} ({:.1} times; target at most 6: {})  with a look after each chunk {:>9} ({:.1} times)",
            time(append),
            time(push),
            push / append,
            met(push <= 6.0 * append),
            time(look),
            look / append
        );
        println!(
            "          a reader that reads again after each chunk would take {}",
            time(whole * chunks.len() as f64 / 2.0)
        );
    }
    println!();
}

/// A name, and what is done with an input.
type Work<'w> = (&'static str, &'w dyn Fn(&str));

/// Inputs on which one reader or another was seen to slow down, and the work that is done on them.
fn growth() {
    println!("time for 1, 2, 4 and 8 times the input, as multiples of the first; in proportion means 1 2 4 8");
    let chat = Options::from(Profile::Chat);
    let core = Options::default();
    let read: &dyn Fn(&str) = &|raw| {
        let message = parse(raw, &chat);
        black_box((message.context_json(), message.attributes.decode()));
    };
    let held: &dyn Fn(&str) = &|raw| {
        black_box(parse_streaming(raw, &chat));
    };
    let stream: &dyn Fn(&str) = &|raw| {
        let mut reader = StreamReader::new(chat);
        let mut from = 0;
        for at in (0..=raw.len()).step_by(5).filter(|at| raw.is_char_boundary(*at)) {
            reader.push(&raw[from..at]);
            black_box(reader.message().content.len());
            from = at;
        }
    };
    let write: &dyn Fn(&str) = &|raw| {
        let attributes: Vec<(String, String)> =
            (0..raw.len() / 20).map(|at| (at.to_string(), "a b".to_owned())).collect();
        let context = Json::from(raw);
        let draft = Draft { content: "", context: DraftContext::Json(&context), attributes: &attributes, end: true };
        black_box(build(&draft, &core).is_ok());
    };
    let refuse: &dyn Fn(&str) = &|raw| {
        black_box(build(&Draft { content: raw, ..Draft::default() }, &core).is_ok());
    };
    let model: &dyn Fn(&str) = &|raw| {
        black_box(model_text(raw, Role::User, &chat));
    };
    let units = [
        ("end lines", "]]>openui:end\n"),
        ("end lines with text after", "]]>openui:end\nA\n"),
        ("content sections", "]]>openui:content?a=1\nA\n"),
        ("moves on one line", "a]]>openui:content?x"),
        ("moves back to back", "]]>openui:content?"),
        ("attributes", "&name%20one=a+b"),
        ("pieces of a marker", "]]>openui:]]>open"),
        ("one long kind", "aaaaaaaaaaaaa"),
        ("opening tags", "<content><context>"),
        ("closing tags", "</context> "),
        ("white space", "   \r\n"),
        ("brackets", "[[[[[[[["),
        ("quotes and escapes", "\"\\u00e9\\\""),
    ];
    let works: [Work<'_>; 6] =
        [("read", read), ("held", held), ("stream", stream), ("write", write), ("refuse", refuse), ("model", model)];
    for (about, unit) in units {
        for (name, work) in works {
            let prefix = match about {
                "attributes" => "]]>openui:content?a=1",
                "one long kind" => "]]>openui:",
                "brackets" | "quotes and escapes" => "]]>openui:context\n",
                "closing tags" => "<content>a</content><context>",
                _ => "",
            };
            let input = |times: usize| format!("{prefix}{}", unit.repeat(times * 2_000));
            print_growth(about, name, &[1, 2, 4, 8].map(input), &|input| work(input));
        }
    }
}

/// ToonUI's texts of payloads that grow, and the payload back from its text.
fn payload_growth() {
    println!("the same for ToonUI's payloads");
    type Work<'w> = (&'w str, &'w dyn Fn(&(Json, String)));
    let works: [Work<'_>; 4] = [
        ("write", &|(payload, _)| drop(black_box(to_content(payload)))),
        ("show", &|(payload, _)| drop(black_box(to_display_content(payload)))),
        ("read", &|(_, content)| drop(black_box(read_content(content)))),
        ("forge", &|(payload, _)| drop(black_box(forgeries(payload)))),
    ];
    let text = |unit: &str, times: usize| Json::object([("a", unit.repeat(times).into())]);
    let named = |times: usize, name: &dyn Fn(usize) -> String| {
        Json::Object((0..times).map(|at| (name(at).as_str().into(), Json::from(at as u64))).collect())
    };
    let values: [(&str, &dyn Fn(usize) -> Json); 7] = [
        ("entries", &|times| named(times, &|at| format!("name {at}"))),
        ("index names, backwards", &|times| named(times, &|at| (times - at).to_string())),
        ("one name again and again", &|times| named(times, &|_| "name".to_owned())),
        ("separators in a string", &|times| text(": \"", times)),
        ("escapes", &|times| text("\u{1}\n", times)),
        ("a list of lists", &|times| {
            Json::object([("a", Json::Array(vec![Json::Array(vec![Json::Null, 1_u64.into()]); times]))])
        }),
        ("line breaks in names", &|times| named(times, &|at| format!("{at}\n"))),
    ];
    for (about, values) in values {
        for (name, work) in works {
            let inputs = [1, 2, 4, 8].map(|times| {
                let members = [("kind", "ui_submit".into()), ("eventId", "e".into()), ("intent", "i".into())];
                let mut payload = members.map(|(name, value): (&str, Json)| (name.into(), value)).to_vec();
                payload.extend([("formTitle".into(), "t".into()), ("values".into(), values(times * 2_000))]);
                let payload = Json::Object(payload);
                let content = to_content(&payload).expect("is a payload");
                (payload, content)
            });
            print_growth(about, name, &inputs, work);
        }
    }
}
