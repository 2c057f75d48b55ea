//! What does a card say about a plan that a model wrote? Why each step is there, which
//! domains it covers, what a person has to supply.

use std::collections::BTreeMap;

use holloway_plan::needs::needed_inputs;
use holloway_plan::plan::Plan;
use holloway_plan::tool::ToolTable;
use holloway_planner::drafts::{Coverage, Drafted, Lack, Missing, StepNote};
use holloway_planner::request::Analysis;

/// Nothing is known of how well a model chooses before its plans have run.
const FIT: f32 = 0.5;

/// A sound plan with its notes.
pub fn drafted(
    plan: &Plan,
    strategy: &str,
    analysis: &Analysis,
    table: &ToolTable,
    model: &str,
) -> Drafted {
    Drafted {
        strategy: strategy.to_owned(),
        draft: plan.draft().clone(),
        steps: step_notes(plan, model),
        coverage: coverage(plan, analysis, table),
        missing: missing(analysis, table),
        serves: Vec::new(),
        open_inputs: needed_inputs(plan.draft()).into_keys().collect(),
        unused: Vec::new(),
        fit: FIT,
    }
}

fn step_notes(plan: &Plan, model: &str) -> Vec<StepNote> {
    let mut notes = Vec::new();
    plan.draft().walk(&mut |step| {
        if let Some(tool) = step.called_tool().and_then(|name| plan.tool(name)) {
            let purpose = step.purpose.as_deref().unwrap_or("no purpose given");
            notes.push(StepNote {
                step: step.id.clone(),
                tool: tool.id.to_string(),
                reason: format!("{model}: {purpose}"),
                bindings: Vec::new(),
            });
        }
    });
    notes
}

fn coverage(plan: &Plan, analysis: &Analysis, table: &ToolTable) -> Vec<Coverage> {
    let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
    for category in analysis
        .capabilities
        .iter()
        .filter_map(|one| one.category.as_deref())
    {
        steps.entry(category).or_default();
    }
    plan.draft().walk(&mut |step| {
        let tool = step.called_tool().and_then(|name| plan.tool(name));
        if let Some(tool) = tool.filter(|tool| !tool.category.is_empty()) {
            *steps.entry(&tool.category).or_default() += 1;
        }
    });
    let available = |domain: &str| table.iter().filter(|tool| tool.category == domain).count();
    let rows = steps.into_iter().map(|(domain, steps)| Coverage {
        domain: domain.to_owned(),
        steps,
        covered: steps.min(available(domain)),
        available: available(domain),
    });
    rows.filter(|row| row.steps + row.available > 0).collect()
}

fn missing(analysis: &Analysis, table: &ToolTable) -> Vec<Missing> {
    let has_tool = |category: &str| table.iter().any(|tool| tool.category == category);
    let lacking = analysis.capabilities.iter().filter(|one| {
        one.category
            .as_deref()
            .is_some_and(|category| !has_tool(category))
    });
    lacking
        .map(|one| Missing::new(&one.text, Lack::Tool))
        .collect()
}
