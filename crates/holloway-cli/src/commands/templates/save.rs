//! `holloway templates save`: what changes from run to run becomes an input. The plan
//! itself stays as it is.

use clap::Args;
use holloway_flow::template::{Inferred, Input, infer, shipped};
use holloway_plan::write;
use serde_json::json;

use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::plan_name::refuse_odd;
use crate::plan_text::PlanText;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, one_line};
use crate::session::Session;

/// Make a template of a plan: addresses, files and the like become inputs
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A file, `-`, or the name of a saved plan
    plan: String,
    /// What to call the template
    name: String,
    /// Put it in place of a saved plan or a shipped template of the same name
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let name = &arguments.name;
    refuse_odd(name, "a template")?;
    let workbench = session.workbench(&arguments.reach)?;
    let found = PlanText::find(&arguments.plan, session)?;
    let folder = found.folder.clone();
    let plan = found.check(&workbench.table, session)?;
    let store = session.store()?;
    let taken_by = match store.saved_plan(name)? {
        Some(_) => Some("saved plan"),
        None => shipped::find(name).map(|_| "shipped template"),
    };
    if let Some(taken_by) = taken_by.filter(|_| !arguments.replace) {
        let message = format!("there is a {taken_by} `{name}` already");
        return Err(CliError::usage("plan-exists", message)
            .hint("take another name, or add --replace to put the template in its place"));
    }
    let Inferred { mut draft, inputs } = infer(plan.draft(), &workbench.table);
    draft.id = Some(name.clone());
    // What was found must not make the plan unsound: the template is checked like any plan.
    let text = PlanText {
        name: format!("template {name}"),
        text: write::yaml(&draft),
        folder,
    };
    let template = text.check(&workbench.table, session)?;
    let value = serde_json::to_value(template.draft()).unwrap_or_default();
    store.save_plan(name, &value)?;
    if session.json {
        print::object(&json!({"saved": name, "inputs": inputs}))?;
        return Ok(Exit::Done);
    }
    if inputs.is_empty() {
        print::note("nothing in it looks as if it changed from run to run; it was saved as it is");
    } else {
        print::result(&shown(&inputs))?;
    }
    print::result(&format!(
        "saved as {name}; run it with: holloway run {name}{}",
        example(&inputs)
    ))?;
    Ok(Exit::Done)
}

fn shown(inputs: &[Input]) -> String {
    let row = |input: &Input| {
        let default = input
            .default
            .as_str()
            .map_or_else(|| input.default.to_string(), str::to_owned);
        [
            input.name.clone(),
            one_line(&default, 60),
            one_line(&input.used_in.join(", "), 60),
        ]
    };
    let rows: Vec<[String; 3]> = inputs.iter().map(row).collect();
    table(["INPUT", "DEFAULT", "USED IN"], &rows, Paint::stdout())
}

fn example(inputs: &[Input]) -> String {
    let first = inputs.first();
    first
        .map(|input| format!(" --input {}=…", input.name))
        .unwrap_or_default()
}
