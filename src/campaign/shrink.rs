//! Shrinks a request while a condition stays true.

use crate::generate::Input;
use crate::settled::is_askable;

/// Of this many smaller params about one at least may be sent.
const UNFIT: usize = 8;

/// Returns the smallest request for which `holds` is still true, found within this many attempts. Unspecified requests,
/// and those whose params do not fit, are never sent, and do not count as attempts.
pub(super) fn shrink(input: &Input, attempts: usize, holds: &mut dyn FnMut(&Input) -> bool) -> Input {
    let mut left = attempts;
    let params = crate::shrink::value(&input.params, attempts * UNFIT, &mut |params| {
        if left == 0 || !is_askable(input.method, params) {
            return false;
        }
        left -= 1;
        holds(&Input { method: input.method, params: params.clone() })
    });
    Input { method: input.method, params }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Method;
    use crate::formats::FORMATS;
    use crate::json;

    fn method(name: &str) -> Method {
        FORMATS.method(name).expect("is a method")
    }

    #[test]
    fn params_stay_what_the_method_takes() {
        let params = json::parse(r#"{"raw":"abc","role":"user"}"#).expect("is JSON");
        let whole = Input { method: method("openui.model_text"), params };
        assert_eq!(shrink(&whole, 500, &mut |_| true).params.to_ascii(), r#"{"raw":"","role":"user"}"#);
    }

    #[test]
    fn what_is_left_is_settled() {
        for (method, params, begins) in [
            (
                method("glossen.to_model_messages"),
                r#"{"messages":[{"id":"q1","role":"user","parts":[{"type":"data-x"},{"type":"text","text":"Why?"}]}]}"#,
                r#"{"messages":[{"id":"","role":"user","parts":[{"type":""#,
            ),
            (
                method("glossen.sources"),
                r#"{"answer":"[a](/a)","origin":"https://docs.example","pages":[{"url":"/a","title":"A","anchors":[]}]}"#,
                r#"{"answer":"","origin":"http"#,
            ),
            (
                method("toonui.to_content"),
                r#"{"payload":{"kind":"ui_reply","eventId":"r1","source":"button","component":"button","value":"Go"}}"#,
                r#"{"payload":{"#,
            ),
            (method("toonui.submit"), r#"{"intent":"i","values":{"a":[1,2]}}"#, r#"{"intent":""}"#),
            (
                method("openui.build"),
                r#"{"content":"A","context":{"a":1},"attributes":[["a","1"],["","2"]],"end":true}"#,
                r#"{"content":""}"#,
            ),
        ] {
            let whole = Input { method, params: json::parse(params).expect("is JSON") };
            let small = shrink(&whole, 2_000, &mut |_| true).params;
            assert!(is_askable(method, &small), "{method}: {}", small.to_ascii());
            assert!(small.to_ascii().starts_with(begins) && small != whole.params, "{method}: {}", small.to_ascii());
        }
    }
}
