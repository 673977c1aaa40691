//! Campaigns: requests are generated and mutated, two implementations answer them, and where they disagree the request
//! is made small and put with those that show the same.

mod case;
mod cost;
mod search;
mod shrink;
mod signature;

pub use case::{case_id, case_of, input_of, scaffold};
pub use cost::{CostFinding, CostFindings, find_superlinear};
pub use search::{BATCH, Campaign, CampaignOptions, Exchange, Limit, Progress, Results, Shrunk, Tally, Target};
pub use signature::{Finding, Signature};
