//! How probable is it that a tool is called soon? By the structure of the plan, by what followed in
//! earlier runs, by whether the result at hand is what the tool takes, and by what the run is for.
//! The weights lie in `data/next.json`; they were chosen by hand.

use std::sync::LazyLock;

use holloway_plan::tool::ToolSpec;
use serde::Deserialize;
use serde_json::Value;

/// What speaks for a tool, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signs {
    /// How surely the plan leads there from here; 0 where it does not say.
    pub structure: f64,
    /// How many steps away it is.
    pub distance: f64,
    /// The share of earlier runs in which it followed; `None` where there are none.
    pub followed: Option<f64>,
    /// How much of what it needs the result at hand has.
    pub fits: f64,
    /// How much of its name the goal names.
    pub goal: f64,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    base: f64,
    structure: f64,
    distance: f64,
    followed: f64,
    unknown: f64,
    fits: f64,
    goal: f64,
}

// A test reads it; were it broken, every tool would be as likely as not.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../data/next.json")).unwrap_or_default()
});

impl Signs {
    pub fn probability(&self) -> f64 {
        let weights = &*WEIGHTS;
        let followed = match self.followed {
            Some(share) => weights.followed * share,
            None => weights.unknown,
        };
        let sum = weights.base
            + weights.structure * self.structure
            + weights.distance * self.distance
            + followed
            + weights.fits * self.fits
            + weights.goal * self.goal;
        1.0 / (1.0 + (-sum).exp())
    }
}

/// The share of the required parameters of a tool that a result has fields for.
pub fn fits(tool: &ToolSpec, result_schema: &Value) -> f64 {
    let required = required(tool);
    if required.is_empty() {
        return 0.0;
    }
    let fields = result_schema.get("properties").and_then(Value::as_object);
    let has = |name: &&str| fields.is_some_and(|fields| fields.contains_key(*name));
    required.iter().copied().filter(has).count() as f64 / required.len() as f64
}

fn required(tool: &ToolSpec) -> Vec<&str> {
    let names = tool.input_schema.get("required").and_then(Value::as_array);
    let names = names.into_iter().flatten().filter_map(Value::as_str);
    names.collect()
}

/// The share of the words in a tool's name that a text names.
pub fn named(tool: &ToolSpec, text: &str) -> f64 {
    let text = text.to_lowercase();
    let words = tool.id.name().split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| word.chars().count() > 2)
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() {
        return 0.0;
    }
    let named = words.iter().filter(|word| text.contains(word.as_str()));
    named.count() as f64 / words.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_readable() {
        let read: Result<Weights, _> = serde_json::from_str(include_str!("../../data/next.json"));
        assert!(read.unwrap().structure > 0.0);
    }

    #[test]
    fn a_sure_next_step_is_shown_and_a_far_one_is_not() {
        let at = |structure: f64, distance: f64| {
            let signs = Signs {
                structure,
                distance,
                ..Signs::default()
            };
            signs.probability()
        };
        assert!(at(1.0, 0.0) > 0.85);
        assert!(at(1.0, 1.0) < 0.7);
        assert!(at(0.5, 0.0) < 0.7);
        assert!(at(0.0, 0.0) < 0.3);
    }

    #[test]
    fn earlier_runs_move_the_probability_both_ways() {
        let with = |followed: Option<f64>| {
            let signs = Signs {
                structure: 0.5,
                followed,
                ..Signs::default()
            };
            signs.probability()
        };
        assert!(with(Some(0.9)) > with(None));
        assert!(with(Some(0.0)) < with(None));
    }
}
