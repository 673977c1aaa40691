//! Features that an implementation may omit, of all formats.

use super::Feature;
use super::Formats;
use crate::protocol::Handshake;

impl Formats {
    /// Every feature, in the order of the formats.
    pub fn features(self) -> impl Iterator<Item = Feature> {
        self.all().flat_map(|def| def.features()).map(Feature::new)
    }

    /// The features that a handshake omits, each once and in order. Names that no format has are left out.
    #[must_use]
    pub fn omitted(self, handshake: &Handshake) -> Vec<Feature> {
        self.features().filter(|feature| handshake.omits.iter().any(|name| name == feature.name())).collect()
    }
}
