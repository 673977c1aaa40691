//! Features that a reader or writer of stored messages may omit.

use super::compare::of_readings;
use crate::format::{FeatureDef, Method};
use crate::formats::openui::methods;
use crate::json::Json;

pub(super) const FEATURES: &[FeatureDef] = &[
    // Reading a message of which more may come: requests with `streaming: true`.
    FeatureDef {
        name: "streaming",
        methods: &["openui.parse"],
        members: &[],
        is_needed: |method, params| method == methods::PARSE && is_true(params, "streaming"),
        strip: |_, result| result,
    },
    // Attributes of the content marker, read and written.
    FeatureDef {
        name: "attributes",
        methods: READ_AND_WRITTEN,
        members: &["attributes"],
        is_needed: |method, params| {
            method == methods::BUILD
                && matches!(params.get("attributes"), Some(Json::Array(pairs)) if !pairs.is_empty())
        },
        strip: |method, result| without(method, result, "attributes"),
    },
    // The end line, read and written.
    FeatureDef {
        name: "end",
        methods: READ_AND_WRITTEN,
        members: &["end"],
        is_needed: |method, params| method == methods::BUILD && is_true(params, "end"),
        strip: |method, result| without(method, result, "end"),
    },
];

const READ_AND_WRITTEN: &[&str] = &["openui.parse", "openui.stream", "openui.build"];

fn is_true(params: &Json, member: &str) -> bool {
    params.get(member) == Some(&Json::Bool(true))
}

/// A result without a member of each read message.
fn without(method: Method, result: Json, member: &str) -> Json {
    let message = |value: Json| match value {
        Json::Object(members) => {
            Json::Object(members.into_iter().filter(|(name, _)| name.as_str() != Some(member)).collect())
        }
        other => other,
    };
    match method.name() {
        "openui.parse" => message(result),
        "openui.stream" => of_readings(result, message),
        _ => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Feature;
    use crate::json;

    fn named(name: &str) -> Feature {
        Feature::new(FEATURES.iter().find(|feature| feature.name == name).expect("is a feature"))
    }

    #[test]
    fn members_go_and_the_rest_stays() {
        let stream = r#"{"snapshots":[{"content":"a","end":true}],"final":{"content":"a","attributes":{"b":"c"}}}"#;
        let strip = |omitted: &[&str]| {
            let omitted: Vec<Feature> = omitted.iter().map(|name| named(name)).collect();
            Feature::strip(&omitted, methods::STREAM, json::parse(stream).expect("is JSON")).to_ascii()
        };
        assert_eq!(strip(&[]), stream);
        assert_eq!(strip(&["streaming"]), stream);
        let left = r#"{"snapshots":[{"content":"a"}],"final":{"content":"a"}}"#;
        assert_eq!(strip(&["attributes", "end"]), left);
    }

    #[test]
    fn a_feature_is_needed_where_the_request_turns_on_it() {
        let needs = |name: &str, method, params| named(name).is_needed(method, &json::parse(params).expect("is JSON"));
        assert!(needs("streaming", methods::PARSE, r#"{"raw":"","streaming":true}"#));
        assert!(!needs("streaming", methods::PARSE, r#"{"raw":"","streaming":null}"#));
        assert!(!needs("attributes", methods::PARSE, r#"{"raw":"","attributes":[["a","b"]]}"#));
        assert!(needs("attributes", methods::BUILD, r#"{"content":"","attributes":[["a","b"]]}"#));
        assert!(!needs("attributes", methods::BUILD, r#"{"content":"","attributes":[]}"#));
        assert!(needs("end", methods::BUILD, r#"{"content":"","end":true}"#));
        assert!(!needs("end", methods::BUILD, r#"{"content":"","end":false}"#));
    }
}
