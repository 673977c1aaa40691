//! What an implementation is asked to follow, in every format.

use crate::open_points::{self, OpenPoint};
use crate::openui::Profile;
use crate::{glossen, openui};

/// The profile, and a choice for each open point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Those of OpenUI, which alone has profiles.
    pub openui: openui::Options,
    /// Those of Glossen.
    pub glossen: glossen::Choices,
}

/// Every open point, in the order of the documents.
pub fn open_points() -> impl Iterator<Item = &'static OpenPoint> {
    open_points::openui::OPEN_POINTS.iter().chain(open_points::glossen::OPEN_POINTS)
}

impl Options {
    /// This profile with the choices that are named first.
    #[must_use]
    pub fn of(profile: Profile) -> Options {
        openui::Options::from(profile).into()
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.openui.profile
    }

    /// The name of the choice on a rule's point; `None` where the rule has none.
    #[must_use]
    pub fn chosen(&self, rule: &str) -> Option<&'static str> {
        open_points::openui::chosen(&self.openui.choices, rule)
            .or_else(|| open_points::glossen::chosen(&self.glossen, rule))
    }

    /// Makes the choice of this name on a rule's point; `false` where there is none of that name.
    #[must_use]
    pub fn choose(&mut self, rule: &str, name: &str) -> bool {
        open_points::openui::choose(&mut self.openui.choices, rule, name)
            || open_points::glossen::choose(&mut self.glossen, rule, name)
    }
}

impl From<openui::Options> for Options {
    fn from(openui: openui::Options) -> Options {
        Options { openui, ..Options::default() }
    }
}
