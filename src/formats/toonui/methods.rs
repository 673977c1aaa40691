//! The methods of ToonUI events and messages, a row each.

use crate::format::MethodDef;
use crate::protocol::Method;

pub(super) const METHODS: &[MethodDef] = &[
    MethodDef { method: Method::ToonuiReply },
    MethodDef { method: Method::ToonuiSubmit },
    MethodDef { method: Method::ToonuiToContent },
    MethodDef { method: Method::ToonuiToDisplayContent },
    MethodDef { method: Method::ToonuiToModelMessage },
    MethodDef { method: Method::ToonuiToUiMessage },
];
