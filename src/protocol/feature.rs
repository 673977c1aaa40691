//! Features of methods that an implementation may lack although it has the methods.

use std::fmt;

use super::Method;
use crate::json::{Json, JsonString};

/// A feature of listed methods that an implementation can declare to omit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Reading a message of which more may come: requests with `streaming: true`.
    Streaming,
    /// Attributes of the content marker, read and written.
    Attributes,
    /// The end line, read and written.
    End,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Feature; 3] = [Feature::Streaming, Feature::Attributes, Feature::End];

    /// The name in `omits`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Feature::Streaming => "streaming",
            Feature::Attributes => "attributes",
            Feature::End => "end",
        }
    }

    /// The methods that have the feature.
    #[must_use]
    pub fn methods(self) -> &'static [Method] {
        match self {
            Feature::Streaming => &[Method::OpenuiParse],
            Feature::Attributes | Feature::End => &[Method::OpenuiParse, Method::OpenuiStream, Method::OpenuiBuild],
        }
    }

    /// Whether a request cannot be answered without the feature. A feature that is only a member of the result is not
    /// needed: the rest of the result is judged.
    #[must_use]
    pub fn is_needed(self, method: Method, params: &Json) -> bool {
        let member = |name: &str| params.get(name);
        match (self, method) {
            (Feature::Streaming, Method::OpenuiParse) => member("streaming") == Some(&Json::Bool(true)),
            (Feature::Attributes, Method::OpenuiBuild) => {
                matches!(member("attributes"), Some(Json::Array(pairs)) if !pairs.is_empty())
            }
            (Feature::End, Method::OpenuiBuild) => member("end") == Some(&Json::Bool(true)),
            _ => false,
        }
    }

    /// The member of a read message that holds the feature; `None` where it is no member.
    #[must_use]
    pub fn member(self) -> Option<&'static str> {
        match self {
            Feature::Streaming => None,
            Feature::Attributes => Some("attributes"),
            Feature::End => Some("end"),
        }
    }

    /// A result without the members of these features: in a read message, and in each snapshot of a stream.
    #[must_use]
    pub fn strip(omitted: &[Feature], method: Method, result: Json) -> Json {
        let omitted: Vec<&str> = omitted.iter().filter_map(|feature| feature.member()).collect();
        let is_omitted = |name: &JsonString| name.as_str().is_some_and(|name| omitted.contains(&name));
        let message = |value: Json| match value {
            Json::Object(members) => Json::Object(members.into_iter().filter(|(name, _)| !is_omitted(name)).collect()),
            other => other,
        };
        match (method, result) {
            (_, result) if omitted.is_empty() => result,
            (Method::OpenuiParse, result) => message(result),
            (Method::OpenuiStream, Json::Object(members)) => {
                let members = members.into_iter().map(|(name, value)| {
                    let value = match (name.as_str(), value) {
                        (Some("snapshots"), Json::Array(items)) => {
                            Json::Array(items.into_iter().map(message).collect())
                        }
                        (Some("final"), value) => message(value),
                        (_, value) => value,
                    };
                    (name, value)
                });
                Json::Object(members.collect())
            }
            (_, result) => result,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn members_go_and_the_rest_stays() {
        let stream = r#"{"snapshots":[{"content":"a","end":true}],"final":{"content":"a","attributes":{"b":"c"}}}"#;
        let strip = |omitted: &[Feature]| {
            Feature::strip(omitted, Method::OpenuiStream, json::parse(stream).expect("is JSON")).to_ascii()
        };
        assert_eq!(strip(&[]), stream);
        assert_eq!(strip(&[Feature::Streaming]), stream);
        let left = r#"{"snapshots":[{"content":"a"}],"final":{"content":"a"}}"#;
        assert_eq!(strip(&[Feature::Attributes, Feature::End]), left);
    }

    #[test]
    fn a_feature_is_needed_where_the_request_turns_on_it() {
        let needs =
            |feature: Feature, method, params| feature.is_needed(method, &json::parse(params).expect("is JSON"));
        assert!(needs(Feature::Streaming, Method::OpenuiParse, r#"{"raw":"","streaming":true}"#));
        assert!(!needs(Feature::Streaming, Method::OpenuiParse, r#"{"raw":"","streaming":null}"#));
        assert!(!needs(Feature::Attributes, Method::OpenuiParse, r#"{"raw":"","attributes":[["a","b"]]}"#));
        assert!(needs(Feature::Attributes, Method::OpenuiBuild, r#"{"content":"","attributes":[["a","b"]]}"#));
        assert!(!needs(Feature::Attributes, Method::OpenuiBuild, r#"{"content":"","attributes":[]}"#));
        assert!(needs(Feature::End, Method::OpenuiBuild, r#"{"content":"","end":true}"#));
        assert!(!needs(Feature::End, Method::OpenuiBuild, r#"{"content":"","end":false}"#));
    }
}
