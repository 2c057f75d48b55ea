//! Which rows do steps leave out though the request does not say so? Conditions and numbers of rows in
//! arguments that their tools declare as such; what a tool chooses by itself may be chosen otherwise.

use holloway_planner::drafts::{Lack, Missing};
use holloway_planner::frame::{Frame, Part};
use serde_json::Value;

use super::calls::Call;
use super::conditions::{Atom, atoms, plain};
use super::declared::Declared;
use super::signs::is_sign;

/// What steps leave out unasked.
pub(super) fn unasked(frame: &Frame, calls: &[Call]) -> Vec<Missing> {
    let asked = Asked::of(frame);
    let said = calls
        .iter()
        .flat_map(|call| call.declared.iter().map(move |one| (call, one)));
    let found = said.filter_map(|(call, one)| {
        let what = match one.slot.as_str() {
            "filters" => asked.other_rows(one)?,
            "limit" => asked.fewer_rows(one)?,
            _ => return None,
        };
        let told = format!(
            "step `{}` {what}, which the request does not say",
            call.step
        );
        Some(Missing::new(told, Lack::Unfit))
    });
    let mut missing: Vec<Missing> = Vec::new();
    for one in found {
        if !missing.contains(&one) {
            missing.push(one);
        }
    }
    missing
}

/// What the request says of rows.
struct Asked {
    conditions: Vec<Atom>,
    /// Texts and numbers of all parts, and the words of the goals.
    said: Vec<String>,
    /// One row answers which is the largest.
    of_one: bool,
}

impl Asked {
    fn of(frame: &Frame) -> Self {
        let parts = || frame.goals.iter().flat_map(|goal| &goal.parts);
        let mut said: Vec<String> = Vec::new();
        for part in parts() {
            scalars(&part.value, &mut said);
        }
        said.extend(frame.goals.iter().map(|goal| goal.text.to_lowercase()));
        let decides = |part: &Part| matches!(part.slot.as_str(), "measures" | "order");
        Self {
            conditions: parts()
                .filter(|part| part.slot == "filters")
                .flat_map(|part| atoms(&part.value))
                .collect(),
            said,
            of_one: parts().any(decides),
        }
    }

    /// A condition that no part says.
    fn other_rows(&self, one: &Declared) -> Option<String> {
        let known = |atom: &Atom| self.conditions.iter().any(|known| known.is_said_by(atom));
        if atoms(&one.value)
            .iter()
            .all(|atom| known(atom) || self.has(&one.value, atom))
        {
            return None;
        }
        let field = |name: &str| match one.value.get(name) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        let told = ["column", "op", "value"].map(field).join(" ");
        Some(format!("keeps only rows where `{}`", told.trim()))
    }

    /// Whether a condition is said in another slot: a pattern, words of a goal that is in no table.
    /// Of a column that conditions speak of, nothing else may be said.
    fn has(&self, condition: &Value, atom: &Atom) -> bool {
        let spoken_of = self
            .conditions
            .iter()
            .any(|known| known.column == atom.column);
        let value = condition.get("value").map(|value| match value {
            Value::String(text) => text.to_lowercase(),
            other => other.to_string(),
        });
        !spoken_of
            && match value {
                Some(value) => self.said.iter().any(|said| is_sign(&value, said)),
                None => self
                    .said
                    .iter()
                    .any(|said| plain(said).contains(&atom.column)),
            }
    }

    fn fewer_rows(&self, one: &Declared) -> Option<String> {
        let numbers = one.value.as_object().into_iter().flatten();
        let numbers = numbers.filter_map(|(_, value)| value.as_i64());
        let said = |number: i64| {
            let text = number.to_string();
            number == 1 && self.of_one || self.said.iter().any(|said| is_sign(&text, said))
        };
        let new: Vec<i64> = numbers.filter(|number| !said(*number)).collect();
        let first = new.first().filter(|_| !one.has_default)?;
        Some(format!("takes {first} of what is there"))
    }
}

/// Texts and numbers, in lower case.
fn scalars(value: &Value, said: &mut Vec<String>) {
    match value {
        Value::String(text) => said.push(text.to_lowercase()),
        Value::Number(number) => said.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| scalars(item, said)),
        Value::Object(fields) => fields.values().for_each(|item| scalars(item, said)),
        Value::Null | Value::Bool(_) => {}
    }
}
