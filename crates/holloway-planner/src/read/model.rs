//! How does a model's answer become a frame? Pure functions: the schema and the guide that a
//! prompt needs, and the way back from JSON. The shape of an answer is read with patience; its
//! content must stand in the request or be there. The typed checks are those of every reader.

mod account;
mod goals;
mod limits;
mod places;
mod schema;
pub(in crate::read) mod shapes;
mod values;

#[cfg(test)]
mod tests;

use holloway_search::clauses::bounded;
use serde_json::{Map, Value};

use super::check::{Trouble, check};
use super::choose::Understood;
use super::entities::entities;
use crate::frame::scene::Scene;
use crate::frame::{Frame, Said};
use places::find;

pub use schema::{guide, schema};

/// Goals that one request may have.
const MOST_GOALS: usize = 12;
/// Characters of an answer that are shown.
const LONGEST_ANSWER: usize = 4_000;

/// Reads an answer and checks it like any other reading. The error says what is wrong with the
/// shape, for whoever answered.
pub fn understood(answer: &Value, request: &str, scene: &Scene) -> Result<Understood, String> {
    let (mut frame, mut troubles) = frame_of(answer, request, scene)?;
    // What the request calls nothing that is there is told once, by whoever found it.
    let checked = check(&mut frame, scene).into_iter();
    let new: Vec<Trouble> = checked.filter(|one| !troubles.contains(one)).collect();
    troubles.extend(new);
    Ok(Understood {
        frame,
        troubles,
        // There is one reading, and it takes every word for what it says.
        score: 1.0,
        margin: f64::INFINITY,
        words: 1,
    })
}

/// The frame that an answer describes, and what of it does not fit.
pub fn frame_of(
    answer: &Value,
    request: &str,
    scene: &Scene,
) -> Result<(Frame, Vec<Trouble>), String> {
    let fields = fields_of(answer)?;
    let mut frame = Frame {
        entities: entities(&bounded(request)),
        language: text(&fields, "language").to_lowercase(),
        ..Frame::default()
    };
    let mut troubles = Vec::new();
    troubles.extend(limits::put(&fields, request, &mut frame));
    let goals = goals_of(&fields);
    let answered = fields.get("no_plan").filter(|said| !said.is_null());
    if let Some(said) = answered.filter(|_| goals.is_empty()) {
        let said = said.as_str().unwrap_or_default().trim();
        frame.no_plan = Some(said.chars().take(LONGEST_ANSWER).collect());
        return Ok((frame, troubles));
    }
    if goals.is_empty() {
        return Err("it has no `goals`, and no `no_plan` with an answer".to_owned());
    }
    for goal in goals.into_iter().take(MOST_GOALS) {
        let read = goals::read(goal, request, scene, &mut frame.notes)?;
        troubles.extend(read.troubles);
        frame.goals.push(read.goal);
    }
    let unclear = fields.get("unclear").and_then(Value::as_array);
    for words in unclear.into_iter().flatten().filter_map(Value::as_str) {
        // Only words of the request can be left over.
        let found = find(request, words);
        frame.leftover.extend(found.map(|at| Said {
            text: request.get(at.clone()).unwrap_or_default().to_owned(),
            at,
        }));
    }
    let passed_over = account::unaccounted(request, &frame);
    frame.leftover.extend(passed_over);
    Ok((frame, troubles))
}

/// The fields of an answer: as asked for, wrapped into `frame`, a bare list of goals or one goal.
fn fields_of(answer: &Value) -> Result<Map<String, Value>, String> {
    let wrapped = |goals: Value| Map::from_iter([("goals".to_owned(), goals)]);
    match answer {
        Value::Object(fields) => match fields.get("frame") {
            Some(inner @ Value::Object(_)) => fields_of(inner),
            _ if fields.contains_key("act") => Ok(wrapped(Value::Array(vec![answer.clone()]))),
            _ => Ok(fields.clone()),
        },
        Value::Array(_) => Ok(wrapped(answer.clone())),
        _ => Err("it is no JSON object".to_owned()),
    }
}

fn goals_of(fields: &Map<String, Value>) -> Vec<&Value> {
    match fields.get("goals") {
        Some(Value::Array(goals)) => goals.iter().collect(),
        Some(goal @ Value::Object(_)) => vec![goal],
        _ => Vec::new(),
    }
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
}
