//! What do programs see of a card? In full for `--json` and the planner's HTTP answer,
//! in short for the event that plans are ready.

use holloway_plan::draft::Draft;
use serde::Serialize;

use super::Card;
use crate::bind::Binding;
use crate::drafts::{Coverage, Missing};
use crate::estimate::Risk;

/// A card in full.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CardView<'a> {
    pub id: &'a str,
    pub strategy: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<&'a str>,
    pub steps: Vec<StepView<'a>>,
    /// US dollars.
    pub estimated_cost: f64,
    pub estimated_duration_ms: u64,
    pub confidence: f64,
    pub skills: &'a [String],
    pub effects: &'a [String],
    pub risks: &'a [Risk],
    pub coverage: &'a [Coverage],
    pub missing: &'a [Missing],
    pub open_inputs: &'a [String],
    pub made_by: &'a str,
    /// As `holloway run` takes it.
    pub plan: &'a Draft,
}

/// A step that calls a tool or asks a person; what is inside loops and groups stands
/// where it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView<'a> {
    pub id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<&'a str>,
    pub purpose: &'a str,
    /// Why the step is there.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reason: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub bindings: &'a [Binding],
}

/// A card in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CardSummary<'a> {
    pub id: &'a str,
    pub strategy: &'a str,
    /// How many steps do something.
    pub steps: usize,
    /// US dollars.
    pub estimated_cost: f64,
    pub confidence: f64,
    pub skills: &'a [String],
}

impl Card {
    pub fn view(&self) -> CardView<'_> {
        let draft = self.plan.draft();
        CardView {
            id: &self.id,
            strategy: &self.strategy,
            objective: draft.objective.as_deref(),
            steps: self.step_views(),
            estimated_cost: self.outlook.money,
            estimated_duration_ms: self.outlook.duration_ms,
            confidence: self.outlook.confidence,
            skills: &self.skills,
            effects: &self.outlook.effects,
            risks: &self.outlook.risks,
            coverage: &self.coverage,
            missing: &self.missing,
            open_inputs: &self.open_inputs,
            made_by: &self.made_by,
            plan: draft,
        }
    }

    pub fn summary(&self) -> CardSummary<'_> {
        CardSummary {
            id: &self.id,
            strategy: &self.strategy,
            steps: self.outlook.steps,
            estimated_cost: self.outlook.money,
            confidence: self.outlook.confidence,
            skills: &self.skills,
        }
    }

    fn step_views(&self) -> Vec<StepView<'_>> {
        let mut views = Vec::new();
        self.plan.draft().walk(&mut |step| {
            if !step.inner().is_empty() {
                return;
            }
            let note = self.steps.iter().find(|note| note.step == step.id);
            views.push(StepView {
                id: &step.id,
                tool: step.called_tool(),
                purpose: step.purpose.as_deref().unwrap_or_default(),
                reason: note.map_or("", |note| &note.reason),
                bindings: note.map_or(&[], |note| &note.bindings),
            });
        });
        views
    }
}
