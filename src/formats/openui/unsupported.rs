//! Reasons with which a writer may refuse some requests as unsupported.

use crate::format::UnsupportedReason;
use crate::json::Json;

/// An implementation whose attributes are an object or a map may refuse to write some of them.
pub(super) const UNORDERED_ATTRIBUTES: UnsupportedReason =
    UnsupportedReason { reason: "unordered-attributes", excuses: attributes_need_order };

/// Whether an API that takes its attributes as an object or a map cannot be asked for what these params of
/// `openui.build` ask: whether there are two attributes or more.
///
/// Then either a name comes twice, which no object has, or their order shows in the message. Which order an object
/// keeps depends on the language: none at all (maps in Go, dictionaries in Swift), the given one (Python), or the given
/// one except for names that look like whole numbers (JavaScript). The suite does not know the language, so it does not
/// distinguish these. A single attribute, whatever its name, can be requested everywhere.
fn attributes_need_order(params: &Json) -> bool {
    matches!(params.get("attributes"), Some(Json::Array(pairs)) if pairs.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn an_object_keeps_neither_the_order_of_attributes_nor_a_name_given_twice() {
        for (params, needed) in [
            (r#"{"content":""}"#, false),
            (r#"{"content":"","attributes":null}"#, false),
            (r#"{"content":"","attributes":[]}"#, false),
            (r#"{"content":"","attributes":[["lang","de"]]}"#, false),
            (r#"{"content":"","attributes":[["7","a"]]}"#, false),
            (r#"{"content":"","context":{"attributes":[["a","1"],["b","2"]]},"attributes":[["","x"]]}"#, false),
            (r#"{"content":"","attributes":[["lang","de"],["lang","de"]]}"#, true),
            (r#"{"content":"","attributes":[["lang","de"],["area","x"],["lang","fr"]]}"#, true),
            (r#"{"content":"","attributes":[["area","x"],["lang","de"]]}"#, true),
            (r#"{"content":"","attributes":[["10","a"],["2","b"]]}"#, true),
            (r#"{"content":"","attributes":[["lang","de"],["2","b"]]}"#, true),
        ] {
            assert_eq!(attributes_need_order(&json::parse(params).expect("is JSON")), needed, "{params}");
        }
    }
}
