//! What does a request go on with? The answer of an earlier run: its plan comes before the new
//! steps, and its results are taken over without a call.

use std::collections::BTreeMap;

use holloway_engine::entry::{RunId, Stored};
use holloway_engine::retained::Retained;
use holloway_plan::draft::Draft;
use holloway_plan::path::Path;
use holloway_plan::plan::Plan;
use holloway_planner::frame::scene::Before;
use serde_json::{Value, json};

use super::super::runs::history::{self, History};
use crate::error::CliError;
use crate::glance::columns_of;
use crate::run_name;
use crate::session::Session;
use crate::workbench::Workbench;

/// An earlier run, ready to be gone on with.
pub(super) struct After {
    pub(super) run: RunId,
    pub(super) draft: Draft,
    pub(super) before: Before,
}

impl After {
    pub(super) fn read(
        word: &str,
        workbench: &Workbench,
        session: &Session,
    ) -> Result<Self, CliError> {
        let run = run_name::find(word, session)?.run;
        let (machine, plan) = history::machine(&run, workbench, session)?;
        let mut draft = plan.draft().clone();
        let outputs = machine.outputs();
        let last = || draft.steps.iter().rev().map(|step| step.id.clone());
        let mut paths = draft.answer.iter().rev().cloned().chain(last());
        let found = paths.find_map(|reference| {
            let path = Path::parse(&reference)?;
            let whole = outputs.get(path.root.as_str()).map(Retained::get)?;
            Some((reference, path.walk(&whole).ok()?.clone()))
        });
        let Some((reference, value)) = found else {
            return Err(CliError::usage(
                "run-empty",
                format!("run {run} has no result to go on with"),
            )
            .hint("`holloway runs` lists the runs"));
        };
        let columns = match &value {
            Value::Array(_) => columns_of(&value, workbench)?,
            _ => Vec::new(),
        };
        let before = Before {
            kind: kind_of(&value).to_owned(),
            reference,
            columns,
            steps: draft.steps.iter().map(|step| step.id.clone()).collect(),
        };
        let history = History::read(&run, session.store()?)?;
        let start = history.start();
        let input = start.and_then(|start| start.context.get("input").cloned());
        set_defaults(&mut draft, input.as_ref());
        Ok(Self { run, draft, before })
    }

    /// The results that the new run takes over.
    pub(super) fn results(
        &self,
        plan: &Plan,
        session: &Session,
    ) -> Result<BTreeMap<String, Stored>, CliError> {
        let history = History::read(&self.run, session.store()?)?;
        history.results_before(plan, None, session)
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "table",
        Value::String(_) => "text.text",
        Value::Number(_) => "number",
        _ => "value",
    }
}

/// The new run has the input of the earlier one.
fn set_defaults(draft: &mut Draft, input: Option<&Value>) {
    let properties = draft
        .input
        .as_mut()
        .and_then(|schema| schema.get_mut("properties")?.as_object_mut());
    let Some((properties, given)) = properties.zip(input.and_then(Value::as_object)) else {
        return;
    };
    for (name, value) in given {
        let property = properties.entry(name.clone()).or_insert_with(|| json!({}));
        if let Some(property) = property.as_object_mut() {
            property.insert("default".to_owned(), value.clone());
        }
    }
}
