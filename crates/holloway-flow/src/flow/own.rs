//! What does Holloway plan by itself? A template that serves the frame, steps laid from the frame,
//! or steps over tools that do not say what they do.

use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_planner::drafts;
use holloway_planner::drafts::Drafted;
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::choose::Understood;
use holloway_planner::read::request::RequestText;
use holloway_planner::settings::Strategy;
use holloway_planner::templates::{serving, with_free_names};

use super::{EMBEDDED, Heard, Made, Planner};

impl Planner {
    /// The embedded planner's drafts, with its name, and the request as they take it.
    pub(super) fn own(&self, heard: Heard, request: &RequestText) -> (Heard, Vec<Made>) {
        let drafts = self.own_drafts(&heard, request);
        let (heard, drafts) = if self.lacks_a_side(&heard, &drafts) {
            self.over_both(&heard, request).unwrap_or((heard, drafts))
        } else {
            (heard, drafts)
        };
        let made = drafts.into_iter().map(|drafted| Made {
            drafted,
            by: EMBEDDED.to_owned(),
        });
        (heard, made.collect())
    }

    /// Whether tools of one kind leave something undone that those of the other might do.
    fn lacks_a_side(&self, heard: &Heard, drafts: &[Drafted]) -> bool {
        let is_part = |drafted: &Drafted| !drafted.missing.is_empty() || !drafted.unused.is_empty();
        let undone = drafts.iter().all(is_part);
        undone && !heard.needs_no_plan() && !heard.is_sound() && self.after.is_none()
    }

    /// By the frame where it holds together; otherwise over tools that do not say what they do.
    pub(super) fn own_drafts(&self, heard: &Heard, request: &RequestText) -> Vec<Drafted> {
        if heard.needs_no_plan() || heard.understood.frame.is_empty() {
            return Vec::new();
        }
        let by_frame = if heard.is_sound() {
            self.by_frame(&heard.understood, &self.scene)
        } else {
            Vec::new()
        };
        let mut drafts = if by_frame.is_empty() {
            self.over_others(&heard.others)
        } else {
            by_frame
        };
        finish(&mut drafts, heard, request);
        drafts
    }

    pub(super) fn by_frame(&self, understood: &Understood, scene: &Scene) -> Vec<Drafted> {
        let strategies = self.settings.strategies.iter();
        if let Some(mut filled) = serving(&understood.frame, &self.templates) {
            with_free_names(&mut filled.draft, scene);
            let of_strategy = |strategy: &Strategy| {
                let filled = filled.clone();
                let mut drafted = drafts::of_template(&understood.frame, filled, &strategy.name);
                drafted.fit = drafted.signs(understood).chance();
                drafted
            };
            return strategies.map(of_strategy).collect();
        }
        let tools: Vec<Arc<ToolSpec>> = self
            .catalogue
            .tools()
            .map(|(_, tool)| Arc::clone(tool))
            .collect();
        let strategies = self.settings.strategies.iter();
        let drafts = strategies.filter_map(|strategy| {
            let frame = &understood.frame;
            let mut drafted = drafts::drafted(frame, scene, &tools, strategy, &self.settings)?;
            drafted.fit = drafted.signs(understood).chance();
            drafts::fill_from_past(&mut drafted, &self.catalogue, &self.past);
            if let Some(before) = &self.after {
                let steps = std::mem::take(&mut drafted.draft.steps);
                drafted.draft.steps = before.steps.iter().cloned().chain(steps).collect();
                drafted.draft.input.clone_from(&before.input);
            }
            Some(drafted)
        });
        drafts.collect()
    }
}

/// Writes down what drafts are for, and the limits of the request.
pub(super) fn finish(drafts: &mut [Drafted], heard: &Heard, request: &RequestText) {
    for drafted in drafts {
        request.set_objective(&mut drafted.draft);
        drafts::keep_limits(&mut drafted.draft, &heard.understood.frame.constraints);
    }
}
