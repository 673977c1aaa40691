//! Commands: one file each. Results go to standard output, messages to standard error.

mod adapter;
mod baseline;
mod check_adapter;
mod choices;
mod compare;
mod completions;
mod exit;
mod explain;
mod export;
mod findings;
mod fuzz;
mod lint;
mod list;
mod man;
mod names;
mod new;
mod prove;
mod report_file;
mod rules;
mod run;
mod serve;
mod session;
mod show;
mod shrink;
mod starter;
mod text_file;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::campaign::{SAMPLE_SIZE, SampledId, Sampler, sampled_ids};
use crate::case::{Case, Corpus, CorpusError, Filter, Selection, Shard};
use crate::nearest::{did_you_mean, nearest_glob, suggestion};
use crate::run::derived::checks_on;
use crate::settings::ProfileName;
use exit::Exit;
use session::Session;

/// A conformance suite for the messages that generative-UI chat apps store and send.
#[derive(Parser)]
#[command(name = "genui-conform", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(flatten)]
    printing: Printing,
    #[command(subcommand)]
    command: Command,
}

/// The flags for the output of every command.
#[derive(clap::Args)]
struct Printing {
    /// Print colours; `auto` prints them on a terminal, unless NO_COLOR or CLICOLOR says otherwise
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t, display_order = 900)]
    color: Color,
    /// Print no report and show no progress; the exit code, report files and errors stay the same
    #[arg(short, long, global = true, display_order = 901)]
    quiet: bool,
}

/// When to print colours.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> anstream::ColorChoice {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

/// Returns the command line as clap describes it, from which completions and the manual are generated.
fn command_line() -> clap::Command {
    Arguments::command()
}

const EXIT_CODES: &str = "Exit codes: 0 conformant, fully or in part; 1 failure; 2 usage error; 3 the adapter cannot be used; \
                          4 nothing ran; 128 plus the signal number when interrupted";

#[derive(Subcommand)]
enum Command {
    /// Run cases against an implementation: the command after `--`, or the built-in reference
    Run(Box<run::Arguments>),
    /// Compare several implementations on the same cases
    Compare(Box<compare::Arguments>),
    /// Check that an adapter follows the protocol
    CheckAdapter(check_adapter::Arguments),
    /// Print a starter adapter with one function to fill in
    Starter(starter::Arguments),
    /// Fuzz an implementation against the reference, or two against each other
    Fuzz(Box<fuzz::Arguments>),
    /// Shrink the request of a failing case
    Shrink(Box<shrink::Arguments>),
    /// Write a case for the corpus, from a message or from a finding
    New(new::Arguments),
    /// List cases
    List(list::Arguments),
    /// Show cases: the request, the expected result, and how the reference reads it
    Show(show::Arguments),
    /// Explain each line or part of a message, and name the rules that apply
    Explain(explain::Arguments),
    /// Check case files for mistakes
    Lint(lint::Arguments),
    /// List rules with their cases, their mutants and the known implementations that violate them
    Rules(rules::Arguments),
    /// Export the corpus as one JSON document, or cases as a folder of message fixtures
    Export(export::Arguments),
    /// Run the suite against mutants and list the cases that kill each one
    Prove(prove::Arguments),
    /// Serve the reference as an adapter on standard input and output
    Serve(serve::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Print the manual page, or write one page for each command to a folder
    Man(man::Arguments),
}

/// The source of the cases.
#[derive(clap::Args, Default)]
struct CorpusArguments {
    /// Read the cases from this folder instead of the built-in corpus
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
}

impl CorpusArguments {
    fn corpus(&self) -> Result<Corpus, Exit> {
        let corpus = match &self.cases {
            Some(folder) => Corpus::from_folder(folder),
            None => Corpus::embedded(),
        };
        corpus.map_err(unusable_files)
    }
}

/// A usage error with one line for each file that the user has to fix.
fn unusable_files(errors: Vec<CorpusError>) -> Exit {
    Exit::usage_lines(errors.iter().map(ToString::to_string).collect())
}

/// The source of the cases, and the filters on them.
#[derive(clap::Args)]
struct CaseArguments {
    /// Select cases by a glob on the id, or by rule:GLOB, topic:GLOB, level:GLOB, method:GLOB
    ///
    /// Filters of the same kind add cases; filters of different kinds narrow the selection.
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    #[command(flatten)]
    corpus: CorpusArguments,
}

/// The part of the selected cases that runs.
#[derive(clap::Args)]
struct ShardArgument {
    /// Run only part I of N of the selected cases
    ///
    /// Each selected case is in exactly one part.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
}

impl ShardArgument {
    /// Removes the cases of the other parts.
    fn cut(&self, cases: &mut Vec<&Case>) -> Result<(), Exit> {
        let Some(shard) = self.shard else { return Ok(()) };
        let selected = cases.len();
        cases.retain(|case| shard.has(&case.id));
        if cases.is_empty() {
            return Err(Exit::nothing_ran(format!("none of the {selected} selected cases is in part {shard}")));
        }
        Ok(())
    }
}

/// Adds the sampled requests that these filters name.
fn add_sampled(corpus: &mut Corpus, filters: &[String], profile: ProfileName) {
    let ids: BTreeSet<SampledId> = filters.iter().flat_map(|filter| sampled_ids(filter, SAMPLE_SIZE)).collect();
    if !ids.is_empty() {
        let sampler = Sampler::new(profile);
        corpus.cases.extend(ids.into_iter().filter_map(|id| sampler.case(id)));
        corpus.cases.sort_by(|a, b| a.id.cmp(&b.id));
    }
}

impl CaseArguments {
    /// Loads the corpus; of the built-in one, only what the filters can select.
    fn corpus_of_filters(&self) -> Result<Corpus, Exit> {
        match (&self.corpus.cases, Selection::parse(&self.filters)) {
            (None, Ok(selection)) => Corpus::embedded_for(&selection).map_err(unusable_files),
            _ => self.corpus.corpus(),
        }
    }

    /// Returns the cases that match all kinds of filters, at least one. Each filter must match a case by itself.
    fn select<'c>(&self, corpus: &'c Corpus) -> Result<Vec<&'c Case>, Exit> {
        let selection = Selection::parse(&self.filters).map_err(Exit::usage)?;
        let complaints: Vec<String> =
            selection.filters().iter().filter_map(|filter| selects_nothing(filter, corpus)).collect();
        if !complaints.is_empty() {
            return Err(Exit::usage_lines(complaints));
        }
        let cases = selection.select(corpus);
        if cases.is_empty() {
            let filters = self.filters.join(" ");
            return Err(Exit::nothing_ran(format!(
                "no case matches all of `{filters}`, though each of them matches some"
            )));
        }
        Ok(cases)
    }

    /// Does the same where a command may follow `--`, and suggests a `--` that the user forgot.
    fn select_in_front_of_command<'c>(&self, corpus: &'c Corpus) -> Result<Vec<&'c Case>, Exit> {
        let is_program = |text: &String| match Filter::parse(text) {
            Ok(filter) if filter.cases(corpus).next().is_some() => false,
            Ok(filter) => is_surely_program(text) || has_extension(text) && filter.meant(corpus).is_none(),
            Err(_) => false,
        };
        match self.filters.iter().position(is_program) {
            Some(at) => {
                let (filters, command) = self.filters.split_at(at);
                let meant = filters.iter().map(String::as_str).chain(["--"]).chain(command.iter().map(String::as_str));
                let meant = suggestion(meant.collect::<Vec<_>>().join(" "));
                Err(Exit::usage(format!("no case matches `{}`{meant}", command[0])))
            }
            None => self.select(corpus),
        }
    }
}

/// Returns the error for a filter that matches no case, or no derived check of one.
fn selects_nothing(filter: &Filter, corpus: &Corpus) -> Option<String> {
    let text = filter.as_text();
    let mut cases = filter.cases(corpus).peekable();
    if cases.peek().is_none() {
        return Some(format!("no case matches `{text}`{}", filter.meant(corpus).map_or_else(String::new, suggestion)));
    }
    let (id, check) = text.split_once('#')?;
    let made: BTreeSet<&str> = cases.flat_map(checks_on).map(|check| check.name).collect();
    // Only a filter on ids names a check after its `#`.
    if made.iter().any(|name| filter.names_check(name) != Some(false)) {
        return None;
    }
    let meant = nearest_glob(check, &made).map_or_else(String::new, |meant| suggestion(format!("{id}#{meant}")));
    Some(format!("no derived check matches `{text}`{meant}"))
}

/// Returns whether a text that matches nothing is an existing file or the name of an interpreter.
fn is_surely_program(text: &str) -> bool {
    let programs = ["python", "python3", "node", "java", "ruby", "go", "php", "deno", "bun"];
    !text.contains(':') && Path::new(text).exists() || programs.contains(&text)
}

/// Returns whether a text has a file extension.
fn has_extension(text: &str) -> bool {
    !text.contains(':') && Path::new(text).extension().is_some()
}

/// Suggests the nearest case for an id that no case has.
fn near_case(id: &str, corpus: &Corpus) -> String {
    let known = corpus.cases.iter().map(|case| &case.id[..]).chain(corpus.aliases.keys().map(String::as_str));
    did_you_mean(id, known)
}

/// Runs the command that the arguments name.
#[must_use]
pub fn run() -> ExitCode {
    let mut session = Session::begin();
    let done = run_in(&mut session);
    session.end(done)
}

fn run_in(session: &mut Session) -> Result<Exit, Exit> {
    // If a shell variable after `--` is empty, the reference must not run in place of the adapter.
    if std::env::args_os().next_back().is_some_and(|last| last == "--") {
        return Err(Exit::usage("expected the adapter's command after `--`, but found nothing"));
    }
    let Arguments { printing, command } = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            session.print_with(asked_color(), false);
            return explain_usage(&error, session);
        }
    };
    session.print_with(printing.color, printing.quiet);
    match command {
        Command::Run(arguments) => run::run(&arguments, session),
        Command::Compare(arguments) => compare::run(&arguments, session),
        Command::CheckAdapter(arguments) => check_adapter::run(&arguments, session),
        Command::Starter(arguments) => starter::run(&arguments, session),
        Command::Fuzz(arguments) => fuzz::run(&arguments, session),
        Command::Shrink(arguments) => shrink::run(&arguments, session),
        Command::New(arguments) => new::run(&arguments, session),
        Command::List(arguments) => list::run(&arguments, session),
        Command::Show(arguments) => show::run(&arguments, session),
        Command::Explain(arguments) => explain::run(&arguments, session),
        Command::Lint(arguments) => lint::run(&arguments, session),
        Command::Rules(arguments) => rules::run(&arguments, session),
        Command::Export(arguments) => export::run(&arguments, session),
        Command::Prove(arguments) => prove::run(&arguments, session),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, session),
        Command::Man(arguments) => man::run(&arguments, session),
    }
}

/// Returns the colours that the arguments request, as far as they can be parsed: help and errors have colours too.
fn asked_color() -> Color {
    let lenient = command_line().ignore_errors(true).disable_help_flag(true).disable_version_flag(true);
    let matches = lenient.try_get_matches().ok();
    matches.and_then(|matches| matches.get_one("color").copied()).unwrap_or_default()
}

/// Prints the help or the version if the user requested it, and a usage error otherwise.
fn explain_usage(error: &clap::Error, session: &mut Session) -> Result<Exit, Exit> {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        // Standard error is gone; there is nowhere left to report this.
        let _ = write!(anstream::stderr(), "{text}");
        return Err(Exit::usage_lines(Vec::new()));
    }
    write!(session.out, "{text}")?;
    Ok(Exit::success())
}
