//! Open points: where the documents of a format are silent, and the choices that an implementation can make there.
//!
//! The crates of the formats have the choices as types. Their names, which case files and the protocol use, are given
//! here only.

/// A rule that leaves a point open, and the names of its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPoint {
    /// The rule's id.
    pub rule: &'static str,
    /// The names of its choices, two or more, the reference's default first.
    pub names: &'static [&'static str],
}

/// Names the open points of a format and their choices once. Generates `OPEN_POINTS`, and `chosen` and `choose`, which
/// read and make a choice by its name. A choice without a name does not compile.
macro_rules! open_points {
    ($choices:path: $($field:ident: $type:path = $rule:literal { $($variant:ident = $name:literal),+ $(,)? };)*) => {
        /// Every open point of the format, in the order of the rules.
        pub(crate) const OPEN_POINTS: &[$crate::open_points::OpenPoint] =
            &[$($crate::open_points::OpenPoint { rule: $rule, names: &[$($name),+] },)*];

        /// The name of the choice on a rule's point; `None` if the rule leaves none open.
        pub(crate) fn chosen(choices: &$choices, rule: &str) -> Option<&'static str> {
            match rule {
                $($rule => {
                    use $type as Choice;
                    Some(match choices.$field { $(Choice::$variant => $name,)+ })
                })*
                _ => None,
            }
        }

        /// Makes the choice of this name on a rule's point; `false` if there is none of that name.
        pub(crate) fn choose(choices: &mut $choices, rule: &str, name: &str) -> bool {
            match rule {
                $($rule => {
                    use $type as Choice;
                    choices.$field = match name { $($name => Choice::$variant,)+ _ => return false };
                    true
                })*
                _ => false,
            }
        }
    };
}

pub(crate) use open_points;
