//! Does every tool that a step names exist, and is it clear which one is meant?

use super::{Surroundings, named_tools, problem_at};
use crate::draft::Draft;
use crate::problem::{Code, Problem, Problems, did_you_mean};
use crate::step::{MODEL_ALIAS, MODEL_SOURCE, MODEL_TOOL, Step};
use crate::tool::{Lookup, ToolId, ToolTable};

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    draft.walk(&mut |step| {
        for (field, name) in named_tools(step) {
            match around.tools.find(name) {
                Lookup::Found(_) => {}
                Lookup::Ambiguous(candidates) => {
                    problems.push(ambiguous(step, &field, name, &candidates));
                }
                Lookup::Missing => {
                    let held = around.tools.withheld(name).is_some();
                    let guesses = !held && !lacks_model(name, around.tools);
                    let hint = (problems.wants_hint() && guesses)
                        .then(|| closest(name, around.tools))
                        .flatten();
                    problems.push(missing(step, &field, name, around.tools).with_some_hint(hint));
                }
            }
        }
    });
}

fn ambiguous(step: &Step, field: &str, name: &str, candidates: &[ToolId]) -> Problem {
    let names: Vec<&str> = candidates.iter().map(ToolId::as_str).collect();
    let message = format!("several tools are called `{name}`");
    problem_at(Code::UnknownTool, step, field, message).with_hint(format!(
        "write the full name: one of `{}`",
        names.join("`, `")
    ))
}

fn missing(step: &Step, field: &str, name: &str, table: &ToolTable) -> Problem {
    if lacks_model(name, table) {
        return problem_at(
            Code::UnknownTool,
            step,
            field,
            "the step asks a model, but no model is configured",
        )
        .with_hint(
            "add a table `[model]` to holloway.toml (docs/models.md), or name a tool in its place",
        );
    }
    if let Some((id, reason)) = table.withheld(name) {
        let message = format!("`{id}` may not be used: {reason}");
        return problem_at(Code::UnknownTool, step, field, message)
            .with_hint(format!("`holloway tools pin {id}` shows why"));
    }
    let problem = problem_at(
        Code::UnknownTool,
        step,
        field,
        format!("there is no tool `{name}`"),
    );
    if table.is_empty() {
        return problem.with_hint("no tools are configured");
    }
    problem.with_hint("`holloway tools` lists the tools there are")
}

/// Whether a name stands for a model that is asked, and none is configured.
fn lacks_model(name: &str, table: &ToolTable) -> bool {
    let source = name.split_once('/').map_or("", |(source, _)| source);
    let asks = name == MODEL_ALIAS || source == MODEL_SOURCE;
    asks && table.get(&ToolId::new(MODEL_TOOL)).is_none()
}

fn closest(name: &str, table: &ToolTable) -> Option<String> {
    let known = table.iter().map(|tool| {
        if name.contains('/') {
            tool.id.as_str()
        } else {
            tool.id.name()
        }
    });
    did_you_mean(name, known)
}
