//! `holloway check`: is a plan sound? All problems at once, each with its place.

use clap::Args;
use holloway_plan::plan::Plan;
use holloway_plan::schema_validator::foreign;
use serde_json::json;

use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::plan_text::PlanText;
use crate::print::{self, units};
use crate::session::Session;

/// Check a plan without running it
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A file, `-`, or the name of a saved plan or template
    plan: String,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&arguments.reach)?;
    let text = PlanText::find(&arguments.plan, session)?;
    let name = text.name.clone();
    let plan = text.check(&workbench.table, session)?;
    let mut steps = 0;
    plan.draft().walk(&mut |_| steps += 1);
    let warnings = unchecked(&plan);
    if session.json {
        print::object(&json!({
            "ok": true, "plan": name, "id": plan.id(), "version": plan.version(), "problems": [],
            "warnings": warnings
        }))?;
    } else {
        for warning in &warnings {
            print::note(&format!("warning: {warning}"));
        }
        let steps = units::count(steps, "step");
        let tools = units::count(plan.tools().len(), "tool");
        print::result(&format!("{name} is sound: {steps}, {tools}"))?;
    }
    Ok(Exit::Done)
}

/// What a run will not check of the tools' schemas.
fn unchecked(plan: &Plan) -> Vec<String> {
    let notes = plan.tools().values().flat_map(|tool| {
        let notes = foreign(&tool.input_schema).unchecked.into_iter();
        let notes = notes.chain(foreign(&tool.output_schema).unchecked);
        notes.map(|note| format!("`{}`: {note}", tool.id))
    });
    notes.collect()
}
