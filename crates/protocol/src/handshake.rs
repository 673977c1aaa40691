//! The handshake.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The suite's params of `initialize`: its versions, and what the run requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Handshake {
    /// The version of the protocol.
    pub protocol: u64,
    /// The implementation under test.
    pub implementation: ImplementationInfo,
    /// The methods that it supports.
    pub methods: Vec<String>,
    /// The profiles that it follows; none if none of its methods depends on one.
    #[serde(default)]
    pub profiles: Vec<String>,
    /// The choices that it makes, by the rule's id. Others are inferred from the answers.
    #[serde(default)]
    pub choices: BTreeMap<String, String>,
    /// The features of listed methods that it does not have, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omits: Vec<String>,
}

impl Handshake {
    /// Returns whether the method is listed.
    #[must_use]
    pub fn offers(&self, method: &str) -> bool {
        self.methods.iter().any(|listed| listed == method)
    }
}

/// The implementation under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
