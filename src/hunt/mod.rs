//! Campaigns: requests are generated and mutated, two implementations answer them, and where they disagree the request
//! is made small and put with those that show the same.

mod campaign;
mod case;
mod cost;
mod disagreement;
mod reduce;

pub use campaign::{BATCH, Campaign, CampaignOptions, Limit, Progress, Side};
pub use case::{case_id, case_text, input_of, scaffold};
pub use cost::{CostFinding, hunt_cost};
pub use disagreement::{Class, Finding};
