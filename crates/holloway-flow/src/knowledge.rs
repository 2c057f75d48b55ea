//! What is known beside a plan when its run begins? The sections of skills that belong to its tools,
//! which tool followed which in remembered runs, and how much loading everything would take.

use std::collections::BTreeMap;

use holloway_engine::context::{Knowledge, Known};
use holloway_engine::tokens::Counter;
use holloway_plan::plan::Plan;
use holloway_plan::tool::{ToolId, ToolSpec};
use holloway_planner::recall::PastRun;
use serde_json::json;

use crate::skills::Skills;
use crate::skills::infer::tools_of;

/// Tokens that the skills of one step may have.
const SKILL_TOKENS: usize = 900;
/// Remembered runs that agree with a transition count from this many on; fewer say little.
const ENOUGH: f64 = 2.0;

/// What a run is given besides its plan.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    pub skills: &'a Skills,
    pub past: &'a [PastRun],
    /// All tools there are, used or not.
    pub catalogue: &'a [&'a ToolSpec],
    /// A tool is shown from this probability on.
    pub threshold: f64,
    /// Tokens of one context.
    pub budget: usize,
}

/// What steps of this plan may be shown.
pub fn knowledge(plan: &Plan, around: &Surroundings<'_>, counter: &Counter) -> Knowledge {
    let tools = tools_of(plan);
    let needed = around
        .skills
        .skills_of_plan(tools.iter().map(|tool| &**tool));
    let mut sections = BTreeMap::new();
    for tool in &tools {
        let loaded = around.skills.sections_for(tool, &needed, SKILL_TOKENS);
        let known: Vec<Known> = loaded
            .into_iter()
            .map(|loaded| Known {
                skill: loaded.skill.to_owned(),
                title: loaded.section.title.clone(),
                text: loaded.section.text.clone(),
            })
            .collect();
        if !known.is_empty() {
            sections.insert(tool.id.clone(), known);
        }
    }
    let skills = needed
        .iter()
        .filter_map(|needed| around.skills.get(&needed.skill));
    let of_skills = skills
        .flat_map(|skill| &skill.sections)
        .map(|section| counter.count(&section.markdown()));
    let of_tools = around
        .catalogue
        .iter()
        .map(|tool| counter.count(&definition(tool)));
    Knowledge {
        objective: plan.draft().objective.clone().unwrap_or_default(),
        sections,
        followed: followed(
            &tools.iter().map(|tool| &tool.id).collect::<Vec<_>>(),
            around.past,
        ),
        everything: (of_skills.sum::<usize>() + of_tools.sum::<usize>()) as u64,
        threshold: around.threshold,
        budget: around.budget,
        ..Knowledge::default()
    }
}

/// A tool as clients that load every definition send it.
fn definition(tool: &ToolSpec) -> String {
    json!({"name": tool.id, "description": tool.description, "input_schema": tool.input_schema})
        .to_string()
}

/// The shares with which tools of a plan followed one another in remembered runs.
pub fn followed(tools: &[&ToolId], past: &[PastRun]) -> BTreeMap<ToolId, BTreeMap<ToolId, f64>> {
    let mut counts: BTreeMap<&ToolId, BTreeMap<&ToolId, f64>> = BTreeMap::new();
    let known = |name: &String| tools.iter().copied().find(|id| id.as_str() == name);
    for run in past {
        for pair in run.tools.windows(2) {
            let [before, after] = pair else { continue };
            if let (Some(before), Some(after)) = (known(before), known(after)) {
                *counts.entry(before).or_default().entry(after).or_default() += 1.0;
            }
        }
    }
    let shares = counts.into_iter().filter_map(|(before, after)| {
        let all: f64 = after.values().sum();
        (all >= ENOUGH).then(|| {
            let shares = after
                .into_iter()
                .map(|(id, count)| (id.clone(), count / all));
            (before.clone(), shares.collect())
        })
    });
    shares.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_come_from_runs_that_are_remembered() {
        let ids: Vec<ToolId> = ["b/read", "b/sum", "b/write"].map(ToolId::new).to_vec();
        let run = |tools: &[&str]| PastRun {
            tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
            ..PastRun::default()
        };
        let past = [
            run(&["b/read", "b/sum", "b/write"]),
            run(&["b/read", "b/sum"]),
            run(&["b/read", "b/write"]),
            run(&["b/read", "other/tool"]),
        ];
        let found = followed(&ids.iter().collect::<Vec<_>>(), &past);
        let after_read = &found[&ids[0]];
        assert!((after_read[&ids[1]] - 2.0 / 3.0).abs() < 1e-9);
        // One run says too little.
        assert!(!found.contains_key(&ids[1]));
    }
}
