//! The methods of the Glossen message contract, a row each.

use super::checks;
use crate::format::MethodDef;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef { method: Method::GlossenValidate, checks: Some(checks::ON_VALIDATION) },
    MethodDef { method: Method::GlossenCheck, checks: None },
    MethodDef { method: Method::GlossenToModelMessages, checks: Some(checks::ON_CONVERSION) },
    MethodDef { method: Method::GlossenSources, checks: None },
    MethodDef { method: Method::GlossenEdit, checks: Some(checks::ON_EDIT) },
];
