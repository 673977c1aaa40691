//! What the suite needs to know of a format: its definition, a row for each method, and the registry of formats.
//!
//! A definition is data with functions, in a folder of `formats`. Shared code takes all that is particular to a format
//! from here, and names no format.

use std::fmt;

use crate::checks::{Check, InputChecks};
use crate::protocol::{Format, Method};

/// All that the suite knows of a format.
pub trait FormatDef: Sync {
    /// The format.
    fn format(&self) -> Format;

    /// A row for each method, in the order of the protocol's document.
    fn methods(&self) -> &'static [MethodDef];

    // Derived checks.

    /// Every derived check, in the order of the methods that have them.
    fn checks(&self) -> Vec<Check> {
        let mut checks: Vec<Check> = Vec::new();
        for check in self.methods().iter().filter_map(|row| row.checks).flat_map(|on_input| on_input.checks) {
            if !checks.contains(&check) {
                checks.push(check);
            }
        }
        checks
    }

    // Explanations.

    // Campaigns and reports.
}

/// All that the suite knows of a method.
pub struct MethodDef {
    /// The method.
    pub method: Method,
    // Params and results.

    // Derived checks.
    /// The derived checks on its params; `None` if there are none.
    pub checks: Option<InputChecks>,
    // Explanations, new cases and the protocol check.

    // Comparison, campaigns and reports.
}

impl fmt::Debug for MethodDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MethodDef").field(&self.method).finish()
    }
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
