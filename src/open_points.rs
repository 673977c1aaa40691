//! Points on which the documents of a format are silent, and the choice that somebody makes on each.

/// One point on which the documents are silent: its rule, and the names of its choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPoint {
    /// The rule's id.
    pub rule: &'static str,
    /// The names of its choices, two or more, the reference's default first.
    pub names: &'static [&'static str],
}

/// Declares each open point of a format once: its field and its type here, its rule's id and its names for everyone
/// else.
macro_rules! open_points {
    ($($(#[$doc:meta])* $field:ident: $type:ident, $rule:literal,
       $first:ident = $first_name:literal $(, $other:ident = $other_name:literal)+;)*) => {
        /// A choice for each open point; [`Default`] takes the choice that is named first.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Choices {
            $($(#[$doc])* pub(super) $field: $type,)*
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub(super) enum $type {
                #[default]
                $first,
                $($other,)+
            }
        )*

        /// Every open point, in the order of the rules.
        pub const OPEN_POINTS: &[$crate::open_points::OpenPoint] = &[$(
            $crate::open_points::OpenPoint { rule: $rule, names: &[$first_name $(, $other_name)+] },
        )*];

        impl Choices {
            /// The name of the choice on a rule's point; `None` where the rule is none of these.
            #[must_use]
            pub fn chosen(&self, rule: &str) -> Option<&'static str> {
                match rule {
                    $($rule => Some(match self.$field {
                        $type::$first => $first_name,
                        $($type::$other => $other_name,)+
                    }),)*
                    _ => None,
                }
            }

            /// Makes the choice of this name on a rule's point; `false` where there is none of that name.
            #[must_use]
            pub fn choose(&mut self, rule: &str, name: &str) -> bool {
                match (rule, name) {
                    $(
                        ($rule, $first_name) => self.$field = $type::$first,
                        $(($rule, $other_name) => self.$field = $type::$other,)+
                    )*
                    _ => return false,
                }
                true
            }
        }
    };
}

pub(crate) use open_points;
