//! What the suite needs to know of a format: its definition, a row for each method, and the registry of formats.
//!
//! A definition is data with functions, in a folder of `formats`. Shared code takes all that is particular to a format
//! from here, and names no format.

mod comparison;
mod features;
mod growth;
pub mod places;
mod unspecified;
mod unsupported;

use std::collections::BTreeSet;
use std::fmt;

pub use comparison::{EmbeddedJson, Volatile};
pub use growth::GrowthPoint;
pub use places::{Places, RulePlaces};
pub use unspecified::{Unspecified, UnspecifiedInput};
pub use unsupported::UnsupportedReason;

use crate::json::Json;
use crate::options::Options;
use crate::protocol::{FeatureDef, Format, Method};

/// All that the suite knows of a format.
pub trait FormatDef: Sync {
    /// The format.
    fn format(&self) -> Format;

    /// A row for each method, in the order of the protocol's document.
    fn methods(&self) -> &'static [MethodDef];

    // Derived checks.

    // Explanations.

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

/// All that the suite knows of a method.
pub struct MethodDef {
    /// The method.
    pub method: Method,
    // Params and results.

    // Derived checks.

    // Explanations, new cases and the protocol check.

    // Comparison, campaigns and reports.
    /// A result as it counts: what may be absent is filled in, what never counts is gone.
    pub normalise: fn(&Json) -> Json,
    /// Members of a result whose texts hold JSON.
    pub texts: &'static [EmbeddedJson],
    /// Texts of a result that may differ from answer to answer.
    pub volatile: &'static [Volatile],
    /// The params and the two results of a failure, to the places at which the results differ.
    pub places: fn(&str, &Json, &Json) -> Places,
    /// The rules by which the reference reads a request with these params.
    pub deciding_rules: fn(&Json, &Options) -> BTreeSet<&'static str>,
    /// The rule that a new case lists if no other rule decides.
    pub default_rule: &'static str,
    /// Inputs that can be made longer and longer.
    pub growth: &'static [GrowthPoint],
    /// Reasons with which an implementation may refuse some requests as unsupported.
    pub unsupported_reasons: &'static [UnsupportedReason],
}

impl fmt::Debug for MethodDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MethodDef").field(&self.method).finish()
    }
}

/// No deciding rules: for methods whose params hold nothing that the reference reads by rules.
#[must_use]
pub fn no_rules(_params: &Json, _options: &Options) -> BTreeSet<&'static str> {
    BTreeSet::new()
}

/// The formats that a suite has.
#[derive(Clone, Copy)]
pub struct Formats(&'static [&'static dyn FormatDef]);

impl Formats {
    /// The formats of these definitions.
    #[must_use]
    pub const fn new(formats: &'static [&'static dyn FormatDef]) -> Formats {
        Formats(formats)
    }

    /// Every definition, in the order of reports.
    pub fn all(self) -> impl Iterator<Item = &'static dyn FormatDef> {
        self.0.iter().copied()
    }

    /// The definition of a format.
    ///
    /// # Panics
    ///
    /// If the format is not one of these.
    #[must_use]
    pub fn def(self, format: Format) -> &'static dyn FormatDef {
        self.all().find(|def| def.format() == format).expect("every format has a definition")
    }

    /// The row of a method.
    ///
    /// # Panics
    ///
    /// If the method belongs to none of these formats.
    #[must_use]
    pub fn method(self, method: Method) -> &'static MethodDef {
        let rows = self.def(method.format()).methods();
        rows.iter().find(|row| row.method == method).expect("every method has a row")
    }
}
