//! The types that describe a format: its definition, a row for each method, and the registry of formats.
//!
//! A definition is data with functions, in a folder of `formats`. Shared code takes all that is particular to a format
//! from here, and names no format.

mod comparison;
mod feature;
mod features;
mod growth;
mod input;
pub mod places;
mod registry;
pub mod result_shape;
mod schema;
mod shape;
mod unspecified;
mod unsupported;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

pub use comparison::{EmbeddedJson, Volatile};
pub use feature::{Feature, FeatureDef};
pub use growth::GrowthPoint;
pub use input::{json_member, json_params, json_text, optional_value};
pub use places::{Places, RulePlaces};
pub use registry::Formats;
pub use schema::{answer_schema, request_schema};
pub use shape::{value_shape, words};
pub use unspecified::{Unspecified, UnspecifiedInput};
pub use unsupported::UnsupportedReason;

use self::result_shape::ShapeError;
use crate::checks::{Check, InputChecks};
use crate::explain::Explanation;
use crate::generate::Draw;
use crate::json::Json;
use crate::open_points::OpenPoint;
use crate::protocol::{ParamsError, Refusal, read_params};
use crate::settings::{ProfileName, Settings};

/// The definition of a format.
pub trait FormatDef: Sync {
    /// The name: the first part of the ids of its rules and cases and of the names of its methods.
    fn name(&self) -> &'static str;

    /// The specification.
    fn document(&self) -> Document;

    /// The profiles, the default first; none if its rules depend on none.
    fn profiles(&self) -> &'static [ProfileName] {
        &[]
    }

    /// The points that its documents leave open, in the order of the rules.
    fn open_points(&self) -> &'static [OpenPoint] {
        &[]
    }

    /// Every method, in the order of the protocol's document.
    fn methods(&self) -> &'static [Method];

    /// What the parts of an explanation are.
    fn parts(&self) -> PartKind {
        PartKind::Lines
    }

    /// The reference, which answers as these options say. Called once for each session.
    fn reference(&self, options: &Settings) -> Box<dyn Reference>;

    /// The mutants, in the order of the rules.
    fn mutants(&self) -> Vec<Mutant>;

    // Derived checks.

    /// Every derived check, in the order of the methods that have them.
    fn checks(&self) -> Vec<Check> {
        let mut checks: Vec<Check> = Vec::new();
        for check in self.methods().iter().filter_map(|method| method.checks).flat_map(|on_input| on_input.checks) {
            if !checks.contains(&check) {
                checks.push(check);
            }
        }
        checks
    }

    /// The method of a new case, unless another is named.
    fn usual_method(&self) -> Method;

    /// Whether a text that is given without its format is of this one: by its JSON value, or `None` if it is not JSON.
    fn recognises(&self, value: Option<&Json>) -> bool;

    /// Explains a text of the format, as these options say.
    ///
    /// # Errors
    ///
    /// If the format is JSON and the text is not.
    fn explain<'a>(&self, text: &'a str, streaming: bool, options: &Settings) -> Result<Explanation<'a>, ParamsError>;

    // Campaigns and reports.

    /// Features of its methods that an implementation may omit.
    fn features(&self) -> &'static [FeatureDef] {
        &[]
    }

    /// Inputs for which its document specifies no answer, one row for each rule and name.
    fn unspecified(&self) -> &'static [Unspecified] {
        &[]
    }

    /// Which of its rules are about which places of a result. A rule without a row is about every place.
    fn rule_places(&self) -> &'static [RulePlaces] {
        &[]
    }
}

/// The document of a format's rules.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// Its path in the repository.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The definition of a method.
pub struct MethodDef {
    /// The name in the protocol and in case files.
    pub name: &'static str,
    /// The format that it belongs to.
    pub format: Format,
    /// Its params.
    pub params: ParamsDef,
    /// Its result.
    pub result: ResultDef,
    /// Draws params for which the documents specify a result, and which a caller may send.
    pub generate: fn(&mut dyn Draw) -> Json,

    // Derived checks.
    /// The derived checks on its params; `None` if there are none.
    pub checks: Option<InputChecks>,
    /// Explains the message, payload or messages of a request; `None` if it has none.
    pub explain: fn(&Json, &Settings) -> Option<Explanation<'static>>,
    /// Makes the params of a new case from the text of a file.
    pub from_text: fn(&str, streaming: bool) -> Result<Json, ParamsError>,
    /// Whether a request can say that more of its message may come.
    pub reads_streaming: bool,
    /// The shape of params, without names, words and figures: cases of one shape test the same.
    pub shape: fn(&Json, &mut String),
    /// Requests that any implementation of the method can answer; the plain one first.
    pub samples: &'static [Sample],
    /// How a text is sent and comes back unchanged, if it does.
    pub echo: Option<Echo>,
    /// Makes params with this JSON value in the place where an implementation has to take any value.
    pub with_value: Option<fn(&str) -> String>,
    // Comparison, campaigns and reports.
    /// A result as it counts: what may be absent is filled in, what never counts is gone.
    pub normalise: fn(&Json) -> Json,
    /// Members of a result whose texts hold JSON.
    pub texts: &'static [EmbeddedJson],
    /// Texts of a result that may differ from answer to answer.
    pub volatile: &'static [Volatile],
    /// The params and the two results of a failure, to the places at which the results differ.
    pub places: fn(&str, &Json, &Json) -> Places,
    /// The rule that a result for these params breaks by itself, if it breaks one, whatever was expected.
    pub breaks: fn(&str, &Json) -> Option<&'static str>,
    /// The rules by which the reference reads a request with these params.
    pub deciding_rules: fn(&Json, &Settings) -> BTreeSet<&'static str>,
    /// The rule that a new case lists if no other rule decides.
    pub default_rule: &'static str,
    /// Inputs that can be made longer and longer.
    pub growth: &'static [GrowthPoint],
    /// Reasons with which an implementation may refuse some requests as unsupported.
    pub unsupported_reasons: &'static [UnsupportedReason],
}

/// The params of a method.
pub struct ParamsDef {
    /// Their schema.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Whether a JSON text fits the method.
    pub check: fn(&str) -> Result<(), ParamsError>,
}

impl ParamsDef {
    /// Params of this type.
    #[must_use]
    pub const fn of<P: JsonSchema + for<'p> Deserialize<'p>>() -> ParamsDef {
        ParamsDef { schema: schema_of::<P>, check: |params| read_params::<P>(params).map(|_| ()) }
    }
}

/// The result of a method.
pub struct ResultDef {
    /// Its schema.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// The members that it may have.
    pub members: &'static [&'static str],
    /// Whether a value has the shape of a result, whatever its content.
    pub check: fn(&Json) -> Result<(), ShapeError>,
}

/// A request that any implementation of its method can answer.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What is special about it.
    pub name: &'static str,
    /// The params.
    pub params: &'static str,
    /// The feature that it needs.
    pub feature: Option<&'static str>,
    /// Params that have the same answer, since a member that is null counts as absent.
    pub same_as: Option<&'static str>,
}

/// How a text is sent in a request and comes back unchanged in the result.
#[derive(Clone, Copy, Debug)]
pub struct Echo {
    /// Makes params that carry a text.
    pub params: fn(&str) -> Json,
    /// The text in a result.
    pub text: for<'r> fn(&'r Json) -> Option<&'r str>,
}

/// The schema of a type, which the generator keeps among its definitions.
pub fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// What a reference or a mutant answers: a result, or a refusal that a case can expect.
pub type Reply = Result<Json, Refusal>;

/// A reference implementation in a session.
pub trait Reference: Send + Sync {
    /// Answers a request of one of the format's methods.
    ///
    /// # Errors
    ///
    /// Returns a refusal if the params do not fit, or if the rules refuse the request.
    fn answer(&self, method: Method, params: &str) -> Reply;
}

/// A wrong implementation.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// Its name.
    pub name: &'static str,
    /// What it does wrong, in a line.
    pub about: &'static str,
    /// The id of the rule that it violates.
    pub rule: &'static str,
    /// The profiles in which it violates the rule, where these are not all in which the rule applies.
    pub profiles: Option<&'static [ProfileName]>,
    /// What it does differently.
    pub fault: &'static dyn Fault,
}

impl Mutant {
    /// Whether it violates its rule in this profile, if the rule applies there.
    #[must_use]
    pub fn violates_in(&self, profile: ProfileName) -> bool {
        self.profiles.is_none_or(|profiles| profiles.contains(&profile))
    }
}

impl fmt::Debug for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mutant({})", self.name)
    }
}

/// The behaviour of a mutant.
pub trait Fault: Sync {
    /// Returns the wrong answer, or the right one if the fault does not show. Returns `None` if the fault does not affect
    /// the method; the reference then answers.
    fn answer(&self, method: Method, params: &str, options: &Settings) -> Option<Reply>;
}

/// No rules, for requests of which no reading names the rules that decide.
#[must_use]
pub fn no_rules(_params: &Json, _options: &Settings) -> BTreeSet<&'static str> {
    BTreeSet::new()
}

/// What the parts of an explanation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Lines of a text.
    Lines,
    /// Places of a JSON value.
    Places,
}

/// A method that an implementation may support. Gives access to its row; two methods are equal if their names are.
#[derive(Clone, Copy)]
pub struct Method(&'static MethodDef);

impl Method {
    /// The method of a row.
    #[must_use]
    pub const fn new(row: &'static MethodDef) -> Method {
        Method(row)
    }

    /// The name in the protocol and in case files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The format that it belongs to.
    #[must_use]
    pub fn format(self) -> Format {
        self.0.format
    }
}

impl Deref for Method {
    type Target = MethodDef;

    fn deref(&self) -> &MethodDef {
        self.0
    }
}

/// A format. Gives access to its definition; two formats are equal if their names are.
#[derive(Clone, Copy)]
pub struct Format(&'static dyn FormatDef);

impl Format {
    /// The format of a definition.
    #[must_use]
    pub const fn new(def: &'static dyn FormatDef) -> Format {
        Format(def)
    }

    /// The name: the first part of the ids of its rules and cases and of the names of its methods.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether its rules depend on a profile.
    #[must_use]
    pub fn has_profiles(self) -> bool {
        !self.0.profiles().is_empty()
    }
}

impl Deref for Format {
    type Target = dyn FormatDef;

    fn deref(&self) -> &(dyn FormatDef + 'static) {
        self.0
    }
}

/// Compares, orders, hashes and shows a handle by its name.
macro_rules! by_name {
    ($handle:ty) => {
        impl PartialEq for $handle {
            fn eq(&self, other: &Self) -> bool {
                self.name() == other.name()
            }
        }

        impl Eq for $handle {}

        impl PartialOrd for $handle {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $handle {
            fn cmp(&self, other: &Self) -> Ordering {
                self.name().cmp(other.name())
            }
        }

        impl Hash for $handle {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.name().hash(state);
            }
        }

        impl fmt::Debug for $handle {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl fmt::Display for $handle {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

by_name!(Method);
by_name!(Format);
