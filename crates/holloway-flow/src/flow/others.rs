//! Which tools of other people do what is asked? Those that do not say what they do are found by
//! search and by what past runs did.

use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::drafts::{self, Drafted, Lack, Missing};
use holloway_planner::frame::Frame;
use holloway_planner::other::{OtherSettings, plan_other, undone};
use holloway_planner::recall::Recall;
use holloway_planner::recall::flow::Flow;
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;

use super::packages::installable;
use super::{BUILTIN, Planner, SEQUENCES};

/// Tools of other people, found by search and by what past runs did.
pub(super) struct Others {
    pub(super) catalogue: Catalogue,
    pub(super) recall: Recall,
}

impl Others {
    /// The tools of other people among these.
    pub(super) fn of(tools: &[(ToolSpec, Entry, Repute)]) -> Option<Self> {
        let (own, foreign): (Vec<_>, Vec<_>) = tools
            .iter()
            .partition(|(tool, ..)| tool.id.source() == BUILTIN);
        let names = own.iter().map(|(tool, ..)| tool.id.name().to_owned());
        let catalogue = Catalogue::new(foreign.into_iter().cloned()).beside(names);
        let recall = recall_over(&catalogue);
        (!catalogue.is_empty()).then_some(Self { catalogue, recall })
    }
}

pub(super) fn recall_over(catalogue: &Catalogue) -> Recall {
    let flows: Vec<Flow> = catalogue
        .tools()
        .map(|(_, tool)| Flow::of(&tool.input_schema, &tool.output_schema))
        .collect();
    Recall::new(Arc::clone(catalogue.index())).with_flows(&flows)
}

impl Planner {
    /// Plans over tools that do not say what they do; none where there are no such tools.
    pub(super) fn over_others(&self, frame: &Frame) -> Vec<Drafted> {
        let Some(others) = &self.others else {
            return Vec::new();
        };
        let sequences = others.recall.propose(&frame.text(), SEQUENCES);
        let settings = OtherSettings {
            strategies: self
                .settings
                .strategies
                .iter()
                .map(|strategy| strategy.name.clone())
                .collect(),
            deepest: self.settings.deepest,
            fallbacks: self.settings.fallbacks,
            loop_items: self.settings.loop_items,
            loop_concurrency: self.settings.loop_concurrency,
            ..OtherSettings::default()
        };
        let drafts = plan_other(frame, &others.catalogue, &sequences, &self.past, &settings);
        drafts
            .into_iter()
            .map(|draft| drafts::of_other(frame, draft))
            .collect()
    }

    /// What no tool does, where there is no draft to say it.
    pub(super) fn lacking(&self, frame: &Frame) -> Vec<Missing> {
        let undone = match &self.others {
            Some(others) => undone(frame, &others.catalogue),
            None => (0..frame.goals.len()).collect(),
        };
        let goals = undone.iter().filter_map(|number| frame.goals.get(*number));
        let mut lacking: Vec<Missing> = goals
            .map(|goal| Missing::new(&goal.text, Lack::Tool))
            .collect();
        self.name_packages(&mut lacking);
        lacking
    }

    /// What could be added, where that is what is lacking.
    pub(super) fn name_packages(&self, missing: &mut [Missing]) {
        let lacks_tool = missing.iter_mut().filter(|one| one.lack == Lack::Tool);
        for missing in lacks_tool {
            missing.install = installable(&self.known, &missing.capability);
        }
    }
}
