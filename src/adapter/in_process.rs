//! The reference, asked without a process between.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Answer, Ask, Fault, FaultKind, Implementation};
use crate::openui::{OPEN_POINTS, Options, Profile};
use crate::protocol::{Handshake, ImplementationInfo, Method, Request, SUITE, VERSION};
use crate::reference;

/// The reference as an implementation under test.
#[derive(Clone, Debug)]
pub struct InProcess {
    options: Options,
    handshake: Handshake,
}

impl InProcess {
    /// The reference with these options, all of whose choices it declares.
    #[must_use]
    pub fn new(options: Options) -> InProcess {
        InProcess { options, handshake: reference_handshake(&options) }
    }
}

/// What the reference says of itself when it is asked to follow these options.
pub(super) fn reference_handshake(options: &Options) -> Handshake {
    let open = OPEN_POINTS.iter().filter(|point| point.profiles.contains(&options.profile));
    Handshake {
        protocol: VERSION,
        implementation: ImplementationInfo {
            name: "genui-conform reference".to_owned(),
            version: Some(SUITE.to_owned()),
            language: Some("Rust".to_owned()),
        },
        methods: Method::ALL.map(|method| method.name().to_owned()).to_vec(),
        profiles: Profile::ALL.map(|profile| profile.name().to_owned()).to_vec(),
        choices: open.map(|point| (point.rule.to_owned(), point.chosen(&options.choices).to_owned())).collect(),
    }
}

impl Implementation for InProcess {
    fn handshake(&self) -> &Handshake {
        &self.handshake
    }

    fn ask_all(&mut self, asks: &[Ask<'_>], stop: &AtomicBool, progress: &(dyn Fn() + Sync)) -> Vec<Answer> {
        let answer = |ask: &Ask<'_>| {
            if stop.load(Ordering::Relaxed) {
                return Answer::Fault(Fault::new(FaultKind::NotRun, "the run was interrupted"));
            }
            let answer = Request::read(ask.method, ask.params)
                .map_err(Into::into)
                .and_then(|request| reference::answer(&request, &self.options));
            progress();
            match answer {
                Ok(response) => Answer::Result(response.to_json()),
                Err(refusal) => Answer::Refusal { kind: refusal.kind.name().to_owned(), message: refusal.message },
            }
        };
        asks.iter().map(answer).collect()
    }
}
