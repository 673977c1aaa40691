//! How to run an adapter.

use std::collections::BTreeMap;
use std::time::Duration;

use super::traffic_log::TrafficLog;
use crate::SUITE;
use crate::protocol::{InitializeParams, VERSION};
use crate::settings::ProfileName;

/// How to run an adapter.
#[derive(Clone, Debug)]
pub struct AdapterOptions {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How many processes at most at a time.
    pub jobs: usize,
    /// How long an answer may take, from the later of its request's sending and the process's last answer.
    pub timeout: Duration,
    /// How long the handshake may take.
    pub start_timeout: Duration,
    /// The profile that is requested.
    pub profile: ProfileName,
    /// The choices that are requested, by rule id.
    pub choices: BTreeMap<String, String>,
    /// Receives every line sent and received; the default discards them.
    pub tap: TrafficLog,
}

/// The longest time that a process may take to end once its input has ended.
const STOP_GRACE: Duration = Duration::from_secs(2);

impl AdapterOptions {
    /// Returns a command with the deadlines and choices of a plain run: one process, 10 s for an answer, 30 s to start.
    #[must_use]
    pub fn new(command: Vec<String>) -> AdapterOptions {
        AdapterOptions {
            command,
            jobs: 1,
            timeout: Duration::from_secs(10),
            start_timeout: Duration::from_secs(30),
            profile: ProfileName::default(),
            choices: BTreeMap::new(),
            tap: TrafficLog::default(),
        }
    }

    /// Returns the params of the `initialize` request.
    pub(super) fn initialize_params(&self) -> InitializeParams {
        InitializeParams {
            protocol: VERSION,
            suite: SUITE.to_owned(),
            profile: self.profile.name().to_owned(),
            choices: self.choices.clone(),
        }
    }

    /// Returns how long a process gets to end. A shorter deadline for answers counts here too.
    pub(super) fn stop_grace(&self) -> Duration {
        STOP_GRACE.min(self.timeout)
    }
}
