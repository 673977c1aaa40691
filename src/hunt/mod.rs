//! Campaigns: requests are generated and mutated, two implementations answer them, and where they disagree the request
//! is made small and put with those that show the same.

mod campaign;
mod case;
mod disagreement;
mod free;
mod reduce;

pub use campaign::{Campaign, CampaignOptions, Limit, Progress, Side};
pub use case::{case_id, case_text, input_of};
pub use disagreement::{Class, Finding};
