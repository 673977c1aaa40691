//! The definition of OpenUI stored messages.

mod checks;
mod compare;
mod deciding;
mod explain;
mod features;
pub mod fixtures;
pub mod generate;
mod growth;
mod methods;
mod mutants;
pub(crate) mod open_points;
mod places;
mod reference;
mod shape;
mod unspecified;
mod unsupported;
mod wire;

pub use explain::explain_openui;
pub use methods::{BUILD, FROM_EVENT, MODEL_TEXT, PARSE, STREAM};

use crate::explain::Explanation;
use crate::format::{Document, FeatureDef, Format, FormatDef, Method, Mutant, Reference, RulePlaces, Unspecified};
use crate::json::Json;
use crate::open_points::OpenPoint;
use crate::openui::Mode;
use crate::protocol::ParamsError;
use crate::settings::{ProfileName, Settings};

/// The definition of OpenUI stored messages.
pub(super) struct Openui;

/// The format.
pub const FORMAT: Format = Format::new(&Openui);

impl FormatDef for Openui {
    fn name(&self) -> &'static str {
        "openui"
    }

    fn profiles(&self) -> &'static [ProfileName] {
        &PROFILES
    }

    fn open_points(&self) -> &'static [OpenPoint] {
        open_points::OPEN_POINTS
    }

    fn document(&self) -> Document {
        Document { path: "spec/openui.md", text: include_str!("../../../spec/openui.md") }
    }

    fn methods(&self) -> &'static [Method] {
        methods::METHODS
    }

    fn reference(&self, options: &Settings) -> Box<dyn Reference> {
        Box::new(reader_options(options))
    }

    fn mutants(&self) -> Vec<Mutant> {
        mutants::all()
    }

    fn usual_method(&self) -> Method {
        methods::PARSE
    }

    fn recognises(&self, value: Option<&Json>) -> bool {
        // Every text reads as a message.
        let _ = value;
        true
    }

    fn explain<'a>(&self, text: &'a str, streaming: bool, options: &Settings) -> Result<Explanation<'a>, ParamsError> {
        let mode = if streaming { Mode::Streaming } else { Mode::Whole };
        Ok(explain::explain_openui(text, mode, &reader_options(options)))
    }

    fn features(&self) -> &'static [FeatureDef] {
        features::FEATURES
    }

    fn unspecified(&self) -> &'static [Unspecified] {
        unspecified::UNSPECIFIED
    }

    fn rule_places(&self) -> &'static [RulePlaces] {
        places::RULE_PLACES
    }
}

/// The profile `core`, the default.
pub const CORE: ProfileName = ProfileName::new("core");
/// The profile `chat`.
pub const CHAT: ProfileName = ProfileName::new("chat");
/// The profile `line-start`.
pub const LINE_START: ProfileName = ProfileName::new("line-start");

const PROFILES: [ProfileName; 3] = [CORE, CHAT, LINE_START];

/// The profile and the choices as the reader and the writer take them.
///
/// # Panics
///
/// Never: the names are those of the definition.
#[must_use]
pub fn reader_options(settings: &Settings) -> genui_openui::Options {
    let profile: genui_openui::Profile =
        settings.profile().name().parse().expect("a profile of the definition is one of the reader");
    let mut options = genui_openui::Options::from(profile);
    for (rule, name) in settings.other_choices() {
        // Choices of other formats are none of the reader's.
        let _ = open_points::choose(&mut options.choices, rule, name);
    }
    options
}

/// The settings by which the reader and the writer get these options.
///
/// # Panics
///
/// Never: each choice has a name.
#[must_use]
pub fn settings_of(options: &genui_openui::Options) -> Settings {
    let mut settings = Settings::of(profile_name(options.profile));
    for point in open_points::OPEN_POINTS {
        let name = open_points::chosen(&options.choices, point.rule).expect("every point has a choice");
        assert!(settings.choose(point.rule, name), "{} has no choice {name}", point.rule);
    }
    settings
}

/// The name of a profile of the reader.
///
/// # Panics
///
/// Never: each profile has a name.
#[must_use]
pub fn profile_name(profile: genui_openui::Profile) -> ProfileName {
    let named = PROFILES.into_iter().find(|name| name.name() == profile.name());
    named.expect("every profile has a name")
}
