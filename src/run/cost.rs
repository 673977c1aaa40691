//! Cost: whether the time of an answer grows in proportion to its request. These are the only verdicts that come from a
//! clock. They need a flag, are judged as should, and are confirmed before they are reported.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::growth::{Growth, Size};
use super::record::{CaseResult, Failure};
use super::verdict::Verdict;
use crate::adapter::{Answer, Ask, FaultKind, Implementation};
use crate::case::{Case, Scale};
use crate::format::Method;
use crate::json::{self, Json, Pointer};

/// An exponent above this one is a failure: half-way between proportional and quadratic, beyond what caches, a
/// logarithm or a garbage collector add.
const MAX_EXPONENT: f64 = 1.5;

/// The number of times in a row that the growth has to be super-linear.
const CONFIRMATIONS: usize = 3;

/// The fastest of several answers counts. Requests are repeated until this much time has gone into one size, ...
const TIME_FOR_A_SIZE: Duration = Duration::from_millis(60);
/// ... and at most this often.
const REPETITIONS: usize = 7;

/// A measurement is used if its time is clear of the cost that every request has: this many times that cost, ...
const ABOVE_OVERHEAD: f64 = 4.0;
/// ... and at least this.
const CLEAR: Duration = Duration::from_millis(1);

/// The number of usable sizes from which an exponent is more than chance.
const SIZES_TO_FIT: usize = 3;

/// Once an answer takes this long and there are enough sizes, larger ones would show nothing new.
const LONG_ENOUGH: Duration = Duration::from_millis(500);

/// Measures a case about cost. The answers themselves are not judged, since other cases do that.
pub(super) fn measure<'c>(
    case: &'c Case,
    scale: &Scale,
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> CaseResult<'c> {
    let (verdict, failure, answer) = match measure_growth(case.method, &requests(case, scale), implementation, stop) {
        Ok((answer, None)) => (Verdict::Pass, None, answer),
        Ok((answer, Some(growth))) => (Verdict::of_wrong_answer(case.level), Some(Failure::Growth(growth)), answer),
        Err(answer) => match &answer {
            Answer::Fault(fault) => (Verdict::NoAnswer(fault.kind), Some(Failure::NoAnswer), answer),
            Answer::NoSuchMethod => (Verdict::Fail, Some(Failure::ListedButMissing), answer),
            Answer::Unsupported(_) => (Verdict::Unsupported, Some(Failure::Refused), answer),
            _ => (Verdict::Unsupported, None, answer),
        },
    };
    CaseResult { case, verdict, failure, answer, duration: None }
}

/// Measures how the time of answers grows over these requests, of which the first has only the cost that every request
/// has. Returns `None` if it grows in proportion, or is too short to measure. A super-linear growth has been confirmed,
/// and is the smallest of the measurements. With it comes the answer to the first request.
///
/// # Errors
///
/// An answer that shows nothing about cost.
pub fn measure_growth(
    method: Method,
    requests: &[String],
    implementation: &mut dyn Implementation,
    stop: &AtomicBool,
) -> Result<(Answer, Option<Growth>), Answer> {
    let mut ask = |params: &str| {
        let started = Instant::now();
        let answers = implementation.send_all(&[Ask { method, params }], stop, &|| {});
        let time = started.elapsed();
        (answers.into_iter().next().expect("there is an answer for each request"), time)
    };
    let mut steep: Vec<Growth> = Vec::new();
    loop {
        let (answer, growth) = growth(requests, &mut ask)?;
        match growth.filter(|growth| growth.exponent > MAX_EXPONENT) {
            None => return Ok((answer, None)),
            Some(growth) => steep.push(growth),
        }
        if steep.len() == CONFIRMATIONS || stop.load(Ordering::Relaxed) {
            let gentlest = steep.into_iter().min_by(|a, b| a.exponent.total_cmp(&b.exponent));
            return Ok((answer, gentlest));
        }
    }
}

/// Returns the params without any unit, and then with as many as the scale says.
fn requests(case: &Case, scale: &Scale) -> Vec<String> {
    let params = json::parse(&case.params).expect("the loader has read the params");
    let pointer: Pointer = scale.at.parse().expect("the loader has read the pointer");
    let with = |times: u32| {
        let mut params = params.clone();
        let place = pointer.find_mut(&mut params).expect("the loader has found the place");
        let start = place.as_str().expect("the loader has found a string").to_owned();
        *place = Json::from(start + &scale.unit.repeat(times as usize));
        params.to_ascii()
    };
    std::iter::once(0).chain(scale.times.iter().copied()).map(with).collect()
}

/// Sends each request several times, and fits how the time grows; no growth if all answers were quick. The answer is
/// that to the first request.
///
/// # Errors
///
/// An answer that shows nothing about cost. A deadline that passes after enough sizes does not count as one: those
/// sizes are fitted, if they show what is wrong.
fn growth(
    requests: &[String],
    ask: &mut dyn FnMut(&str) -> (Answer, Duration),
) -> Result<(Answer, Option<Growth>), Answer> {
    let (first, rest) = requests.split_first().expect("there is a request without a unit");
    let (answer, overhead) = fastest(first, ask)?;
    let mut sizes: Vec<Size> = Vec::new();
    for params in rest {
        let (_, time) = match fastest(params, ask) {
            Ok(measured) => measured,
            Err(answer) => {
                let timed_out = matches!(&answer, Answer::Fault(fault) if fault.kind == FaultKind::Timeout);
                return match fit(&sizes, overhead).filter(|growth| timed_out && growth.exponent > MAX_EXPONENT) {
                    Some(growth) => Ok((answer, Some(growth))),
                    None => Err(answer),
                };
            }
        };
        sizes.push(Size { bytes: params.len(), time });
        if time >= LONG_ENOUGH && sizes.iter().filter(|size| is_clear(size, overhead)).count() >= SIZES_TO_FIT {
            break;
        }
    }
    Ok((answer, fit(&sizes, overhead)))
}

fn fastest(params: &str, ask: &mut dyn FnMut(&str) -> (Answer, Duration)) -> Result<(Answer, Duration), Answer> {
    let mut spent = Duration::ZERO;
    let mut best: Option<(Answer, Duration)> = None;
    for _ in 0..REPETITIONS {
        let (answer, time) = ask(params);
        if !matches!(answer, Answer::Result(_) | Answer::Refusal { .. }) {
            return Err(answer);
        }
        spent += time;
        if best.as_ref().is_none_or(|(_, fastest)| time < *fastest) {
            best = Some((answer, time));
        }
        if spent >= TIME_FOR_A_SIZE {
            break;
        }
    }
    Ok(best.expect("it was asked at least once"))
}

fn is_clear(size: &Size, overhead: Duration) -> bool {
    size.time >= CLEAR && size.time.as_secs_f64() >= overhead.as_secs_f64() * ABOVE_OVERHEAD
}

/// Returns the slope of the straight line through the logarithms of length and time, by least squares over the usable
/// sizes; `None` if there are too few.
fn fit(sizes: &[Size], overhead: Duration) -> Option<Growth> {
    let points: Vec<(f64, f64)> = sizes
        .iter()
        .filter(|size| is_clear(size, overhead))
        .map(|size| ((size.bytes as f64).ln(), size.time.as_secs_f64().ln()))
        .collect();
    if points.len() < SIZES_TO_FIT {
        return None;
    }
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (middle_x, middle_y) = (mean(|point| point.0), mean(|point| point.1));
    let spread = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| of(x - middle_x, y - middle_y)).sum::<f64>();
    let exponent = spread(&|x, y| x * y) / spread(&|x, _| x * x);
    Some(Growth { exponent, sizes: sizes.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::Fault;

    /// Requests of 1 to 16 KB, and one without a unit.
    fn requests() -> Vec<String> {
        [1, 1_000, 2_000, 4_000, 8_000, 16_000].map(|bytes| "x".repeat(bytes)).to_vec()
    }

    /// Measures a reader that takes `seconds(bytes)`, on a simulated clock.
    fn measured(seconds: impl Fn(f64) -> f64) -> Option<f64> {
        let mut ask =
            |params: &str| (Answer::Result(Json::Null), Duration::from_secs_f64(1e-4 + seconds(params.len() as f64)));
        growth(&requests(), &mut ask).expect("every request is answered").1.map(|growth| growth.exponent)
    }

    #[test]
    fn proportional_and_n_log_n_growth_are_told_from_quadratic() {
        let near = |found: Option<f64>, low: f64, high: f64| found.is_some_and(|found| low < found && found < high);
        assert!(near(measured(|n| n * 1e-5), 0.9, 1.1));
        assert!(near(measured(|n| n * n.ln() * 1e-6), 0.9, 1.3));
        assert!(near(measured(|n| n * n * 1e-8), 1.8, 2.1));
        assert!(near(measured(|n| n * n * n * 1e-12), 2.7, 3.1));
    }

    #[test]
    fn quick_answers_show_no_growth() {
        assert_eq!(measured(|_| 0.0), None);
        assert_eq!(measured(|n| n * n * 1e-12), None);
    }

    #[test]
    fn sizes_beyond_what_is_needed_are_not_asked() {
        let mut asked = Vec::new();
        let mut ask = |params: &str| {
            asked.push(params.len());
            (Answer::Result(Json::Null), Duration::from_secs_f64((params.len() as f64).powi(2) * 4e-8))
        };
        let growth = growth(&requests(), &mut ask).expect("every request is answered").1.expect("it is slow");
        assert_eq!(growth.sizes.len(), 3);
        assert!(!asked.contains(&8_000), "0.6 s for 4 KB are enough");
    }

    #[test]
    fn a_deadline_ends_a_measurement_and_takes_nothing_from_it() {
        let late = || Answer::Fault(Fault::new(FaultKind::Timeout, "no answer"));
        let mut quadratic = |params: &str| match params.len() {
            16_000 => (late(), Duration::from_secs(1)),
            bytes => (Answer::Result(Json::Null), Duration::from_secs_f64((bytes as f64).powi(2) * 2e-9)),
        };
        let (answer, found) = growth(&requests(), &mut quadratic).expect("enough was answered");
        assert!(found.is_some_and(|growth| growth.exponent > 1.9) && answer == late());
        let mut stuck = |params: &str| match params.len() {
            1 | 1_000 => (Answer::Result(Json::Null), Duration::from_millis(2)),
            _ => (late(), Duration::from_secs(1)),
        };
        assert_eq!(growth(&requests(), &mut stuck), Err(late()));
    }
}
