//! The methods of ToonUI events and messages, a row each.

use super::{compare, deciding, growth};
use crate::format::places::leaves;
use crate::format::{MethodDef, no_rules};
use crate::json::Json;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef {
        method: Method::ToonuiReply,
        normalise: Json::clone,
        texts: &[],
        volatile: &[compare::REPLY_ID],
        places: leaves,
        deciding_rules: no_rules,
        default_rule: "toonui.event.reply",
        growth: growth::REPLY,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::ToonuiSubmit,
        normalise: Json::clone,
        texts: &[],
        volatile: &[compare::SUBMIT_ID],
        places: leaves,
        deciding_rules: no_rules,
        default_rule: "toonui.event.submit",
        growth: growth::SUBMIT,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::ToonuiToContent,
        normalise: Json::clone,
        texts: &[],
        volatile: &[],
        places: leaves,
        deciding_rules: deciding::of_payload,
        default_rule: "toonui.content.layout",
        growth: growth::PAYLOAD,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::ToonuiToDisplayContent,
        normalise: Json::clone,
        texts: &[],
        volatile: &[],
        places: leaves,
        deciding_rules: deciding::of_payload,
        default_rule: "toonui.display.layout",
        growth: growth::PAYLOAD,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::ToonuiToModelMessage,
        normalise: Json::clone,
        texts: &[],
        volatile: &[],
        places: leaves,
        deciding_rules: deciding::of_payload,
        default_rule: "toonui.message.model",
        growth: growth::PAYLOAD,
        unsupported_reasons: &[],
    },
    MethodDef {
        method: Method::ToonuiToUiMessage,
        normalise: Json::clone,
        texts: &[],
        volatile: &[compare::MESSAGE_ID],
        places: leaves,
        deciding_rules: deciding::of_payload,
        default_rule: "toonui.message.ui",
        growth: growth::PAYLOAD,
        unsupported_reasons: &[],
    },
];
