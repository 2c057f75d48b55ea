//! `holloway plan --tasks`: tasks that somebody has taken apart already, from a file of JSON
//! or YAML, as plans to choose from.

use holloway_flow::discreet::discreet;
use holloway_flow::flow::Planner;
use holloway_flow::flow::tasks::TaskPlans;
use holloway_plan::source::Source;
use holloway_planner::advanced::AdvancedError;
use holloway_planner::read::tasks::pattern::{self, Pattern};
use serde_json::Value;

use crate::error::CliError;
use crate::input::text_of;
use crate::session::Session;

/// The tasks of a file.
pub(super) fn read(file: &str, session: &Session) -> Result<Pattern, CliError> {
    let text = text_of(file, &session.folder)?;
    let source = Source::parse(&text, &session.limits).map_err(|problem| {
        let place = problem
            .position
            .map(|at| format!(":{at}"))
            .unwrap_or_default();
        invalid(format!("{file}{place}: {}", problem.message))
    })?;
    let document: Value = source.value;
    let mut pattern = pattern::read(&document).map_err(|error| {
        invalid(format!("{file}: {error}")).hint(
            "tasks look like {\"objective\": …, \"steps\": [{\"id\": 1, \"action\": \"…\", \"depends_on\": []}]}",
        )
    })?;
    pattern.objective = discreet(&pattern.objective).text;
    Ok(pattern)
}

/// The plans for them.
pub(super) fn planned(planner: &Planner, pattern: &Pattern) -> Result<TaskPlans, CliError> {
    planner.plan_tasks(pattern).map_err(|error| match &error {
        AdvancedError::Sequence(error) => invalid(error.to_string())
            .hint("each task has an id of its own, and waits for tasks before it"),
        AdvancedError::Bind(_) => CliError::failed("no-plan", error.to_string())
            .hint("`holloway tools search WORDS` shows what there is"),
    })
}

fn invalid(message: String) -> CliError {
    CliError::usage("input-invalid", message)
}
