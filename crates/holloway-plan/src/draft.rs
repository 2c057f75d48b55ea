//! A plan as somebody wrote it: read, but not yet checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::step::Step;
use crate::tool::does::Does;

/// A plan document as written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Draft {
    /// Version of the plan language; "1.0".
    #[serde(deserialize_with = "version_text")]
    pub version: String,
    /// Names the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What the plan is to achieve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// In which order steps run.
    pub execution: Execution,
    /// How closely the run keeps to the plan.
    #[serde(skip_serializing_if = "Mode::is_strict")]
    pub mode: Mode,
    /// JSON Schema of the plan's input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// Limits that stop the run.
    #[serde(skip_serializing_if = "Budget::is_unlimited")]
    pub budget: Budget,
    pub steps: Vec<Step>,
    /// Which results are the answer, in the order they are shown: `group.rows`. The result of
    /// the last step if left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answer: Vec<String>,
    /// Which requests the plan serves, for planning: `broken_links url:site -> table`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub does: Vec<Does>,
}

/// In which order steps run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Execution {
    /// One after the other, as listed.
    Sequential,
    /// Each as soon as what it depends on has ended.
    #[default]
    Dag,
    /// Along `next` edges, cycles allowed within `max_visits`.
    Graph,
}

impl Execution {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Dag => "dag",
            Self::Graph => "graph",
        }
    }
}

/// How closely a run keeps to its plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    #[default]
    Strict,
    Guided,
    Hybrid,
}

impl Mode {
    #[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
    fn is_strict(&self) -> bool {
        *self == Self::Strict
    }
}

/// Hard limits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Budget {
    fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }
}

/// YAML reads an unquoted `1.0` as a number; it means the version all the same.
fn version_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Number(number) if number.as_f64() == Some(1.0) => Ok("1.0".to_owned()),
        other => Err(serde::de::Error::custom(format!(
            "expected the version \"1.0\", found {other}"
        ))),
    }
}

impl Draft {
    /// Calls `visit` on every step, outer steps before their inner ones.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Step)) {
        for step in &self.steps {
            step.walk(visit);
        }
    }
}
