//! What does a source say about its tools? The same words for every kind of
//! source; nothing in an offer is believed yet.

use holloway_plan::tool::ToolId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::inspect::Finding;

/// One tool as its source describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub id: ToolId,
    pub title: String,
    pub description: String,
    /// Empty when the source names none.
    pub category: String,
    /// `Value::Null` when the source declares none.
    pub input_schema: Value,
    pub output_schema: Value,
    pub hints: Hints,
    /// The whole definition as received: what is hashed, compared and shown.
    pub definition: Value,
    pub facts: QualityFacts,
    /// What whoever read it from its source found wrong with it.
    pub findings: Vec<Finding>,
}

/// What a source claims about the effect of a tool (the annotations of MCP).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub idempotent: Option<bool>,
    pub open_world: Option<bool>,
}

/// What the quality formula looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QualityFacts {
    /// Described as richly as the registry asks: parameters, result, guidance.
    pub rich: bool,
    pub downloads: u64,
    pub stars: u64,
    pub has_parameters: bool,
    pub has_returns: bool,
    /// Says when an agent should use it.
    pub has_guidance: bool,
}

/// A package at an exact version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    pub registry: Registry,
    pub name: String,
    /// Empty when the command that runs it names none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Such as `sha512-…`; empty when it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub integrity: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Registry {
    Npm,
    Pypi,
}
