//! Growth of the time of answers.

use std::fmt;
use std::time::Duration;

/// How the time of an answer grew.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The power of the request's length with which the time grows: 1 in proportion, 2 quadratic.
    pub exponent: f64,
    /// The measurements, from the smallest request on.
    pub sizes: Vec<Size>,
}

/// The time of one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The length of its params in bytes.
    pub bytes: usize,
    /// The fastest of its answers.
    pub time: Duration,
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self
            .sizes
            .iter()
            .map(|size| format!("{:.1} KB in {:.1} ms", size.bytes as f64 / 1000.0, size.time.as_secs_f64() * 1000.0));
        write!(f, "the time grows with the length to the power of {:.1}: ", self.exponent)?;
        f.write_str(&sizes.collect::<Vec<_>>().join(", "))
    }
}
