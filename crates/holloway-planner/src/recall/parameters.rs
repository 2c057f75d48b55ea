//! Does a request speak of what a tool takes? Tools that do nearly the same differ in their
//! parameters: one asks for a date, another for a theatre.

use holloway_search::entry::{Entry, Field};
use holloway_search::literals::without_literals;
use holloway_search::words::{spaced, terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::flow::{Flow, Input};
use crate::catalogue::Place;

/// What the tools of a catalogue take, in stems.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    tools: Vec<Tool>,
    /// How many tools speak of each stem.
    spread: FxHashMap<String, u32>,
}

#[derive(Debug, Default)]
struct Tool {
    /// What its parameters say and its name and description do not.
    only: FxHashSet<String>,
    /// What each of those that it needs is called, and how it is described.
    needed: Vec<[Vec<String>; 2]>,
}

/// The stems of a request, each with how much it counts; the shares add up to one.
pub(super) type Said = FxHashMap<String, f32>;

impl Parameters {
    pub(super) fn new(entries: &[Entry], flows: &[Flow]) -> Self {
        let mut all = Self::default();
        for (place, entry) in entries.iter().enumerate() {
            let name = terms(&spaced(&entry.text(Field::Name)));
            let own: FxHashSet<String> =
                name.into_iter().chain(terms(&entry.description)).collect();
            let mut tool = Tool::default();
            for parameter in &entry.parameters {
                let texts = [
                    terms(&spaced(&parameter.name)),
                    terms(&parameter.description),
                ];
                let words = texts.iter().flatten();
                let new = words.filter(|word| !own.contains(*word)).cloned();
                tool.only.extend(new);
                let inputs = flows.get(place).map(|flow| flow.inputs.as_slice());
                let is_optional = |input: &Input| input.name == parameter.name && !input.required;
                if !inputs.unwrap_or_default().iter().any(is_optional) {
                    tool.needed.push(texts);
                }
            }
            for word in own.into_iter().chain(tool.only.iter().cloned()) {
                *all.spread.entry(word).or_default() += 1;
            }
            all.tools.push(tool);
        }
        all
    }

    pub(super) fn read(&self, text: &str) -> Said {
        let count = self.tools.len() as f32;
        let rarity = |word: &str| {
            let spread = self.spread.get(word).copied().unwrap_or_default();
            (1.0 + count / (spread as f32 + 0.5)).ln()
        };
        let mut said = Said::default();
        for stem in terms(&without_literals(text)) {
            said.insert(stem.clone(), rarity(&stem));
        }
        let sum: f32 = said.values().sum();
        for share in said.values_mut() {
            *share /= sum.max(1e-6);
        }
        said
    }

    /// The share of what is said that only the parameters of a tool speak of, and the share of
    /// those it needs that are spoken of; both 0 to 1.
    pub(super) fn heard(&self, tool: Place, said: &Said) -> [f32; 2] {
        let Some(tool) = self.tools.get(tool) else {
            return [0.0, 0.5];
        };
        let only = said.iter().filter(|(word, _)| tool.only.contains(*word));
        let is_said = |words: &Vec<String>| words.iter().any(|word| said.contains_key(word));
        let needed = tool.needed.iter().map(|[name, description]| {
            match (is_said(name), is_said(description)) {
                (true, _) => 1.0,
                (_, true) => 0.5,
                _ => 0.0,
            }
        });
        let heard = match tool.needed.len() {
            0 => 0.5,
            count => needed.sum::<f32>() / count as f32,
        };
        [only.map(|(_, share)| share).sum(), heard]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_tell_tools_apart() {
        let entry = |id: &str, schema| {
            let entry = Entry {
                id: id.to_owned(),
                description: "Find a movie".to_owned(),
                ..Entry::default()
            };
            (entry.with_schema(&schema), Flow::of(&schema, &json!({})))
        };
        let both = json!({"properties": {"theaterName": {}, "date": {}}, "required": ["date"]});
        let (entries, flows): (Vec<Entry>, Vec<Flow>) = [
            entry(
                "find_movie",
                json!({"properties": {"director": {"description": "Name"}}}),
            ),
            entry("movie_times", both),
            entry("movies", json!({})),
        ]
        .into_iter()
        .unzip();
        let parameters = Parameters::new(&entries, &flows);
        let said = parameters.read("a movie in a theater in Oslo on some date");
        let [director, theater, none] = [0, 1, 2].map(|tool| parameters.heard(tool, &said));
        assert_eq!((director, none), ([0.0, 0.0], [0.0, 0.5]));
        assert!(theater[0] > 0.4 && theater[1] == 1.0, "{theater:?}");
        assert_eq!(parameters.heard(9, &said), [0.0, 0.5]);
    }
}
