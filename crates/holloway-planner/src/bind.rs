//! Where does each argument come from? From an earlier result, from the request, from a
//! past run, from the schema, or from the person who runs the plan; with the reason.

pub mod fit;
pub mod shape;

use serde::Serialize;
use serde_json::Value;

/// One argument of one step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Binding {
    pub parameter: String,
    pub source: Source,
    /// 0 to 1.
    pub confidence: f32,
    /// For people: "the address in the request".
    pub reason: String,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A path into the result of an earlier step: `pages`, `urls[0]`, or all of it when empty.
    Earlier { step: String, path: String },
    /// Entity of the analysis, by its place there.
    Request { entity: usize, value: Value },
    /// What the schema gives when nothing is said, or the only value it allows.
    Schema { value: Value },
    /// What past runs gave.
    Past { value: Value },
    /// Nobody said: an input of the plan, by its name there.
    Input { name: String },
}
