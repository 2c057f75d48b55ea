//! Whose result does a tool need? What one tool gives, by the names in its output schema,
//! against what another takes; a tool that needs an id wants the one that finds it.

use holloway_search::entry::Entry;
use holloway_search::words::{each_word, stem};
use serde_json::Value;

use super::verbs::{self, Deed};
use crate::catalogue::Place;

const NAMES_AT_MOST: usize = 64;
const DEPTH_AT_MOST: usize = 4;
/// What a tool takes and gives, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    pub inputs: Vec<Input>,
    pub outputs: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub required: bool,
}

impl Flow {
    /// By the schemas of arguments and results.
    pub fn of(input: &Value, output: &Value) -> Self {
        let required = input.get("required").and_then(Value::as_array);
        let is_required = |name: &str| {
            required.is_none_or(|names| names.iter().any(|one| one.as_str() == Some(name)))
        };
        let properties = input.get("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten().take(NAMES_AT_MOST);
        let mut outputs = Vec::new();
        names(output, DEPTH_AT_MOST, &mut outputs);
        Self {
            inputs: properties
                .map(|(name, _)| Input {
                    name: name.clone(),
                    required: is_required(name),
                })
                .collect(),
            outputs,
        }
    }

    /// By what the search knows: parameters alone.
    pub fn of_entry(entry: &Entry) -> Self {
        let input = |name: &String| Input {
            name: name.clone(),
            required: true,
        };
        Self {
            inputs: entry
                .parameters
                .iter()
                .map(|one| input(&one.name))
                .collect(),
            outputs: Vec::new(),
        }
    }
}

fn names(schema: &Value, depth: usize, found: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        if found.len() >= NAMES_AT_MOST {
            return;
        }
        found.push(name.clone());
        names(property, depth - 1, found);
    }
    if let Some(items) = schema.get("items") {
        names(items, depth - 1, found);
    }
}

/// The flows of a catalogue, their names in stems.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows(Vec<Stemmed>);

#[derive(Clone, Debug, Default)]
struct Stemmed {
    inputs: Vec<(Vec<String>, bool)>,
    outputs: Vec<Vec<String>>,
    name: Vec<String>,
    /// Whether it finds something, by its name.
    finds: bool,
}

impl Flows {
    pub(super) fn new(entries: &[Entry], flows: &[Flow]) -> Self {
        let flow = |(place, entry): (Place, &Entry)| {
            let known = flows.get(place).cloned();
            let flow = known.unwrap_or_else(|| Flow::of_entry(entry));
            let named = if entry.name.is_empty() {
                &entry.id
            } else {
                &entry.name
            };
            Stemmed {
                inputs: flow
                    .inputs
                    .iter()
                    .map(|input| (stems(&input.name), input.required))
                    .collect(),
                outputs: flow.outputs.iter().map(|name| stems(name)).collect(),
                name: stems(named),
                finds: verbs::deed(named) == Some(Deed::Find),
            }
        };
        Self(entries.iter().enumerate().map(flow).collect())
    }

    /// How surely a result of the one goes into the other, 0 to 1.
    pub(super) fn strength(&self, from: Place, to: Place) -> f32 {
        let (Some(giver), Some(taker)) = (self.0.get(from), self.0.get(to)) else {
            return 0.0;
        };
        if from == to {
            return 0.0;
        }
        let each = taker.inputs.iter().map(|(input, required)| {
            let sure = giver.gives(input);
            // What both take they were both told.
            let passed = giver.inputs.iter().any(|(own, _)| own == input);
            sure * if *required { 1.0 } else { 0.5 } * if passed { 0.3 } else { 1.0 }
        });
        each.fold(0.0, f32::max)
    }
}

impl Stemmed {
    fn gives(&self, wanted: &[String]) -> f32 {
        let Some((last, object)) = wanted.split_last() else {
            return 0.0;
        };
        let is_identifier = verbs::is_identifier(last);
        if self.outputs.iter().any(|output| output == wanted) {
            return match (is_identifier, object.is_empty()) {
                (true, false) => 1.0,
                (true, true) => 0.6,
                (false, _) => 0.5,
            };
        }
        let is_about = !object.is_empty() && object.iter().all(|word| self.name.contains(word));
        if !is_identifier || !is_about {
            return 0.0;
        }
        let bare = self.outputs.iter().any(|output| *output == [last.clone()]);
        match (bare, self.outputs.is_empty() && self.finds) {
            (true, _) => 0.9,
            (_, true) => 0.7,
            _ => 0.0,
        }
    }
}

fn stems(name: &str) -> Vec<String> {
    let mut stems = Vec::new();
    each_word(name, |word| stems.push(stem(word)));
    stems
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn flows() -> Flows {
        let entry = |name: &str| Entry {
            id: name.to_owned(),
            ..Entry::default()
        };
        let entries = ["search_hotel", "hotel_reviews", "find_person", "weather"].map(entry);
        let object = |name: &str| json!({"properties": {name: {"type": "string"}}});
        let list = json!({"type": "array", "items": object("hotelId")});
        let flows = [
            Flow::of(&object("query"), &list),
            Flow::of(&object("hotel_id"), &object("text")),
            Flow::of(&object("name"), &json!(null)),
            Flow::of(&object("person_id"), &json!({"properties": 3})),
        ];
        Flows::new(&entries, &flows)
    }

    #[track_caller]
    fn check(from: Place, to: Place, expected: f32) {
        assert_eq!(flows().strength(from, to), expected, "{from} to {to}");
    }

    #[test]
    fn a_tool_that_needs_an_id_wants_the_one_that_gives_it() {
        check(0, 1, 1.0);
        check(1, 0, 0.0);
        check(2, 3, 0.7);
        check(2, 1, 0.0);
        check(1, 1, 0.0);
        check(0, 9, 0.0);
    }
}
