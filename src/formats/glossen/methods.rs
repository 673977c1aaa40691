//! The methods of the Glossen message contract, a row each.

use super::{compare, deciding, growth, places};
use crate::format::places::leaves;
use crate::format::{MethodDef, no_rules};
use crate::json::Json;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef {
        method: Method::GlossenValidate,
        normalise: Json::clone,
        texts: &[],
        volatile: &[],
        places: places::validate,
        deciding_rules: deciding::of_messages,
        default_rule: "glossen.type.message",
        growth: growth::VALIDATE,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::GlossenCheck,
        normalise: compare::violations,
        texts: &[],
        volatile: &[],
        places: places::check,
        deciding_rules: deciding::of_message,
        default_rule: "glossen.user.order",
        growth: growth::CHECK,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::GlossenToModelMessages,
        normalise: Json::clone,
        texts: &[],
        volatile: &[],
        places: leaves,
        deciding_rules: no_rules,
        default_rule: "glossen.model.shape",
        growth: growth::TO_MODEL_MESSAGES,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::GlossenSources,
        normalise: Json::clone,
        texts: &[],
        volatile: &[],
        places: leaves,
        deciding_rules: no_rules,
        default_rule: "glossen.sources.resolve",
        growth: growth::SOURCES,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::GlossenEdit,
        normalise: Json::clone,
        texts: &[],
        volatile: &[],
        places: leaves,
        deciding_rules: no_rules,
        default_rule: "glossen.edit.replace",
        growth: growth::EDIT,
        unsupported_reasons: &[],
    },
];
