//! What is asked, in types? A request as goals with parts, each part with its place in the
//! request. Readers make frames; behind them nobody sees the raw text.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use constraints::Constraints;

pub mod acts;
pub mod constraints;
pub mod scene;
pub(crate) mod wording;

mod clause;
mod entity;

pub use clause::{Action, Belonging, Beside, Clause};
pub use entity::{Entity, EntityKind};
pub use wording::Wording;

/// A request that was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// In the order they are to be done; one without sources goes on with the result of the
    /// one before it.
    pub goals: Vec<Goal>,
    /// What the request names, in the order it stands there.
    pub entities: Vec<Entity>,
    /// What limits the work.
    pub constraints: Constraints,
    /// The language of the request, as `en`; empty where it is not known.
    pub language: String,
    /// Nothing is to be done, with what can be answered to that: a greeting, a question that
    /// needs no tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_plan: Option<String>,
    /// Words that nothing accounts for.
    pub leftover: Vec<Said>,
    /// Words that nothing accounts for, and that change little or nothing. A plan does not serve
    /// them; it runs where somebody agrees.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<Said>,
    /// What was taken for granted, in a person's words: "`amont` was read as the column `amount`".
    pub notes: Vec<String>,
    /// What arguments of tools that do not say what they do are read from. Only readers open it.
    #[serde(skip)]
    pub wording: Wording,
}

/// One thing to be done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Goal {
    /// A name of the table of acts, or `other`.
    pub act: String,
    /// The word or words that say so.
    pub said: Said,
    /// What is asked for, slot by slot, in the order it was said.
    pub parts: Vec<Part>,
    /// The words of the request that belong to this goal, for search.
    pub text: String,
    /// Goals that must be done before, by number, where the order does not say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<usize>,
    /// How it is said, for tools that do not say what they do.
    #[serde(skip)]
    pub clause: Clause,
}

/// A part of a goal: everything that must be served by a step or an argument.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// A name of the table of slots: `filters`, `target`.
    pub slot: String,
    /// In the shape that the table of slots says.
    pub value: Value,
    pub said: Said,
}

/// Words of the request and where they stand, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub text: String,
    pub at: Range<usize>,
}

/// What is not in the table of acts.
pub const OTHER: &str = "other";
/// Slots of such goals: what it is done to, and what is given by name.
pub const OBJECT: &str = "object";
pub const ARGUMENTS: &str = "arguments";

impl Frame {
    /// Whether nothing is said that anything could be made of.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
            && self.leftover.is_empty()
            && self.entities.is_empty()
            && self.no_plan.is_none()
    }

    /// The texts of all goals together, for search.
    pub fn text(&self) -> String {
        let texts = self.goals.iter().map(|goal| goal.text.as_str());
        texts.collect::<Vec<_>>().join(" and ")
    }

    /// Adds the goals of what was said after it, which begins at this place of the request.
    pub fn append(&mut self, later: Self, at: usize) {
        let moved = |place: Range<usize>| place.start + at..place.end + at;
        for mut goal in later.goals {
            goal.said.at = moved(goal.said.at);
            for part in &mut goal.parts {
                part.said.at = moved(part.said.at.clone());
            }
            self.goals.push(goal);
        }
        for mut entity in later.entities {
            entity.place = moved(entity.place);
            self.entities.push(entity);
        }
        self.notes.extend(later.notes);
        if self.language.is_empty() {
            self.language = later.language;
        }
    }

    /// What a goal names.
    pub fn named_in(&self, goal: &Goal) -> impl Iterator<Item = (usize, &Entity)> {
        let own = self.entities.iter().enumerate();
        own.filter(|(_, entity)| !entity.text.is_empty() && goal.text.contains(&entity.text))
    }
}

impl Goal {
    /// The parts of one slot.
    pub fn all<'a>(&'a self, slot: &'a str) -> impl Iterator<Item = &'a Part> {
        self.parts.iter().filter(move |part| part.slot == slot)
    }

    pub fn has(&self, slot: &str) -> bool {
        self.all(slot).next().is_some()
    }

    pub fn first<'a>(&'a self, slot: &'a str) -> Option<&'a Part> {
        self.all(slot).next()
    }
}

impl Part {
    pub fn new(slot: &str, value: Value, said: Said) -> Self {
        Self {
            slot: slot.to_owned(),
            value,
            said,
        }
    }

    /// A text in the value of this part.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.value.get(field)?.as_str()
    }
}
