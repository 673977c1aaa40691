//! The other end of the protocol: the reference, or a mutant, as an adapter.

use std::io::{self, Read, Write};

use super::in_process_adapter::InProcessAdapter;
use crate::format::Reference;
use crate::formats::FORMATS;
use crate::json::Json;
use crate::protocol::{self, Adapter, Handshake, InitializeParams, NoResult};
use crate::settings::Settings;

/// Answers requests until the input ends. Options that are `None` are taken from the handshake; given options apply
/// whatever the handshake requests.
///
/// # Errors
///
/// If reading or writing fails; a broken pipe ends it without an error.
pub fn serve(
    adapter: InProcessAdapter,
    input: impl Read,
    output: impl Write,
    options: Option<Settings>,
) -> io::Result<()> {
    let fixed = options.is_some();
    let options = options.unwrap_or_default();
    protocol::serve(&mut Server { session: adapter.start(&options), adapter, options, fixed }, input, output)
}

struct Server {
    session: Box<dyn Reference>,
    adapter: InProcessAdapter,
    options: Settings,
    fixed: bool,
}

impl Adapter for Server {
    fn initialize(&mut self, requested: &InitializeParams) -> Handshake {
        if !self.fixed {
            // Requests that cannot be followed are ignored; the answer says which options apply.
            self.options = Settings::of(requested.profile.parse().unwrap_or_default());
            for (rule, name) in &requested.choices {
                let _ = self.options.choose(rule, name);
            }
            self.session = self.adapter.start(&self.options);
        }
        let mut handshake = self.adapter.handshake(&self.options);
        if self.fixed {
            handshake.profiles = vec![self.options.profile().name().to_owned()];
        }
        handshake
    }

    fn answer(&mut self, method: &str, params: &str) -> Result<Json, NoResult> {
        let method = FORMATS.method(method).ok_or(NoResult::NoSuchMethod)?;
        Ok(self.session.answer(method, params)?)
    }
}
