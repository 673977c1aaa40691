//! Measuring two things against each other in one run. Machines are shared and noisy, so what is compared is
//! measured in turns, and of each the fastest turn counts: noise only ever makes things slower.

use std::time::{Duration, Instant};

/// Turns for each side.
const TURNS: usize = 15;

/// A turn repeats its work until it has taken about this long, so that the clock's grain does not show.
const TURN: Duration = Duration::from_millis(20);

/// The time that one call takes, of each of these, in seconds.
pub(crate) fn fastest<const N: usize>(mut works: [&mut dyn FnMut(); N]) -> [f64; N] {
    let repeats: Vec<u32> = works.iter_mut().map(|work| repeats(work)).collect();
    let mut best = [f64::INFINITY; N];
    for _ in 0..TURNS {
        for (at, work) in works.iter_mut().enumerate() {
            let started = Instant::now();
            for _ in 0..repeats[at] {
                work();
            }
            best[at] = best[at].min(started.elapsed().as_secs_f64() / f64::from(repeats[at]));
        }
    }
    best
}

fn repeats(work: &mut dyn FnMut()) -> u32 {
    work();
    let started = Instant::now();
    work();
    let once = started.elapsed().max(Duration::from_nanos(20));
    u32::try_from((TURN.as_nanos() / once.as_nanos()).clamp(1, 1_000_000)).unwrap_or(1)
}

/// A time for people.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// Whether a target is met, as a word.
pub(crate) fn met(holds: bool) -> &'static str {
    if holds { "met" } else { "MISSED" }
}

/// The processor, if the system reports it.
pub(crate) fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores, {}", name.unwrap_or("unknown processor"), std::env::consts::OS)
}
