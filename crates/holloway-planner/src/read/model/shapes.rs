//! Which goals may a model describe, and with which slots? The table in `data/model.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

static TABLE: LazyLock<Shapes> = LazyLock::new(|| {
    // A test reads it; were it broken, no goal would be one.
    serde_json::from_str(include_str!("../../../data/model.json")).unwrap_or_default()
});

/// The whole table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::read) struct Shapes {
    #[serde(rename = "shapes")]
    pub(super) of_acts: Vec<Shape>,
    pub(super) slots: BTreeMap<String, Slot>,
    /// Other words that models use for ours.
    spellings: BTreeMap<String, String>,
    /// Words that join two goals, in many languages.
    pub(super) joints: Vec<String>,
    /// Seconds that a word for a time takes, in many languages.
    pub(super) durations: BTreeMap<String, f64>,
    /// Words for files and folders, in many languages.
    pub(in crate::read) files: Vec<String>,
    /// Words that leave something out, by language.
    pub(super) negations: BTreeMap<String, Vec<String>>,
    /// Acts that do so themselves.
    pub(super) leaving_out: Vec<String>,
    pub(super) examples: Vec<Example>,
}

/// Acts of which the same can be said.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    pub(super) acts: Vec<String>,
    pub(super) slots: Vec<String>,
    /// Sources must be named in the request: what is done cannot be undone.
    #[serde(default)]
    pub(super) named: bool,
}

/// What a model may say in a slot.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slot {
    /// The slot of the frame, where it goes by another name.
    #[serde(rename = "slot")]
    pub(super) of_frame: Option<String>,
    pub(super) kind: Kind,
    /// For the prompt.
    pub(super) say: String,
    /// JSON Schema, with `{"$": "column"}` and `{"$": "source"}` for what a request has.
    #[serde(default)]
    pub(super) schema: Value,
    #[serde(default)]
    pub(super) choices: Vec<String>,
}

/// How values of a slot are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Source,
    Target,
    /// The name of a column.
    Name,
    /// The same, as `{column}`.
    Columned,
    Filter,
    Measure,
    Order,
    Limit,
    Period,
    Compute,
    Distinct,
    Axes,
    Choice,
    Text,
    /// A text that stands in the request.
    Quoted,
    Number,
    /// Whole numbers by the names of the schema.
    Numbers,
    Flag,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    pub(super) request: String,
    pub(super) frame: Value,
}

impl Shapes {
    pub(in crate::read) fn table() -> &'static Self {
        &TABLE
    }

    pub(super) fn of(&self, act: &str) -> Option<&Shape> {
        let mut shapes = self.of_acts.iter();
        shapes.find(|shape| shape.acts.iter().any(|known| known == act))
    }

    /// The word of ours for a word of a model's.
    pub(super) fn ours<'a>(&'a self, word: &'a str) -> &'a str {
        self.spellings.get(word).map_or(word, String::as_str)
    }

    /// The slot of an act that a field means: by its own name, or by that of the frame.
    pub(super) fn slot<'a>(&'a self, shape: &'a Shape, field: &str) -> Option<(&'a str, &'a Slot)> {
        let field = self.ours(field);
        let all = shape.slots.iter().map(String::as_str).chain(["sources"]);
        let mut known = all.filter_map(|name| {
            let slot = self.slots.get(name)?;
            let of_frame = slot.of_frame.as_deref().unwrap_or(name);
            Some((name, of_frame, slot))
        });
        let found = known.find(|(name, of_frame, _)| *name == field || *of_frame == field);
        found.map(|(_, of_frame, slot)| (of_frame, slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::acts::Acts;

    /// Acts that models are not told of: the prompt stays short, and they can name the tool itself.
    const OURS_ALONE: [&str; 4] = ["distribution", "similarity", "split", "robots"];

    #[test]
    fn the_table_speaks_of_acts_and_slots_that_are_there() {
        let acts = Acts::table();
        let read: Shapes = serde_json::from_str(include_str!("../../../data/model.json")).unwrap();
        for shape in &read.of_acts {
            for act in &shape.acts {
                assert!(acts.act(act).is_some(), "no act `{act}`");
            }
            for name in &shape.slots {
                let slot = read
                    .slots
                    .get(name)
                    .unwrap_or_else(|| panic!("no slot `{name}`"));
                let of_frame = slot.of_frame.as_ref().unwrap_or(name);
                assert!(acts.slots.contains_key(of_frame), "no slot `{of_frame}`");
                assert_eq!(slot.kind == Kind::Choice, slot.schema.is_null(), "{name}");
            }
        }
        for (name, act) in &acts.acts {
            assert!(
                !act.core || read.of(name).is_some() || OURS_ALONE.contains(&name.as_str()),
                "`{name}` cannot be asked for"
            );
        }
    }
}
