//! The methods of ToonUI events and messages, a row each.

use super::checks;
use crate::format::MethodDef;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef { method: Method::ToonuiReply, checks: Some(checks::ON_EVENT) },
    MethodDef { method: Method::ToonuiSubmit, checks: Some(checks::ON_EVENT) },
    MethodDef { method: Method::ToonuiToContent, checks: Some(checks::ON_PAYLOAD) },
    MethodDef { method: Method::ToonuiToDisplayContent, checks: Some(checks::ON_PAYLOAD) },
    MethodDef { method: Method::ToonuiToModelMessage, checks: Some(checks::ON_PAYLOAD) },
    MethodDef { method: Method::ToonuiToUiMessage, checks: Some(checks::ON_PAYLOAD) },
];
