//! The methods of OpenUI stored messages, a row each.

use crate::format::MethodDef;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef { method: Method::OpenuiParse },
    MethodDef { method: Method::OpenuiStream },
    MethodDef { method: Method::OpenuiBuild },
    MethodDef { method: Method::OpenuiModelText },
    MethodDef { method: Method::OpenuiFromEvent },
];
