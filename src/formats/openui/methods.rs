//! The methods of OpenUI stored messages, a row each.

use super::{compare, deciding, growth, places, unsupported};
use crate::format::places::leaves;
use crate::format::{MethodDef, no_rules};
use crate::json::Json;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef {
        method: Method::OpenuiParse,
        normalise: compare::message,
        texts: &[],
        volatile: &[],
        places: places::parse,
        deciding_rules: deciding::of_message,
        default_rule: "openui.read.plain-text",
        growth: growth::PARSE,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::OpenuiStream,
        normalise: compare::stream,
        texts: &[],
        volatile: &[],
        places: places::stream,
        deciding_rules: deciding::of_chunks,
        default_rule: "openui.stream.release",
        growth: growth::STREAM,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::OpenuiBuild,
        normalise: Json::clone,
        texts: &[compare::MESSAGE],
        volatile: &[],
        places: places::build,
        deciding_rules: no_rules,
        default_rule: "openui.build.layout",
        growth: growth::BUILD,
        unsupported_reasons: &[unsupported::UNORDERED_ATTRIBUTES],
    },
    MethodDef {
        method: Method::OpenuiModelText,
        normalise: Json::clone,
        texts: &[compare::MODEL_TEXT],
        volatile: &[],
        places: leaves,
        deciding_rules: deciding::of_message,
        default_rule: "openui.model.assistant",
        growth: growth::MODEL_TEXT,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::OpenuiFromEvent,
        normalise: Json::clone,
        texts: &[compare::MESSAGE],
        volatile: &[],
        places: places::from_event,
        deciding_rules: no_rules,
        default_rule: "openui.event.turn",
        growth: growth::FROM_EVENT,
        unsupported_reasons: &[],
    },
];
