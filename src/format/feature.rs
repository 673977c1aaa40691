//! Features of methods that an implementation may lack although it has the methods.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::Method;
use crate::json::Json;

/// A row for a feature, in the definition of its format.
#[derive(Debug)]
pub struct FeatureDef {
    /// The name in `omits`.
    pub name: &'static str,
    /// The names of the methods that have the feature.
    pub methods: &'static [&'static str],
    /// The members of a read message that hold the feature.
    pub members: &'static [&'static str],
    /// Whether a request cannot be answered without the feature. A feature that is only a member of the result is not
    /// needed: the rest of the result is judged.
    pub is_needed: fn(Method, &Json) -> bool,
    /// A result without the members of the feature.
    pub strip: fn(Method, Json) -> Json,
}

/// A feature of listed methods that an implementation can declare to omit. Features are equal if their names are.
#[derive(Clone, Copy)]
pub struct Feature(&'static FeatureDef);

impl Feature {
    /// The feature of a row.
    #[must_use]
    pub const fn new(def: &'static FeatureDef) -> Feature {
        Feature(def)
    }

    /// The name in `omits`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Whether a method has the feature.
    #[must_use]
    pub fn is_of(self, method: Method) -> bool {
        self.0.methods.contains(&method.name())
    }

    /// Whether a request cannot be answered without the feature.
    #[must_use]
    pub fn is_needed(self, method: Method, params: &Json) -> bool {
        (self.0.is_needed)(method, params)
    }

    /// The members of a read message that hold the feature.
    #[must_use]
    pub fn members(self) -> &'static [&'static str] {
        self.0.members
    }

    /// A result without the members of these features.
    #[must_use]
    pub fn strip(omitted: &[Feature], method: Method, result: Json) -> Json {
        omitted.iter().fold(result, |result, feature| (feature.0.strip)(method, result))
    }
}

impl PartialEq for Feature {
    fn eq(&self, other: &Feature) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Feature {}

impl Hash for Feature {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Feature").field(&self.name()).finish()
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
