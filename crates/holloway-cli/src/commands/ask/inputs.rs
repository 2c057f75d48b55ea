//! What does the chosen plan still need to know? What the flags give, the rest asked at
//! the terminal; without a terminal the error names every input that is missing.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;

use holloway_plan::needs::{needed_inputs, taken_inputs};
use holloway_plan::plan::Plan;
use holloway_plan::problem::did_you_mean;
use holloway_plan::tool::full_schema;
use holloway_planner::card::Card;
use serde_json::{Map, Value, json};

use super::keyboard::LOOK_EVERY;
use crate::carry::interrupts::Interrupts;
use crate::carry::{form, keys};
use crate::error::CliError;
use crate::print;
use crate::session::Session;

/// An input that none of the plans takes is a slip of the pen.
pub(super) fn refuse_unknown(given: &Value, cards: &[Card]) -> Result<(), CliError> {
    let mut known = BTreeSet::new();
    for card in cards {
        let Some(taken) = taken_inputs(card.plan.draft()) else {
            return Ok(());
        };
        known.extend(taken);
    }
    let Some(unknown) = first_unknown(given, &known) else {
        return Ok(());
    };
    let message = format!("no plan for this request takes the input `{unknown}`");
    let none = "the plans take no input; say it in the request";
    Err(CliError::usage("input-invalid", message).hint(guess(unknown, &known, none)))
}

/// The same for the one plan that is to be run. What an earlier run was given is not looked at.
pub(in crate::commands) fn refuse_untaken(
    plan: &Plan,
    input: &Value,
    before: &Value,
) -> Result<(), CliError> {
    let Some(mut known) = taken_inputs(plan.draft()) else {
        return Ok(());
    };
    known.extend(before.as_object().into_iter().flat_map(Map::keys).cloned());
    let Some(unknown) = first_unknown(input, &known) else {
        return Ok(());
    };
    let message = format!("the plan does not take the input `{unknown}`");
    let hint = guess(unknown, &known, "the plan takes no input");
    Err(CliError::usage("input-invalid", message).hint(hint))
}

fn first_unknown<'a>(given: &'a Value, known: &BTreeSet<String>) -> Option<&'a String> {
    let mut names = given.as_object().into_iter().flat_map(Map::keys);
    names.find(|name| !known.contains(*name))
}

/// What was meant, or what there is.
fn guess(unknown: &str, known: &BTreeSet<String>, none: &str) -> String {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    match did_you_mean(unknown, known.iter().copied()) {
        _ if known.is_empty() => none.to_owned(),
        Some(guess) => guess,
        None => format!("there are: {}", known.join(", ")),
    }
}

/// The input of the plan, complete; nothing when the person stops.
pub(super) fn complete(
    plan: &Plan,
    given: Value,
    interrupts: &Interrupts,
    session: &Session,
) -> Result<Option<Value>, CliError> {
    let input = for_plan(plan, given, session);
    let missing = missing(plan, &input);
    if !missing.is_empty() && !can_ask(session) {
        let schema = schema_of(plan, &missing);
        let flags: Vec<String> = form::fields(&schema).iter().map(flag).collect();
        return Err(CliError::usage(
            "input-invalid",
            format!("the plan has to know: {}", missing.join(", ")),
        )
        .hint(format!("say it in the request, or add {}", flags.join(" "))));
    }
    Ok(asked_for(plan, input, interrupts))
}

/// Whether a person sits at the terminal.
pub(in crate::commands) fn can_ask(session: &Session) -> bool {
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    terminal && !session.json
}

/// The input with what was missing; nothing when the person stops.
pub(in crate::commands) fn asked_for(
    plan: &Plan,
    mut input: Value,
    interrupts: &Interrupts,
) -> Option<Value> {
    let missing = missing(plan, &input);
    if missing.is_empty() {
        return Some(input);
    }
    print::note("the plan has to know:");
    let ask = |prompt: &form::Prompt<'_>| keys::ask(prompt, LOOK_EVERY, || !interrupts.heard());
    let answers = form::fill(&schema_of(plan, &missing), ask, print::note);
    let Some(Value::Object(answers)) = answers else {
        return None;
    };
    if let Value::Object(fields) = &mut input {
        fields.extend(answers);
    }
    Some(input)
}

/// How an input is given; what is secret by the name under which it is kept.
fn flag(field: &form::Field) -> String {
    let name = field.name();
    if field.is_hidden() {
        format!("--input '{name}=${{NAME}}' after `holloway secrets set NAME`")
    } else {
        format!("--input {name}=…")
    }
}

/// Without what only another of the plans takes.
fn for_plan(plan: &Plan, given: Value, session: &Session) -> Value {
    let Some(taken) = taken_inputs(plan.draft()) else {
        return given;
    };
    let Value::Object(mut fields) = given else {
        return given;
    };
    fields.retain(|name, _| {
        let keep = taken.contains(name);
        if !keep && !session.json {
            print::note(&format!(
                "this plan does not take `{name}`; it is left aside"
            ));
        }
        keep
    });
    Value::Object(fields)
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
