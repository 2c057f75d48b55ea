//! `holloway plans`: which plans are kept under a name? Saved plans can be run
//! by name, and `plan` steps of other plans find them.

mod diff;

use clap::{Args, Subcommand};
use holloway_flow::template::shipped;
use holloway_plan::problem::did_you_mean;
use holloway_plan::write;
use serde_json::json;

use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::plan_name::refuse_odd;
use crate::plan_text::PlanText;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, units};
use crate::session::Session;

/// Keep plans under a name
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check a plan and keep it
    Save(Save),
    /// List the saved plans
    List,
    /// Print a saved plan, or one that was made, by its id
    Show {
        name: String,
    },
    /// Forget a saved plan; its runs stay
    Remove {
        name: String,
    },
    Diff(diff::Arguments),
}

#[derive(Debug, Args)]
struct Save {
    /// A file or `-`
    plan: String,
    /// The name to keep it under, instead of the plan's own id
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Put it in place of another plan or a shipped template of the same name
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    match arguments.command.unwrap_or(Action::List) {
        Action::Save(save) => keep(&save, session),
        Action::List => list(session),
        Action::Show { name } => show(&name, session),
        Action::Remove { name } => remove(&name, session),
        Action::Diff(arguments) => diff::run(&arguments, session),
    }
}

fn keep(save: &Save, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&save.reach)?;
    let plan = PlanText::find(&save.plan, session)?.check(&workbench.table, session)?;
    let name = save.name.clone().unwrap_or_else(|| plan.id());
    refuse_odd(&name, "a saved plan")?;
    let mut draft = plan.draft().clone();
    draft.id = Some(name.clone());
    let value = serde_json::to_value(&draft).unwrap_or_default();
    let store = session.store()?;
    let taken_by = match store.saved_plan(&name)? {
        Some(known) => (known != value).then_some("another saved plan"),
        // The template could not be run by its name any more.
        None => shipped::find(&name).map(|_| "a shipped template"),
    };
    if let Some(taken_by) = taken_by.filter(|_| !save.replace) {
        let message = format!("there is {taken_by} `{name}` already");
        return Err(CliError::usage("plan-exists", message)
            .hint("take another name with --as, or add --replace to put the plan in its place"));
    }
    store.save_plan(&name, &value)?;
    if session.json {
        print::object(&json!({"saved": name}))?;
    } else {
        print::result(&format!(
            "saved as {name}; run it with: holloway run {name}"
        ))?;
    }
    Ok(Exit::Done)
}

fn list(session: &Session) -> Result<Exit, CliError> {
    let plans = session.store()?.saved_plans()?;
    if session.json {
        print::object(&json!({ "plans": plans }))?;
    } else if plans.is_empty() {
        print::note("no saved plans; keep one with `holloway plans save FILE`");
    } else {
        let rows: Vec<[String; 2]> = plans
            .into_iter()
            .map(|plan| [print::one_line(&plan.id, 60), units::moment(plan.saved_ms)])
            .collect();
        print::result(&table(["PLAN", "SAVED (UTC)"], &rows, Paint::stdout()))?;
    }
    Ok(Exit::Done)
}

fn show(name: &str, session: &Session) -> Result<Exit, CliError> {
    let store = session.store()?;
    let plan = match store.saved_plan(name)? {
        Some(plan) => Some(plan),
        None => store
            .made_plan(name)?
            .and_then(|made| made.card.get("plan").cloned()),
    };
    let Some(plan) = plan else {
        return Err(missing(name, session)?);
    };
    let draft = holloway_plan::read::read_value(&plan, &session.limits);
    match draft {
        Ok(draft) if !session.json => print::result(write::yaml(&draft).trim_end())?,
        _ => print::object(&plan)?,
    }
    Ok(Exit::Done)
}

fn remove(name: &str, session: &Session) -> Result<Exit, CliError> {
    if !session.store()?.remove_plan(name)? {
        return Err(missing(name, session)?);
    }
    if session.json {
        print::object(&json!({"removed": name}))?;
    } else {
        print::result(&format!("removed {name}"))?;
    }
    Ok(Exit::Done)
}

fn missing(name: &str, session: &Session) -> Result<CliError, CliError> {
    let known = session.store()?.saved_plans()?;
    let known = known.iter().map(|plan| plan.id.as_str());
    Ok(
        CliError::usage("plan-not-found", format!("there is no saved plan `{name}`"))
            .some_hint(did_you_mean(name, known))
            .or_hint("`holloway plans` lists them"),
    )
}
