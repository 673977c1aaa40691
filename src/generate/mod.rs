//! Seeded generators and mutators of requests. They import no reader: their output has to be independent of the code
//! that reads it.
//!
//! A generator draws from [`Draw`]: a seed, or the bytes of a fuzzer. Each format has a file of its own. A generated
//! request is one that the documents specify, and a caller may send (`crate::settled`; a property test checks it). A
//! mutated one need not be, so callers check it before they send it.

mod text;

pub use text::mutated;

use crate::format::Method;
use crate::json::Json;

/// Where choices come from.
pub trait Draw {
    /// A number from 0 up to, and not including, `bound`, which is at least 1. Where choices
    /// run out, as a fuzzer's bytes do, all that comes is 0: let it lead to what is small.
    fn below(&mut self, bound: usize) -> usize;

    /// True once in `times`: on the highest number, so that what is rare does not happen where choices have run out.
    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }
}

/// What can be drawn from every [`Draw`].
pub trait DrawExt: Draw {
    /// One of these, of which there is at least one.
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

impl<D: Draw + ?Sized> DrawExt for D {}

/// Choices from a seed: the same ones every time.
#[derive(Clone, Debug)]
pub struct Seeded(fastrand::Rng);

impl Seeded {
    /// The choices of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Seeded {
        Seeded(fastrand::Rng::with_seed(seed))
    }
}

impl Draw for Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound.max(1))
    }
}

/// A request that has not been sent yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The method.
    pub method: Method,
    /// The params.
    pub params: Json,
}

/// A request of a method.
pub fn request(draw: &mut dyn Draw, method: Method) -> Input {
    Input { method, params: (method.generate)(draw) }
}

pub(crate) fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

/// The request with one of its strings mutated, perhaps with a piece of another request's.
#[must_use]
pub fn mutated_request(draw: &mut dyn Draw, input: &Input, other: &Input) -> Input {
    let mut params = input.params.clone();
    let places = strings(&mut params);
    let mut others = other.params.clone();
    let donors = strings(&mut others);
    if !places.is_empty() {
        let at = draw.below(places.len());
        let donor = if donors.is_empty() { "" } else { donors[draw.below(donors.len())].as_str() };
        let place = places.into_iter().nth(at).expect("is one of them");
        *place = mutated(draw, place, donor);
    }
    Input { method: input.method, params }
}

/// Every string of a value that is Unicode text, names of members left alone.
fn strings(value: &mut Json) -> Vec<&mut String> {
    match value {
        Json::String(crate::json::JsonString::Unicode(text)) => vec![text],
        Json::Array(items) => items.iter_mut().flat_map(strings).collect(),
        Json::Object(members) => members.iter_mut().flat_map(|(_, value)| strings(value)).collect(),
        _ => Vec::new(),
    }
}
