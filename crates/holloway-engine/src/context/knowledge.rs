//! What is known beside the plan when a run begins? Gathered once, written into the first entry, and
//! so the same whenever the run is taken up again.

use std::collections::BTreeMap;

use holloway_plan::tool::ToolId;
use serde::{Deserialize, Serialize};

/// What steps may be shown besides the plan and its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Knowledge {
    /// What the run is for.
    pub objective: String,
    /// Sections of skills by the tool they belong to.
    pub sections: BTreeMap<ToolId, Vec<Known>>,
    /// Which tool followed which in earlier runs, as shares of 1.
    pub followed: BTreeMap<ToolId, BTreeMap<ToolId, f64>>,
    /// What loading all tools and skills takes, in tokens.
    pub everything: u64,
    /// A tool is shown from this probability on.
    pub threshold: f64,
    /// Tokens of one context.
    pub budget: usize,
    /// Characters of one result.
    pub result_characters: usize,
}

/// A section of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    pub skill: String,
    pub title: String,
    pub text: String,
}

impl Known {
    pub fn name(&self) -> String {
        format!("{}: {}", self.skill, self.title)
    }
}

impl Default for Knowledge {
    fn default() -> Self {
        Self {
            objective: String::new(),
            sections: BTreeMap::new(),
            followed: BTreeMap::new(),
            everything: 0,
            threshold: 0.7,
            budget: 3_000,
            result_characters: 500,
        }
    }
}
