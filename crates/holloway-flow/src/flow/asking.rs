//! What is asked of a model for plans? One proposal for each strategy, with the tools that fit the
//! request and what skills say about them.

use std::sync::Arc;

use futures_util::future::join_all;
use holloway_plan::plan::Plan;
use holloway_plan::tool::{Lookup, ToolSpec};
use holloway_planner::drafts::Drafted;
use holloway_planner::request::Analysis;

use super::{Planner, SKILL_TOKENS, TOOL_TOKENS};
use crate::discover::FOR_PLANNING;
use crate::model::Model;
use crate::model::prompt::draft::Order;
use crate::model::propose::{Proposal, Task, Terms, propose_draft};

impl Planner {
    /// One proposal for each strategy, all asked for at once.
    pub(super) async fn proposals(
        &self,
        analysis: &Analysis,
        embedded: Vec<Drafted>,
        model: &dyn Model,
        terms: &Terms,
        on_early: &(dyn Fn(Plan) + Sync),
    ) -> Vec<Proposal<Drafted>> {
        let tools = self.offered(&analysis.request);
        let tools = tools.as_slice();
        // Where our own planner has nothing, the model is asked all the same.
        let asked = self.settings.strategies.iter().map(|strategy| {
            let mut known = embedded.iter();
            let own = known.find(|own| own.strategy == strategy.name).cloned();
            let own = own.unwrap_or_else(|| Drafted::none(&strategy.name));
            let knowledge = self.knowledge(&own);
            async move {
                let task = Task {
                    order: Order {
                        analysis,
                        strategy,
                        tools,
                        context: Some(&knowledge),
                        tool_tokens: TOOL_TOKENS,
                    },
                    table: self.catalogue.table(),
                };
                propose_draft(model, &task, terms, &mut |plan| on_early(plan), || own).await
            }
        });
        join_all(asked.collect::<Vec<_>>()).await
    }

    /// The tools a model is shown.
    fn offered(&self, request: &str) -> Vec<Arc<ToolSpec>> {
        let places = self.catalogue.index().search(request, FOR_PLANNING);
        let tools = places.into_iter();
        tools
            .filter_map(|place| self.catalogue.tool(place).cloned())
            .collect()
    }

    /// What skills say about the tools of our own draft: a model will want much the same
    /// ones. Each section once.
    fn knowledge(&self, own: &Drafted) -> String {
        let named = own.steps.iter().map(|note| note.tool.as_str());
        let tools: Vec<Arc<ToolSpec>> = named
            .filter_map(|name| match self.catalogue.table().find(name) {
                Lookup::Found(tool) => Some(tool),
                Lookup::Ambiguous(_) | Lookup::Missing => None,
            })
            .collect();
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
