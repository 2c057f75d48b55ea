//! What is different between two plans? Steps added, removed, renamed, moved and changed,
//! field by field; as data and as text. Says what is written, not what it means.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::draft::Draft;

mod fields;
mod steps;
mod text;

pub use text::text;

/// Everything that two plans do not have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Fields of the plan itself: objective, execution, input, budget.
    pub plan: Vec<FieldChange>,
    pub removed: Vec<StepNote>,
    pub added: Vec<StepNote>,
    pub renamed: Vec<Renamed>,
    pub moved: Vec<Moved>,
    pub changed: Vec<StepChange>,
}

impl Difference {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A field that is written otherwise; null where it is not written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FieldChange {
    /// Further in with dots: `input.url`, `retry.max`.
    pub field: String,
    pub old: Value,
    pub new: Value,
}

/// A step that only one plan has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepNote {
    pub step: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    #[serde(flatten)]
    pub spot: Spot,
}

/// A step that does the same under another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Renamed {
    pub old: String,
    pub new: String,
}

/// A step that stands elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// By its new name.
    pub step: String,
    pub old: Spot,
    pub new: Spot,
}

/// Where a step stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The step it stands in, with the branch of a `conditional`; none at the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// Counted from 1, in its list.
    pub place: usize,
}

/// A step that both plans have, written otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepChange {
    /// By its new name.
    pub step: String,
    pub fields: Vec<FieldChange>,
}

/// Compares two plans as they are written. Names of plans are not compared.
pub fn diff(old: &Draft, new: &Draft) -> Difference {
    let mut difference = Difference {
        plan: fields::changes(&head(old), &head(new)),
        ..Difference::default()
    };
    steps::compare(old, new, &mut difference);
    difference
}

/// The fields of a plan without its steps.
fn head(draft: &Draft) -> Map<String, Value> {
    let bare = Draft {
        id: None,
        steps: Vec::new(),
        ..draft.clone()
    };
    let mut head = fields::of(&bare);
    head.shift_remove("steps");
    head
}

#[cfg(test)]
mod tests;
