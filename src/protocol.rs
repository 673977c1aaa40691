//! All requests to an implementation, and all its answers: the adapter protocol's methods, their params and results.
//! `spec/adapter-protocol.md` describes them; the schemas beside it are made from the types here.
//!
//! Nothing here reads or writes a stream; that is `adapter`'s work.

mod request;
mod response;
pub mod shape;

pub(crate) use request::value as request_value;
pub use request::{ParamsError, read_params};
pub use response::{Refusal, RefusalKind};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the protocol that this suite speaks.
pub const VERSION: u64 = 1;

/// The suite's own version, which the handshake and every report carry.
pub const SUITE: &str = env!("CARGO_PKG_VERSION");

/// The name of the request that starts a session.
pub const INITIALIZE: &str = "initialize";

/// Error codes of the protocol, beside those of JSON-RPC.
pub mod code {
    /// A refusal that a case can expect; `data.kind` names it.
    pub const REFUSAL: i64 = 1;
    /// Unsupported for this request; `data.reason` says why.
    pub const UNSUPPORTED: i64 = 2;
    /// JSON-RPC: the line is not JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// JSON-RPC: the line is no request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// JSON-RPC: the method is unsupported.
    pub const METHOD_NOT_FOUND: i64 = -32601;
}

/// The suite's params of `initialize`: its versions, and what the run requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InitializeParams {
    /// The version of the protocol.
    pub protocol: u64,
    /// The version of the suite.
    pub suite: String,
    /// The profile that the run requests.
    pub profile: String,
    /// The choices that the run requests, by the rule's id.
    #[serde(default)]
    pub choices: BTreeMap<String, String>,
}

/// The adapter's result of `initialize`: its version, the implementation, and what it supports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Handshake {
    /// The version of the protocol.
    pub protocol: u64,
    /// The implementation under test.
    pub implementation: ImplementationInfo,
    /// The methods that it supports.
    pub methods: Vec<String>,
    /// The OpenUI profiles that it follows; none where it has no `openui` methods.
    #[serde(default)]
    pub profiles: Vec<String>,
    /// The choices that it makes, by the rule's id. Others are inferred from the answers.
    #[serde(default)]
    pub choices: BTreeMap<String, String>,
    /// The features of listed methods that it does not have, by the names of [`Feature`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omits: Vec<String>,
}

impl Handshake {
    /// Whether the method is listed.
    #[must_use]
    pub fn offers(&self, method: &str) -> bool {
        self.methods.iter().any(|listed| listed == method)
    }
}

/// The implementation under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImplementationInfo {
    /// Its name.
    pub name: String,
    /// Its version, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The language it is written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}
