//! The methods of the Glossen message contract, a row each.

use crate::format::MethodDef;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef { method: Method::GlossenValidate },
    MethodDef { method: Method::GlossenCheck },
    MethodDef { method: Method::GlossenToModelMessages },
    MethodDef { method: Method::GlossenSources },
    MethodDef { method: Method::GlossenEdit },
];
