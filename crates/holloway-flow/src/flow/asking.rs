//! What is asked of a model for plans? One proposal for each strategy, with the tools that fit the
//! request and what skills say about them. All strategies are shown the same.

use std::sync::Arc;

use futures_util::future::join_all;
use holloway_plan::plan::Plan;
use holloway_plan::tool::{Lookup, ToolSpec};
use holloway_planner::drafts::Drafted;
use holloway_planner::frame::Frame;
use holloway_planner::frame::acts::Acts;

use super::{Planner, SKILL_TOKENS, TOOL_TOKENS};
use crate::discover::FOR_PLANNING;
use crate::model::Model;
use crate::model::prompt::draft::DraftOrder;
use crate::model::propose::{Proposal, Task, Terms, propose_draft};

/// Tools that are looked for with the words of one goal.
const FOR_GOAL: usize = 6;
/// Tools that a model is shown.
const SHOWN: usize = 40;

/// What plans are asked for.
pub(super) struct Asking<'a> {
    pub(super) request: &'a str,
    pub(super) frame: &'a Frame,
    pub(super) model: &'a dyn Model,
    pub(super) terms: &'a Terms,
    pub(super) on_early: &'a (dyn Fn(Plan) + Sync),
}

impl Planner {
    /// One proposal for each strategy, all asked for at once.
    pub(super) async fn proposals(
        &self,
        asking: &Asking<'_>,
        embedded: Vec<Drafted>,
    ) -> Vec<Proposal<Drafted>> {
        let tools = self.offered(asking, &embedded);
        let tools = tools.as_slice();
        let knowledge = &self.knowledge(&embedded);
        // Where our own planner has nothing, the model is asked all the same.
        let asked = self.settings.strategies.iter().map(|strategy| {
            let mut known = embedded.iter();
            let own = known.find(|own| own.strategy == strategy.name).cloned();
            let own = own.unwrap_or_else(|| Drafted::none(&strategy.name));
            async move {
                let task = Task {
                    order: DraftOrder {
                        request: asking.request,
                        frame: asking.frame,
                        scene: &self.scene,
                        strategy,
                        tools,
                        context: Some(knowledge),
                        tool_tokens: TOOL_TOKENS,
                    },
                    table: self.catalogue.table(),
                };
                let mut on_early = |plan| (asking.on_early)(plan);
                propose_draft(asking.model, &task, asking.terms, &mut on_early, || own).await
            }
        });
        join_all(asked.collect::<Vec<_>>()).await
    }

    /// The tools a model is shown: those of our own drafts, those found by the request, and those
    /// found by the words and the act of each goal.
    fn offered(&self, asking: &Asking<'_>, own: &[Drafted]) -> Vec<Arc<ToolSpec>> {
        let mut offered = self.tools_of(own);
        let mut add = |text: &str, most: usize| {
            for place in self.catalogue.index().search(text, most) {
                let tool = self.catalogue.tool(place).cloned();
                let is_new =
                    |tool: &Arc<ToolSpec>| !offered.iter().any(|known| known.id == tool.id);
                offered.extend(tool.filter(is_new));
            }
        };
        add(asking.request, FOR_PLANNING);
        for goal in &asking.frame.goals {
            add(&goal.text, FOR_GOAL);
            if let Some(act) = Acts::table().act(&goal.act) {
                add(&act.about, FOR_GOAL);
            }
        }
        offered.truncate(SHOWN);
        offered
    }

    /// The tools of drafts, each once.
    fn tools_of(&self, drafts: &[Drafted]) -> Vec<Arc<ToolSpec>> {
        let mut tools: Vec<Arc<ToolSpec>> = Vec::new();
        let notes = drafts.iter().flat_map(|draft| &draft.steps);
        for note in notes {
            if let Lookup::Found(tool) = self.catalogue.table().find(&note.tool)
                && !tools.iter().any(|known| known.id == tool.id)
            {
                tools.push(tool);
            }
        }
        tools
    }

    /// What skills say about the tools of our own drafts: a model will want much the same
    /// ones. Each section once.
    fn knowledge(&self, own: &[Drafted]) -> String {
        let tools = self.tools_of(own);
        let needed = self.skills.skills_of_plan(tools.iter().map(|tool| &**tool));
        let mut left = SKILL_TOKENS;
        let mut sections: Vec<String> = Vec::new();
        for tool in &tools {
            for loaded in self.skills.sections_for(tool, &needed, left) {
                let text = loaded.section.markdown();
                if !sections.contains(&text) {
                    left = left.saturating_sub(loaded.section.tokens());
                    sections.push(text);
                }
            }
        }
        sections.join("\n\n")
    }
}
