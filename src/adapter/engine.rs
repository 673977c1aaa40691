//! What answers in this process: the reference, or something that stands in for it.

use std::fmt;
use std::sync::Arc;

use crate::openui::{OPEN_POINTS, Options, Profile};
use crate::protocol::{Handshake, ImplementationInfo, Method, Refusal, Request, Response, SUITE, VERSION};
use crate::reference;

type Answering = dyn Fn(&Request, &Options) -> Result<Response, Refusal> + Send + Sync;

/// Something in this process that answers requests.
#[derive(Clone)]
pub struct Engine {
    name: String,
    declares: bool,
    answering: Arc<Answering>,
}

impl Engine {
    /// The reference, which declares all its choices.
    #[must_use]
    pub fn reference() -> Engine {
        Engine { name: "genui-conform reference".to_owned(), declares: true, answering: Arc::new(reference::answer) }
    }

    /// Something else, which declares no choice: its answers have to show them.
    pub fn new(
        name: impl Into<String>,
        answering: impl Fn(&Request, &Options) -> Result<Response, Refusal> + Send + Sync + 'static,
    ) -> Engine {
        Engine { name: name.into(), declares: false, answering: Arc::new(answering) }
    }

    pub(super) fn answer(&self, request: &Request, options: &Options) -> Result<Response, Refusal> {
        (self.answering)(request, options)
    }

    /// What it says of itself when it is asked to follow these options.
    pub(super) fn handshake(&self, options: &Options) -> Handshake {
        let open = OPEN_POINTS.iter().filter(|point| self.declares && point.profiles.contains(&options.profile));
        Handshake {
            protocol: VERSION,
            implementation: ImplementationInfo {
                name: self.name.clone(),
                version: Some(SUITE.to_owned()),
                language: Some("Rust".to_owned()),
            },
            methods: Method::ALL.map(|method| method.name().to_owned()).to_vec(),
            profiles: Profile::ALL.map(|profile| profile.name().to_owned()).to_vec(),
            choices: open.map(|point| (point.rule.to_owned(), point.chosen(&options.choices).to_owned())).collect(),
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({})", self.name)
    }
}
