//! What does a person choose from? A checked plan with what it covers, takes and risks.

use holloway_plan::plan::Plan;

use crate::estimate::Outlook;
use crate::generate::{Coverage, Missing, StepNote};

/// One of several plans for a request.
#[derive(Clone, Debug)]
pub struct Card {
    /// Names the plan among all ever made.
    pub id: String,
    /// The strategy it was made by: `thorough`, `quick`, `balanced`.
    pub strategy: String,
    pub plan: Plan,
    pub outlook: Outlook,
    pub steps: Vec<StepNote>,
    pub coverage: Vec<Coverage>,
    pub missing: Vec<Missing>,
    pub open_inputs: Vec<String>,
    /// Names of the skills its tools are at home in.
    pub skills: Vec<String>,
    /// Who made it: the embedded planner, or the name of a model.
    pub made_by: String,
}
