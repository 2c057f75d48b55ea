//! How does a person change a plan before it runs? As a document in their own editor; what
//! comes back is checked like every plan, shown, and asked for again.

use holloway_plan::compile::compile;
use holloway_plan::explain;
use holloway_plan::plan::Plan;

use super::super::planning::yaml;
use super::choice::which;
use super::decide::Table;
use super::keyboard;
use crate::carry::edit::edit_text;
use crate::error::CliError;
use crate::foresight;
use crate::plan_text::PlanText;
use crate::print;
use crate::print::visible;
use crate::session::Session;
use crate::workbench::Workbench;

/// What became of a plan in the editor.
pub(super) enum Changed {
    Plan(Box<Plan>),
    /// Nothing was changed, or it was given up: back to the cards.
    Nothing,
    Cancelled,
}

/// A plan after the editor: sound again, looked at, and agreed to.
pub(super) fn changed(table: &Table<'_>, session: &Session) -> Result<Changed, CliError> {
    let Some(place) = which(table.shown.len(), table.interrupts) else {
        return Ok(Changed::Nothing);
    };
    let Some(shown) = table.shown.get(place) else {
        return Ok(Changed::Nothing);
    };
    let before = yaml(shown.card);
    let mut text = before.clone();
    loop {
        text = match edit_text(&text, "yaml", table.interrupts) {
            Ok(text) => text,
            Err(reason) => {
                print::note(&visible(&reason));
                return Ok(if table.interrupts.is_end() {
                    Changed::Cancelled
                } else {
                    Changed::Nothing
                });
            }
        };
        if text.trim() == before.trim() {
            print::note("nothing was changed");
            return Ok(Changed::Nothing);
        }
        let plan = match checked(&text, table.workbench, session) {
            Ok(plan) => Some(plan),
            Err(error) => {
                print::error(&error, false);
                None
            }
        };
        let can_run = plan.as_ref().is_some_and(|plan| tell(plan, table, session));
        let (keys, words): (&[char], _) = if can_run {
            (
                &['r', 'c', 'b'],
                "r run it   c edit again   b back to the cards   q cancel",
            )
        } else {
            (&['c', 'b'], "c edit again   b back to the cards   q cancel")
        };
        print::note(words);
        match (keyboard::one_of(keys, table.interrupts), plan) {
            (Some('r'), Some(plan)) => return Ok(Changed::Plan(Box::new(plan))),
            (Some('c'), _) => {}
            (Some(_), _) => return Ok(Changed::Nothing),
            (None, _) => return Ok(Changed::Cancelled),
        }
    }
}

/// Says what the changed plan will do; whether it may.
fn tell(plan: &Plan, table: &Table<'_>, session: &Session) -> bool {
    print::note(&explained(plan, session));
    if table.arguments.dry_run {
        return true;
    }
    let foreseen = foresight::foreseen(plan, table.given, table.workbench);
    for absent in &foreseen.absent {
        print::note(&visible(absent));
    }
    for file in &foreseen.replaces {
        print::note(&format!("it changes {}", visible(file)));
    }
    for (what, grant) in foreseen.lacks.iter().map(foresight::sentence) {
        print::note(&format!("{what}\n{grant}"));
    }
    foreseen.lacks.is_empty()
}

fn explained(plan: &Plan, session: &Session) -> String {
    match compile(plan, &[], &session.limits) {
        Ok(dag) => visible(explain::text(plan, &dag).trim_end()),
        Err(error) => error.to_string(),
    }
}

fn checked(text: &str, workbench: &Workbench, session: &Session) -> Result<Plan, CliError> {
    let edited = PlanText {
        name: "the changed plan".to_owned(),
        text: text.to_owned(),
        folder: None,
    };
    edited.check(&workbench.table, session)
}
