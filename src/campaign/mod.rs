//! Campaigns: generated and mutated requests are sent to two implementations. Requests on which these disagree are
//! shrunk, and grouped by their signature.

mod case;
mod cost;
mod sample;
mod search;
mod shrink;
mod signature;

pub use case::{case_id, case_of, input_of, scaffold};
pub use cost::{CostFinding, CostFindings, find_superlinear};
pub use sample::{SAMPLE_SIZE, SampledId, Sampler, sampled_ids};
pub use search::{BATCH, Campaign, CampaignOptions, Exchange, Limit, Progress, Results, Shrunk, Tally, Target};
pub use signature::{Finding, Signature};
