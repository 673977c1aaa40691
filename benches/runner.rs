//! The runner's targets: requests a second through a pipe to `serve` with many in flight, and how that compares to
//! a process for each request; and the time of a whole run.

#[expect(dead_code, reason = "this bench needs a part of it")]
mod support;

use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use genui_conform::adapter::{AdapterOptions, Ask, Implementation, Pool};
use genui_conform::formats;
use support::{machine, met};

const PROGRAM: &str = env!("CARGO_BIN_EXE_genui-conform");
const PARAMS: &str =
    r#"{"raw":"]]>openui:content\nroot = Card([title])\n]]>openui:context\n{\"note\":\"rush\"}\n]]>openui:end"}"#;

fn main() {
    println!("{}\n", machine());
    let through_pipe = (0..5).map(|_| through_pipe(200_000)).fold(0.0, f64::max);
    println!(
        "one child, many requests in flight  {through_pipe:>10.0} requests a second; target 50000: {}",
        met(through_pipe >= 50_000.0)
    );
    let each = (0..3).map(|_| process_each(200)).fold(0.0, f64::max);
    println!("a process for each request          {each:>10.0} requests a second");
    let ratio = through_pipe / each;
    println!("ratio                               {ratio:>10.0} times; target 50: {}", met(ratio >= 50.0));
    whole_runs();
}

fn pool(jobs: usize) -> Pool {
    let minute = Duration::from_secs(60);
    let command = vec![PROGRAM.to_owned(), "serve".to_owned()];
    let options = AdapterOptions { jobs, timeout: minute, start_timeout: minute, ..AdapterOptions::new(command) };
    Pool::start(options, &AtomicBool::new(false)).expect("the reference serves")
}

fn through_pipe(count: usize) -> f64 {
    let mut pool = pool(1);
    let asks = vec![Ask { method: formats::openui::PARSE, params: PARAMS }; count];
    let started = Instant::now();
    let answers = pool.send_all(&asks, &AtomicBool::new(false), &|| {});
    assert_eq!(answers.len(), count);
    count as f64 / started.elapsed().as_secs_f64()
}

fn process_each(count: usize) -> f64 {
    let asks = [Ask { method: formats::openui::PARSE, params: PARAMS }];
    let started = Instant::now();
    for _ in 0..count {
        assert_eq!(pool(1).send_all(&asks, &AtomicBool::new(false), &|| {}).len(), 1);
    }
    count as f64 / started.elapsed().as_secs_f64()
}

fn whole_runs() {
    let run = |arguments: &[&str]| {
        let started = Instant::now();
        let status = Command::new(PROGRAM)
            .arg("run")
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::null())
            .status()
            .expect("the program can be started");
        assert!(status.success(), "{arguments:?}");
        started.elapsed().as_secs_f64()
    };
    let fastest = |arguments: &[&str]| (0..3).map(|_| run(arguments)).fold(f64::INFINITY, f64::min);
    let line = |about: &str, seconds: f64, target: f64| {
        println!("{about:45} {seconds:>8.3} s; target under {target} s: {}", met(seconds < target));
    };
    println!();
    line("all cases, the reference", fastest(&["--no-derived"]), 1.0);
    line("with the derived checks, the reference", fastest(&[]), 10.0);
    for (language, command) in [
        ("Python", ["python3", "adapters/python/adapter.py"]),
        ("JavaScript", ["node", "adapters/javascript/adapter.mjs"]),
        ("Java", ["java", "adapters/java/Adapter.java"]),
    ] {
        let about = format!("with the derived checks, the {language} starter");
        if Command::new(command[0]).arg("--version").output().is_ok() {
            line(&about, fastest(&["--", command[0], command[1]]), 60.0);
        } else {
            println!("{about:45} not measured: there is no {}", command[0]);
        }
    }
}
