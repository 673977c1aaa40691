//! Commands: one file each. What they print goes to standard output; messages go to standard error.

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

use crate::case::{Case, Corpus, CorpusError, Filter, Selection, Shard};
use crate::nearest::{asks, did_you_mean, nearest_glob};
use crate::run::derived::checks_on;
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

/// How every command prints.
#[derive(clap::Args)]
struct Printing {
    /// When to print colours; `auto` prints them on a terminal, unless NO_COLOR or CLICOLOR says otherwise
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

/// The command line as clap describes it, for what is generated from it.
fn command_line() -> clap::Command {
    Arguments::command()
}

const EXIT_CODES: &str = "Exit codes: 0 conformant, or in part; 1 a failure; 2 wrong usage; 3 the adapter cannot be used; \
                          4 nothing ran; 128 and the number of a signal when interrupted";

#[derive(Subcommand)]
enum Command {
    /// Run cases against an implementation: the command behind `--`, or the built-in reference
    Run(Box<run::Arguments>),
    /// Run cases against several implementations, and show who gives which answer
    Compare(Box<compare::Arguments>),
    /// Lead a scripted dialogue with an adapter, and say what is wrong with how it talks
    CheckAdapter(check_adapter::Arguments),
    /// Print an adapter to start from, with one function to fill in
    Starter(starter::Arguments),
    /// Look for requests on which an implementation disagrees with the reference, or two with each other
    Fuzz(Box<fuzz::Arguments>),
    /// Make the request of a failing case small
    Shrink(Box<shrink::Arguments>),
    /// Write a case for the corpus, from a message or from a finding
    New(new::Arguments),
    /// List cases
    List(list::Arguments),
    /// Show cases: what is asked, what is expected, and how the reference reads it
    Show(show::Arguments),
    /// Explain a message: what each of its lines or parts is, and the rule that says so
    Explain(explain::Arguments),
    /// Say what is wrong with case files
    Lint(lint::Arguments),
    /// List rules, each with its cases, its mutants and the known implementations that depart
    Rules(rules::Arguments),
    /// Print the whole corpus as one JSON document, or write OpenUI cases as a folder of fixtures
    Export(export::Arguments),
    /// Run the suite against wrong implementations, and say which cases tell each
    Prove(prove::Arguments),
    /// Serve the reference as an adapter on standard input and output
    Serve(serve::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Print the manual page, or write a page for each command to a folder
    Man(man::Arguments),
}

/// Where cases come from.
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

/// Files that the user has to put right, a line each.
fn unusable_files(errors: Vec<CorpusError>) -> Exit {
    Exit::usage_lines(errors.iter().map(ToString::to_string).collect())
}

/// Where cases come from, and which of them.
#[derive(clap::Args)]
struct CaseArguments {
    /// Which cases: a glob on the id, or rule:GLOB, topic:GLOB, level:GLOB, method:GLOB. Filters of one kind add up,
    /// filters of different kinds narrow down
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    #[command(flatten)]
    corpus: CorpusArguments,
}

/// Which part of what is selected.
#[derive(clap::Args)]
struct ShardArgument {
    /// Only the I-th of N parts of what is selected. Together the parts are all of it, and no two have anything in common
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
}

impl ShardArgument {
    /// Leaves only the cases of the part.
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

impl CaseArguments {
    /// The cases that the filters select; at least one. Each filter has to select something by itself.
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
                "no case matches `{filters}` all together, though each selects some"
            )));
        }
        Ok(cases)
    }

    /// The same where a command may stand behind `--`, which was perhaps forgotten.
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
                let meant = asks(meant.collect::<Vec<_>>().join(" "));
                Err(Exit::usage(format!("no case matches `{}`{meant}", command[0])))
            }
            None => self.select(corpus),
        }
    }
}

/// What to say of a filter that selects no case, or no derived check of one.
fn selects_nothing(filter: &Filter, corpus: &Corpus) -> Option<String> {
    let text = filter.as_text();
    let mut cases = filter.cases(corpus).peekable();
    if cases.peek().is_none() {
        return Some(format!("no case matches `{text}`{}", filter.meant(corpus).map_or_else(String::new, asks)));
    }
    let (id, check) = text.split_once('#')?;
    let made: BTreeSet<&str> = cases.flat_map(checks_on).map(|check| check.name).collect();
    // Whatever is behind the `#` of another filter than one for ids names no check.
    if made.iter().any(|name| filter.names_check(name) != Some(false)) {
        return None;
    }
    let meant = nearest_glob(check, &made).map_or_else(String::new, |meant| asks(format!("{id}#{meant}")));
    Some(format!("no derived check matches `{text}`{meant}"))
}

/// Whether a text that selects nothing is there as a file, or the name of what runs programs.
fn is_surely_program(text: &str) -> bool {
    let programs = ["python", "python3", "node", "java", "ruby", "go", "php", "deno", "bun"];
    !text.contains(':') && Path::new(text).exists() || programs.contains(&text)
}

/// Whether a text looks like a file.
fn has_extension(text: &str) -> bool {
    !text.contains(':') && Path::new(text).extension().is_some()
}

/// The question whether another case was meant by an id that none has.
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
    // An empty variable behind `--` is not to test the reference in place of an adapter.
    if std::env::args_os().next_back().is_some_and(|last| last == "--") {
        return Err(Exit::usage("expected the adapter's command behind `--`, but found nothing"));
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

/// The colours that the arguments ask for, as far as they can be read: help and errors have colours too.
fn asked_color() -> Color {
    let lenient = command_line().ignore_errors(true).disable_help_flag(true).disable_version_flag(true);
    let matches = lenient.try_get_matches().ok();
    matches.and_then(|matches| matches.get_one("color").copied()).unwrap_or_default()
}

/// Prints the help or the version where they were asked for, and otherwise what is wrong with the arguments.
fn explain_usage(error: &clap::Error, session: &mut Session) -> Result<Exit, Exit> {
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        // Nobody can be told that nobody can be told.
        let _ = write!(anstream::stderr(), "{text}");
        return Err(Exit::usage_lines(Vec::new()));
    }
    write!(session.out, "{text}")?;
    Ok(Exit::success())
}
