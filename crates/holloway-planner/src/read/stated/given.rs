//! What is given by name? An argument that a model or a task named goes to the parameter of that
//! name, whatever the words around it say.

use serde_json::{Value, json};

use super::{Found, Request, terms};
use crate::catalogue::parameter::Parameter;
use crate::frame::{ARGUMENTS, Goal, Part};

pub(super) fn given(request: &Request<'_>, parameter: &Parameter<'_>) -> Vec<Found> {
    let goals = request.frame.goals.iter();
    let own = goals.filter(|goal| request.own.contains(&goal.said.at.start));
    let given = own.flat_map(|goal| goal.all(ARGUMENTS).map(move |part| (goal, part)));
    let fitting = given.filter_map(|(goal, part)| {
        let name = part.text("name")?;
        let is_meant = terms(name) == terms(parameter.name);
        let value = part.value.get("value").filter(|_| is_meant)?;
        let place = place(request, goal, part).unwrap_or(goal.said.at.start..goal.said.at.start);
        Some(Found::new(admitted(parameter, value)?, place))
    });
    fitting.collect()
}

/// Models quote numbers, and leave the quotes off texts.
fn admitted(parameter: &Parameter<'_>, value: &Value) -> Option<Value> {
    let other = match value {
        Value::String(text) => serde_json::from_str(text).ok(),
        Value::Number(number) => Some(json!(number.to_string())),
        _ => None,
    };
    let ways = [Some(value.clone()), other].into_iter().flatten();
    ways.into_iter().find(|value| parameter.admits(value))
}

/// Where the value stands in the text of its goal.
fn place(request: &Request<'_>, goal: &Goal, part: &Part) -> Option<std::ops::Range<usize>> {
    let value = part.value.get("value")?;
    let plain = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    let text = request.text().get(goal.said.at.clone())?;
    let at = goal.said.at.start + text.rfind(&plain)?;
    Some(at..at + plain.len())
}
