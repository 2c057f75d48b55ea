//! Which tools does a draft call, and which are right for a request?

use std::sync::Arc;

use holloway_plan::step::Step;
use holloway_planner::bind::PastArguments;
use holloway_planner::catalogue::{Catalogue, Place};
use holloway_planner::frame::Frame;
use holloway_planner::other::{OtherDraft, OtherSettings, plan_other};
use holloway_planner::recall::Recall;
use serde_json::Value;

pub(crate) struct Set {
    pub(crate) catalogue: Catalogue,
    pub(crate) ids: Vec<String>,
}

impl Set {
    pub(crate) fn places(&self, plan: &Value) -> Vec<Place> {
        let ids = plan.as_array().into_iter().flatten();
        let ids = ids.filter_map(Value::as_str);
        ids.filter_map(|id| self.ids.iter().position(|own| own == id))
            .collect()
    }

    pub(crate) fn calls<'d>(&self, draft: &'d OtherDraft) -> Vec<(Place, &'d Step)> {
        let place = |step: &Step| {
            let name = step.tool.as_deref()?;
            let mut tools = self.catalogue.tools();
            tools
                .find(|(place, tool)| {
                    tool.id.as_str() == name || self.catalogue.name_in_plans(*place) == Some(name)
                })
                .map(|(place, _)| place)
        };
        let steps = draft.draft.steps.iter();
        let calls = steps.map(|step| step.step.as_deref().unwrap_or(step));
        calls
            .filter_map(|step| Some((place(step)?, step)))
            .collect()
    }

    pub(crate) fn tools_of(&self, draft: &OtherDraft) -> Vec<Place> {
        let calls = self.calls(draft).into_iter();
        calls.map(|(place, _)| place).collect()
    }

    /// The draft that would be shown for a request.
    pub(crate) fn draft(&self, frame: &Frame) -> Option<OtherDraft> {
        let recall = Recall::new(Arc::clone(self.catalogue.index()));
        let settings = OtherSettings::default();
        let past = PastArguments::default();
        let sequences = recall.propose(&frame.text(), settings.strategies.len());
        let drafts = plan_other(frame, &self.catalogue, &sequences, &past, &settings);
        drafts.into_iter().next()
    }

    /// Whether a draft calls the tools of one of these plans.
    pub(crate) fn is_right(&self, draft: &OtherDraft, right: &[Vec<Place>]) -> bool {
        let sorted = |mut tools: Vec<Place>| {
            tools.sort_unstable();
            tools
        };
        let own = sorted(self.tools_of(draft));
        right.iter().any(|plan| sorted(plan.clone()) == own)
    }
}
