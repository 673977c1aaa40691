//! Adapters in this process: the reference, or a mutant.

use std::fmt;
use std::sync::Arc;

use crate::SUITE;
use crate::format::Reference;
use crate::formats::FORMATS;
use crate::protocol::{Handshake, ImplementationInfo, VERSION};
use crate::rules;
use crate::settings::Settings;

type Start = dyn Fn(&Settings) -> Box<dyn Reference> + Send + Sync;

/// Something in this process that answers requests.
#[derive(Clone)]
pub struct InProcessAdapter {
    name: String,
    declares_choices: bool,
    start: Arc<Start>,
}

impl InProcessAdapter {
    /// Returns the reference, which declares all its choices.
    #[must_use]
    pub fn reference() -> InProcessAdapter {
        let start = Arc::new(|options: &Settings| FORMATS.reference(options));
        InProcessAdapter { name: "genui-conform reference".to_owned(), declares_choices: true, start }
    }

    /// Returns another adapter, which declares no choice: its answers have to show them. `start` begins a session.
    pub fn new(
        name: impl Into<String>,
        start: impl Fn(&Settings) -> Box<dyn Reference> + Send + Sync + 'static,
    ) -> InProcessAdapter {
        InProcessAdapter { name: name.into(), declares_choices: false, start: Arc::new(start) }
    }

    /// Begins a session in which these options apply.
    pub(super) fn start(&self, options: &Settings) -> Box<dyn Reference> {
        (self.start)(options)
    }

    /// Returns its handshake when these options are requested.
    pub(super) fn handshake(&self, options: &Settings) -> Handshake {
        let is_open = |rule: &str| rules::named(rule).is_some_and(|rule| rule.open_in.contains(&options.profile()));
        let open = FORMATS.open_points().filter(|point| self.declares_choices && is_open(point.rule));
        let choices = open.filter_map(|point| Some((point.rule.to_owned(), options.chosen(point.rule)?.to_owned())));
        Handshake {
            protocol: VERSION,
            implementation: ImplementationInfo {
                name: self.name.clone(),
                version: Some(SUITE.to_owned()),
                language: Some("Rust".to_owned()),
            },
            methods: FORMATS.methods().map(|method| method.name().to_owned()).collect(),
            profiles: FORMATS.profiles().map(|profile| profile.name().to_owned()).collect(),
            choices: choices.collect(),
            omits: Vec::new(),
        }
    }
}

impl fmt::Debug for InProcessAdapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InProcessAdapter({})", self.name)
    }
}
