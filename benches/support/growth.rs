//! How time grows with the input.

use std::hint::black_box;

use crate::support::{fastest, met, time};

/// One line: what the work takes for each of four inputs, each twice as long as the one before.
pub(crate) fn print_growth<T>(about: &str, name: &str, inputs: &[T; 4], work: &dyn Fn(&T)) {
    let mut runs = inputs.iter().map(|input| move || work(black_box(input))).collect::<Vec<_>>();
    let [a, b, c, d] = &mut runs[..] else { unreachable!("there are four inputs") };
    let times = fastest([a, b, c, d]);
    let multiples = times.map(|time| time / times[0]);
    println!(
        "  {about:26} {name:6} {:>9}   {}   {}",
        time(times[0]),
        multiples.map(|m| format!("{m:5.1}")).join(" "),
        met(multiples[3] < 8.0 * 1.6)
    );
}
