//! How does an analysis become drafts? One strategy, one draft: which tools, in which
//! order, with what in between, and how far each thing asked for is covered.

use holloway_plan::draft::Draft;
use serde::{Deserialize, Serialize};

use crate::bind::Binding;
use crate::request::Priority;

/// How a plan is made. The names and figures come from the configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    pub name: String,
    /// How many steps it aims to stay within.
    pub steps: usize,
    /// What matters most to it.
    pub prefers: Priority,
}

/// What counts how much when tools or orders are weighed against each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    pub fidelity: f32,
    pub speed: f32,
    pub cost: f32,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            fidelity: 0.4,
            speed: 0.3,
            cost: 0.3,
        }
    }
}

/// A draft and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Drafted {
    pub strategy: String,
    pub draft: Draft,
    pub steps: Vec<StepNote>,
    pub coverage: Vec<Coverage>,
    /// What was asked for and no tool at hand does.
    pub missing: Vec<Missing>,
    /// What the person who runs the plan has to say: the names of inputs without a value.
    pub open_inputs: Vec<String>,
    /// How likely the choice of tools is right, 0 to 1.
    pub fit: f32,
}

/// Why a step is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepNote {
    pub step: String,
    pub tool: String,
    /// For people: "“certificate” in name", "makes the pages that meta-tags-check needs".
    pub reason: String,
    pub bindings: Vec<Binding>,
}

/// How far one domain is covered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The category or capability.
    pub domain: String,
    pub steps: usize,
    /// How many tools at hand serve it.
    pub available: usize,
}

/// A capability without a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    pub capability: String,
    /// What could be added, as `tools add` takes it.
    pub install: Vec<String>,
}
