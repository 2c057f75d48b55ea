//! What does the chosen plan still need to know? What the flags give, the rest asked at
//! the terminal; without a terminal the error names every input that is missing.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use holloway_plan::needs::needed_inputs;
use holloway_plan::plan::Plan;
use holloway_plan::tool::full_schema;
use serde_json::{Map, Value, json};

use crate::arguments::Given;
use crate::carry::{form, keys};
use crate::error::CliError;
use crate::session::Session;
use crate::{input, print};

const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The input of the plan, complete.
pub(super) fn complete(plan: &Plan, given: &Given, session: &Session) -> Result<Value, CliError> {
    let mut input = input::read(given, json!({}), &session.folder, &session.limits)?;
    let missing = missing(plan, &input);
    if missing.is_empty() {
        return Ok(input);
    }
    if session.json || !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        let flags: Vec<String> = missing
            .iter()
            .map(|name| format!("--input {name}=…"))
            .collect();
        return Err(CliError::usage(
            "input-invalid",
            format!("the plan has to know: {}", missing.join(", ")),
        )
        .hint(format!("say it in the request, or add {}", flags.join(" "))));
    }
    print::note("the plan has to know:");
    let answers = form::fill(&schema_of(plan, &missing), ask, print::note);
    let Some(Value::Object(answers)) = answers else {
        return Err(CliError::Interrupted);
    };
    if let Value::Object(fields) = &mut input {
        fields.extend(answers);
    }
    Ok(input)
}

/// Inputs the plan reads that nobody gave and that have no default.
fn missing(plan: &Plan, input: &Value) -> Vec<String> {
    needed_inputs(plan.draft())
        .into_keys()
        .filter(|name| input.get(name).is_none())
        .collect()
}

/// The part of the plan's input schema that is still to be filled.
fn schema_of(plan: &Plan, missing: &[String]) -> Value {
    let schema = plan.draft().input.clone().map(full_schema);
    let properties: Map<String, Value> = missing
        .iter()
        .map(|name| {
            let known = schema
                .as_ref()
                .and_then(|schema| schema.get("properties")?.get(name).cloned());
            (
                name.clone(),
                known.unwrap_or_else(|| json!({"type": "string"})),
            )
        })
        .collect();
    json!({"type": "object", "properties": properties, "required": missing})
}

fn ask(prompt: &str) -> Option<String> {
    let mut terminal = std::io::stderr();
    let _ = write!(terminal, "{prompt}").and_then(|()| terminal.flush());
    keys::line(LOOK_EVERY, || true)
}
