//! How is a failure told to a person? What was wanted, what came instead, what was tried and what
//! can be done now. The engine's own names for failures are told with `--verbose` only.

use std::collections::{BTreeMap, BTreeSet};

use holloway_engine::entry::{Entry, EntryKind, RepairDecision, RunId, Unmet};
use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_plan::plan::Plan;

use crate::print::{indented, one_line, units};

/// The engine's names for failures, as texts begin with them.
const NAMES: [FailureName; 9] = [
    FailureName::ToolFailed,
    FailureName::Timeout,
    FailureName::ValidationFailed,
    FailureName::UnknownTool,
    FailureName::Denied,
    FailureName::ExpectationUnmet,
    FailureName::MissingValue,
    FailureName::Deadlock,
    FailureName::LimitExceeded,
];

/// A reason without the engine's name for it.
pub(crate) fn plain(reason: &str) -> &str {
    NAMES
        .iter()
        .find_map(|name| reason.strip_prefix(name.as_str())?.strip_prefix(": "))
        .unwrap_or(reason)
}

/// What went wrong in a run, gathered from its entries.
#[derive(Debug, Default)]
pub(crate) struct Troubles {
    /// What steps are for, by their ids.
    purposes: BTreeMap<String, String>,
    nodes: BTreeMap<u32, Trouble>,
    /// The step whose failure ended the run.
    decisive: Option<u32>,
    /// Steps whose failures were passed over.
    passed: BTreeSet<u32>,
}

/// What went wrong in one step.
#[derive(Debug, Default)]
struct Trouble {
    node: String,
    step: String,
    /// Each tool with the number of calls made, in the order of their turns.
    tools: Vec<(String, usize)>,
    unmet: Vec<Unmet>,
    error: Option<ToolFailure>,
}

impl Troubles {
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut purposes = BTreeMap::new();
        plan.draft().walk(&mut |step| {
            if let Some(purpose) = &step.purpose {
                purposes.insert(step.id.clone(), purpose.clone());
            }
        });
        Self {
            purposes,
            ..Self::default()
        }
    }

    pub(crate) fn take(&mut self, entry: &Entry) {
        match &entry.kind {
            EntryKind::StepStart {
                node,
                call: Some(call),
            } => {
                let trouble = self.nodes.entry(node.n).or_default();
                trouble.node = node.node.to_string();
                trouble.step = node.step.to_string();
                match trouble.tools.last_mut() {
                    Some((tool, count)) if *tool == call.tool.as_str() => *count += 1,
                    _ => trouble.tools.push((call.tool.to_string(), 1)),
                }
            }
            EntryKind::ExpectationUnmet { node, unmet, .. } => {
                self.nodes
                    .entry(node.n)
                    .or_default()
                    .unmet
                    .clone_from(unmet);
            }
            EntryKind::StepComplete { node, .. } => {
                self.nodes.remove(&node.n);
            }
            EntryKind::Repair {
                node,
                decision: RepairDecision::Continue,
                ..
            } => {
                self.passed.insert(node.n);
            }
            EntryKind::StepError {
                node,
                attempt,
                error,
                ..
            } => {
                let trouble = self.nodes.entry(node.n).or_default();
                trouble.node = node.node.to_string();
                trouble.step = node.step.to_string();
                if error.name != FailureName::ExpectationUnmet {
                    trouble.unmet.clear();
                }
                trouble.error = Some(error.clone());
                // Steps around it fail because of it.
                if attempt.is_none() && !self.passed.contains(&node.n) {
                    self.decisive.get_or_insert(node.n);
                }
            }
            _ => {}
        }
    }

    /// Why the run failed, in lines; nothing where no step is to blame.
    pub(crate) fn told(&self, run: &RunId, verbose: bool) -> Option<Vec<(&'static str, String)>> {
        let trouble = self.nodes.get(&self.decisive?)?;
        let error = trouble.error.as_ref()?;
        let purpose = self.purposes.get(&trouble.step);
        let mut lines = vec![("step", trouble.name())];
        if trouble.unmet.is_empty() {
            lines.extend(purpose.map(|purpose| ("wanted", one_line(purpose, 200))));
            lines.push(("got", indented(&error.message)));
        } else {
            let wanted = trouble.unmet.iter().map(|unmet| unmet.wanted.as_str());
            let got = trouble.unmet.iter().map(|unmet| unmet.got.as_str());
            let wanted = wanted.collect::<Vec<_>>().join("; ");
            let purpose = purpose.map(|purpose| format!(" ({})", one_line(purpose, 120)));
            lines.push((
                "wanted",
                format!("{}{}", one_line(&wanted, 300), purpose.unwrap_or_default()),
            ));
            lines.push(("got", one_line(&got.collect::<Vec<_>>().join("; "), 300)));
        }
        lines.extend(trouble.tried().map(|tried| ("tried", tried)));
        lines.push(("now", Trouble::now(error, run)));
        if verbose {
            let flags = format!(
                "retryable: {}, uncertain: {}",
                error.retryable, error.uncertain
            );
            lines.push((
                "engine",
                format!("{} ({flags})", indented(&error.to_string())),
            ));
        }
        Some(lines)
    }
}

impl Trouble {
    fn name(&self) -> String {
        one_line(&self.node, 120)
    }

    fn tried(&self) -> Option<String> {
        let tried = self.tools.iter().map(|(tool, count)| match count {
            1 => tool.clone(),
            count => format!("{tool}, {}", units::count(*count, "time")),
        });
        let tried: Vec<String> = tried.collect();
        (!tried.is_empty()).then(|| tried.join("; then "))
    }

    /// What can be done: what the tool itself says, and how to go on without losing results.
    fn now(error: &ToolFailure, run: &RunId) -> String {
        let advice = match error.name {
            FailureName::ExpectationUnmet => {
                "check the input of the step, or what the plan expects of it"
            }
            FailureName::Timeout => "raise the limit with --timeout-ms or `timeout_ms` in the plan",
            FailureName::Denied => "allow it, or leave the step out of the plan",
            FailureName::ValidationFailed | FailureName::MissingValue => {
                "correct the input of the step"
            }
            FailureName::UnknownTool => "add the tool, or name another one in the plan",
            FailureName::LimitExceeded => "give it less at a time, or raise the limit",
            FailureName::ToolFailed | FailureName::Deadlock => "put right what is told above",
        };
        let hint = error.hint.as_deref().unwrap_or(advice);
        format!("{hint}; then go on from the results so far: holloway runs fork {run}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_name_is_left_out() {
        assert_eq!(plain("Tool failed: no such file"), "no such file");
        assert_eq!(
            plain("Expectation unmet: wanted `a`, got b"),
            "wanted `a`, got b"
        );
        assert_eq!(
            plain("its condition does not hold"),
            "its condition does not hold"
        );
        assert_eq!(plain("Denied"), "Denied");
    }
}
