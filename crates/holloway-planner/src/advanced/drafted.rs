//! What does a card say about tasks that became a plan? Why each tool, where its arguments
//! come from, and how far each domain is covered.

use std::collections::BTreeMap;

use super::track::TrackedPlan;
use crate::bind::Source;
use crate::catalogue::Catalogue;
use crate::drafts::{Coverage, Drafted, Missing, StepNote};

/// A tracked plan as one of the drafts that cards are made of.
pub fn drafted(
    tracked: &TrackedPlan,
    strategy: &str,
    missing: &[Missing],
    registry: &Catalogue,
) -> Drafted {
    let tasks = &tracked.tasks;
    let scores: f32 = tasks.iter().map(|task| task.score.clamp(0.0, 1.0)).sum();
    let open = tasks.iter().flat_map(|task| &task.open);
    let mut open: Vec<String> = open.map(|open| open.name.clone()).collect();
    open.sort();
    open.dedup();
    Drafted {
        strategy: strategy.to_owned(),
        draft: tracked.draft.clone(),
        steps: tasks
            .iter()
            .map(|task| StepNote {
                step: task.sequenced.step.clone(),
                tool: task.tool.id.to_string(),
                reason: task.reason.clone(),
                bindings: task.bindings.clone(),
            })
            .collect(),
        coverage: coverage(tracked, registry),
        missing: missing.to_vec(),
        serves: Vec::new(),
        open_inputs: open,
        unused: Vec::new(),
        fit: scores / tasks.len().max(1) as f32 * arguments(tracked),
    }
}

/// How sure the arguments are: as the least sure one. What is doubted in one place is doubted for
/// the same reasons elsewhere, so doubts do not multiply. What a person says is sure.
fn arguments(tracked: &TrackedPlan) -> f32 {
    let bindings = tracked.tasks.iter().flat_map(|task| &task.bindings);
    let guessed = bindings.filter(|binding| !matches!(binding.source, Source::Input { .. }));
    guessed
        .map(|binding| binding.confidence)
        .fold(1.0, f32::min)
}

/// By the categories of the tools that were taken.
fn coverage(tracked: &TrackedPlan, registry: &Catalogue) -> Vec<Coverage> {
    let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
    let categories = tracked.tasks.iter().map(|task| task.tool.category.as_str());
    for category in categories.filter(|category| !category.is_empty()) {
        *steps.entry(category).or_default() += 1;
    }
    let available = |domain: &str| registry.of_category(domain).len();
    let rows = steps.into_iter().map(|(domain, steps)| Coverage {
        domain: domain.to_owned(),
        steps,
        covered: steps.min(available(domain)),
        available: available(domain),
    });
    rows.collect()
}
