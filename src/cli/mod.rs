//! Commands: one file each. What they print goes to standard output; messages go to standard error.

mod adapter;
mod baseline;
mod check_adapter;
mod choices;
mod compare;
mod exit;
mod explain;
mod export;
mod findings;
mod fuzz;
mod lint;
mod list;
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

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::case::{Case, Corpus, CorpusError, Selection};
use exit::Exit;
use session::Session;

/// A conformance suite for the messages that generative-UI chat apps store and send.
#[derive(Parser)]
#[command(name = "genui-conform", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 conformant; 1 a failure; 2 wrong usage; 3 the adapter cannot be used; \
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

impl CaseArguments {
    /// The cases that the filters select; at least one.
    fn select<'c>(&self, corpus: &'c Corpus) -> Result<Vec<&'c Case>, Exit> {
        let selection = Selection::parse(&self.filters).map_err(Exit::usage)?;
        let cases = selection.select(corpus);
        if cases.is_empty() { Err(self.nothing_selected()) } else { Ok(cases) }
    }

    /// What to say when nothing is selected. A filter that looks like a program was probably meant as one.
    fn nothing_selected(&self) -> Exit {
        let looks_like_program = |filter: &String| {
            let path = std::path::Path::new(filter);
            !filter.contains(':')
                && (path.exists()
                    || path.extension().is_some()
                    || ["python", "python3", "node", "java", "ruby", "go", "php", "deno", "bun"]
                        .contains(&filter.as_str()))
        };
        let filters = self.filters.join(" ");
        let hint = match self.filters.iter().position(looks_like_program) {
            Some(0) => format!("; did you mean `-- {filters}`?"),
            Some(at) => {
                let (filters, command) = self.filters.split_at(at);
                format!("; did you mean `{} -- {}`?", filters.join(" "), command.join(" "))
            }
            None => String::new(),
        };
        Exit::nothing_ran(format!("no case matches `{filters}`{hint}"))
    }
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
    let command = match Arguments::try_parse() {
        Ok(arguments) => arguments.command,
        Err(error) => return explain_usage(&error, session),
    };
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
    }
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
