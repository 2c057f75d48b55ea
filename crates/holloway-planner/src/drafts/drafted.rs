//! What comes out of planning: a draft with what speaks for it and against it.

use holloway_plan::draft::Draft;
use serde::Serialize;

use super::{Coverage, Missing};
use crate::assemble::Account;
use crate::bind::Binding;

/// A draft and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Drafted {
    pub strategy: String,
    pub draft: Draft,
    pub steps: Vec<StepNote>,
    pub coverage: Vec<Coverage>,
    /// What was asked for and is not done.
    pub missing: Vec<Missing>,
    /// What the person who runs the plan has to say: the names of inputs without a value.
    pub open_inputs: Vec<String>,
    /// Files and addresses that the request names and no step takes.
    pub unused: Vec<String>,
    /// Which step or argument serves each part of the request.
    pub serves: Vec<Account>,
    /// Tools in it of which nobody declared what they do.
    pub inferred: Vec<String>,
    /// How likely the choice of tools is right, 0 to 1.
    pub fit: f32,
}

impl Drafted {
    /// No draft of this strategy.
    pub fn none(strategy: &str) -> Self {
        Self {
            strategy: strategy.to_owned(),
            draft: Draft::default(),
            steps: Vec::new(),
            coverage: Vec::new(),
            missing: Vec::new(),
            open_inputs: Vec::new(),
            unused: Vec::new(),
            serves: Vec::new(),
            inferred: Vec::new(),
            fit: 0.0,
        }
    }
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
