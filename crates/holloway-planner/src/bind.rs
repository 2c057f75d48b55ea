//! Where does each argument come from? From an earlier result, from the request, from a
//! past run, from the schema, or from the person who runs the plan; with the reason.
//!
//! For every parameter: [`candidates`] lists what it could be, [`features`] says what
//! speaks for each, [`weights`] how much that counts, [`choose`] takes the best for all
//! parameters of a step together.

pub mod candidates;
pub mod choose;
pub mod features;
pub mod past;
pub mod reason;
pub mod sequence;
pub mod weights;

use std::ops::Range;

use holloway_plan::tool::ToolSpec;
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::Value;

pub use self::past::PastArguments;
use crate::frame::Frame;
use crate::read::spans::Reading;
use crate::read::stated::Stated;

/// One argument of one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Binding {
    pub parameter: String,
    pub source: Source,
    /// The entities that it takes, by their number.
    pub entities: Vec<usize>,
    /// 0 to 1.
    pub confidence: f32,
    /// For people: "the address in the request".
    pub reason: String,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A path into the result of an earlier step: `pages`, `urls[0]`, or all of it when
    /// empty. `urls[]` is each item of a list in turn, or a field of each: `pages[].url`;
    /// where the parameter is a list itself, the items are taken together.
    Earlier { step: String, path: String },
    /// Entity of the frame, by its place there; the first of them where the value is
    /// made of several.
    Request { entity: usize, value: Value },
    /// Other words of the request, by their place in bytes.
    Words { place: Range<usize>, value: Value },
    /// What the schema gives when nothing is said, the only value it allows, or what goes
    /// without saying for such a parameter.
    Schema { value: Value },
    /// What past runs gave.
    Past { value: Value },
    /// Nobody said: an input of the plan, by its name there.
    Input { name: String },
}

/// A step that comes before.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    pub step: &'a str,
    pub tool: &'a ToolSpec,
}

/// What is known where a step is bound.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub frame: &'a Frame,
    /// In the order of the plan.
    pub earlier: &'a [Earlier<'a>],
    /// The clause of the request that the step serves.
    pub clause: Option<usize>,
    /// Entities that other steps have taken, by their number in the frame.
    pub used: Option<&'a FxHashSet<usize>>,
    pub past: Option<&'a PastArguments>,
    /// What is stated outright for the parameters of the call, where that is known.
    pub stated: Option<&'a [Stated]>,
}

impl<'a> Situation<'a> {
    /// The first step of a request, with nothing known beside it.
    pub fn alone(frame: &'a Frame) -> Self {
        Self {
            frame,
            earlier: &[],
            clause: None,
            used: None,
            past: None,
            stated: None,
        }
    }
}

/// All required parameters of a tool, and those of the others that something speaks for.
pub fn bind(tool: &ToolSpec, situation: &Situation<'_>) -> Vec<Binding> {
    let reading = Reading::of(situation.frame, situation.clause);
    choose::choose(tool, situation, &reading)
}

#[cfg(test)]
mod tests;
