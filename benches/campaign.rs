//! Campaigns against the mutants: how many are found, and how soon, with the corpus to mutate and from the grammar alone.
//! And how many comparisons a second a campaign makes through a pipe.

#[expect(dead_code, reason = "this bench needs a part of it")]
mod support;

use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use genui_conform::adapter::{AdapterOptions, InProcess, Pool};
use genui_conform::campaign::{BATCH, Campaign, CampaignOptions, Limit, Target, input_of};
use genui_conform::case::Corpus;
use genui_conform::format::Mutant;
use genui_conform::formats;
use genui_conform::formats::FORMATS;
use genui_conform::generate::Input;
use genui_conform::mutation::mutant_adapter;
use genui_conform::rules;
use genui_conform::settings::Settings;
use support::{machine, met};

/// Requests after which a mutant counts as not found.
const MOST: usize = 30_000;

/// Seeds of the generator; a mutant's requests are summed over all of them.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Requests sent together here: few, so that the numbers show small differences.
const TOGETHER: usize = 16;

fn main() {
    println!("{}\n", machine());
    let corpus: Vec<Input> = Corpus::embedded().expect("can be used").cases.iter().filter_map(input_of).collect();
    println!("requests until a mutant is found, mean over {} seeds", SEEDS.len());
    println!("{:45} {:>16} {:>12}", "", "with the corpus", "without");
    let ways: [(&str, &[Input]); 2] = [("with the corpus", &corpus), ("from the grammar alone", &[])];
    let mut columns: [Vec<Outcome>; 2] = Default::default();
    for mutant in FORMATS.mutants() {
        let outcomes = ways.map(|(_, seeds)| until_found(mutant, seeds));
        let [first, second] = outcomes.map(|outcome| match outcome.found {
            0 => "not found".to_owned(),
            found => format!("{}{}", outcome.runs / SEEDS.len(), if found < SEEDS.len() { "*" } else { "" }),
        });
        println!("{:45} {first:>16} {second:>12}", mutant.name);
        for (column, outcome) in columns.iter_mut().zip(outcomes) {
            column.push(outcome);
        }
    }
    println!("* not with every seed\n");
    for ((name, ..), column) in ways.iter().zip(&columns) {
        let all = column.len();
        let found = column.iter().filter(|outcome| outcome.found == SEEDS.len()).count();
        let soon = column.iter().filter(|outcome| outcome.slowest <= Duration::from_secs(5)).count();
        // The mean of the logarithms, so that a few hard ones do not decide alone.
        let mean =
            column.iter().map(|outcome| (outcome.runs as f64 / SEEDS.len() as f64).ln()).sum::<f64>() / all as f64;
        let enough = met(found * 100 >= all * 95);
        println!(
            "{name:35} {found} of {all} found with every seed, {soon} within 5 s; geometric mean {:.0} requests; target 95 of 100: {enough}",
            mean.exp()
        );
    }
    through_a_pipe(corpus);
}

/// The result of the search for a mutant with each seed.
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// The number of seeds with which it was found.
    found: usize,
    /// Requests in all; where it was not found, all that were allowed.
    runs: usize,
    slowest: Duration,
}

/// Looks for the mutant, in the first profile in which it is wrong.
fn until_found(mutant: Mutant, seeds: &[Input]) -> Outcome {
    let rule = rules::named(mutant.rule).expect("a mutant breaks a rule");
    let profile = *rule.profiles.iter().find(|profile| mutant.violates_in(**profile)).expect("is wrong somewhere");
    let options = Settings::of(profile);
    let mut outcome = Outcome::default();
    for seed in SEEDS {
        let mut implementation = InProcess::of(mutant_adapter(mutant), options.clone());
        let limit = Limit::UntilFirst(MOST);
        let mut campaign = Campaign {
            left: None,
            right: Target { implementation: &mut implementation, options: options.clone() },
            options: CampaignOptions { methods: FORMATS.methods().collect(), seed, limit, batch: TOGETHER },
        };
        let started = Instant::now();
        let results = campaign.run(Vec::new(), seeds.to_vec(), &AtomicBool::new(false), &mut |_| {});
        let (findings, runs) = (results.findings, results.tally.requests);
        outcome.found += usize::from(!findings.is_empty());
        outcome.runs += runs;
        outcome.slowest = outcome.slowest.max(started.elapsed());
    }
    outcome
}

fn through_a_pipe(seeds: Vec<Input>) {
    println!();
    for command in [["node", "adapters/javascript/adapter.mjs"], ["python3", "adapters/python/adapter.py"]] {
        if Command::new(command[0]).arg("--version").output().is_err() {
            println!("comparisons a second with {}: not measured, it is not there", command[0]);
            continue;
        }
        let options = AdapterOptions { jobs: 2, ..AdapterOptions::new(command.map(str::to_owned).to_vec()) };
        let stop = AtomicBool::new(false);
        let mut pool = Pool::start(options, &stop).expect("the adapter starts");
        let limit = Limit::Time(Duration::from_secs(10));
        let mut campaign = Campaign {
            left: None,
            right: Target { implementation: &mut pool, options: Settings::of(formats::openui::CORE) },
            options: CampaignOptions { methods: FORMATS.methods().collect(), seed: 1, limit, batch: BATCH },
        };
        let started = Instant::now();
        let runs = campaign.run(Vec::new(), seeds.clone(), &stop, &mut |_| {}).tally.requests;
        let rate = runs as f64 / started.elapsed().as_secs_f64();
        let target =
            if command[0] == "node" { format!("; target 10000: {}", met(rate >= 10_000.0)) } else { String::new() };
        println!("comparisons a second with {:8} {rate:>8.0}{target}", command[0]);
    }
}
