#![doc = include_str!("../README.md")]
//!
//! # Tour
//!
//! - An adapter implements [`Adapter`], and [`serve`] reads requests for it until its input ends.
//! - [`read_params`] reads the params of a request, and [`Refusal`] is the answer to a request that the rules refuse.
//! - The suite reads the lines of an adapter with [`read_answer`].
//!
//! `spec/adapter-protocol.md` of genui-conform specifies the protocol.

mod answer;
mod handshake;
mod line;
mod refusal;
mod serve;

pub use answer::{Answer, Fault, FaultKind};
pub use handshake::{Handshake, ImplementationInfo, InitializeParams};
pub use line::{Answered, read_answer};
pub use refusal::{ParamsError, Refusal, RefusalKind, read_params};
pub use serve::{Adapter, NoResult, serve};

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The name of the first request of a session.
pub const INITIALIZE: &str = "initialize";

/// Codes of errors.
pub mod code {
    /// A refusal that a case can expect; `data.kind` names it.
    pub const REFUSAL: i64 = 1;
    /// Unsupported for this request; `data.reason` says why.
    pub const UNSUPPORTED: i64 = 2;
    /// JSON-RPC: the line is not JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// JSON-RPC: the line is not a request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// JSON-RPC: the method is unsupported.
    pub const METHOD_NOT_FOUND: i64 = -32601;
}
