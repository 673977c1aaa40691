//! An implementation without the features that it omits.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Answer, Ask, Implementation, Shutdown};
use crate::format::Feature;
use crate::formats::FORMATS;
use crate::json;
use crate::protocol::Handshake;

/// Wraps an implementation that omits features: requests that need one are not sent, and members of omitted features
/// are removed from results.
pub struct Omitting<'i> {
    implementation: &'i mut dyn Implementation,
    omitted: Vec<Feature>,
    /// Which requests of the last round were sent.
    sent: Vec<bool>,
}

impl<'i> Omitting<'i> {
    /// Wraps an implementation whose handshake lists what it omits.
    pub fn new(implementation: &'i mut dyn Implementation) -> Omitting<'i> {
        let omitted = FORMATS.omitted(implementation.handshake());
        Omitting::of(implementation, omitted)
    }

    /// Wraps an implementation that is compared with one that omits these features.
    pub fn of(implementation: &'i mut dyn Implementation, omitted: Vec<Feature>) -> Omitting<'i> {
        Omitting { implementation, omitted, sent: Vec::new() }
    }

    fn needed(&self, ask: &Ask<'_>) -> Option<Feature> {
        // Nearly all implementations omit nothing; their params are not parsed.
        let features = || self.omitted.iter().filter(|feature| feature.is_of(ask.method));
        features().next()?;
        let params = json::parse(ask.params).ok()?;
        features().copied().find(|feature| feature.is_needed(ask.method, &params))
    }
}

impl Implementation for Omitting<'_> {
    fn handshake(&self) -> &Handshake {
        self.implementation.handshake()
    }

    fn send_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let needed: Vec<Option<Feature>> = asks.iter().map(|ask| self.needed(ask)).collect();
        self.sent = needed.iter().map(Option::is_none).collect();
        let sent: Vec<Ask<'_>> =
            asks.iter().zip(&needed).filter(|(_, needed)| needed.is_none()).map(|(ask, _)| *ask).collect();
        let mut answers = self.implementation.send_all(&sent, stop, progress).into_iter();
        let answered = asks.iter().zip(needed).map(|(ask, needed)| match needed {
            Some(feature) => Answer::Omitted(feature.name().to_owned()),
            None => match answers.next().expect("there is an answer for each request") {
                Answer::Result(result) => Answer::Result(Feature::strip(&self.omitted, ask.method, result)),
                other => other,
            },
        });
        answered.collect()
    }

    fn durations(&mut self) -> Vec<Option<Duration>> {
        let mut durations = self.implementation.durations().into_iter();
        self.sent.iter().map(|sent| if *sent { durations.next().flatten() } else { None }).collect()
    }

    fn finish(&mut self, stop: &AtomicBool) -> Shutdown {
        self.implementation.finish(stop)
    }
}
