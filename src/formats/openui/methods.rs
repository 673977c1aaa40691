//! The methods of OpenUI stored messages, a row each.

use super::checks;
use crate::format::MethodDef;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef { method: Method::OpenuiParse, checks: Some(checks::ON_MESSAGE) },
    MethodDef { method: Method::OpenuiStream, checks: None },
    MethodDef { method: Method::OpenuiBuild, checks: None },
    MethodDef { method: Method::OpenuiModelText, checks: None },
    MethodDef { method: Method::OpenuiFromEvent, checks: None },
];
