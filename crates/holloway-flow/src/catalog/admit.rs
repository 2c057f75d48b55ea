//! What becomes of what a source offers? New tools are taken in, unchanged ones
//! stay, changed ones are held back with their diff until a person accepts them.

use holloway_plan::digest;
use holloway_plan::tool::ToolId;
use serde::Serialize;
use serde_json::Value;

use super::CatalogTool;
use super::effect::EffectOverrides;
use super::offer::{Offer, Package};

/// What admission has to go by.
pub struct Gate<'a> {
    pub package: Option<&'a Package>,
    pub overrides: &'a EffectOverrides,
    /// Tools of other sources, whose names must not be posed as.
    pub others: &'a [ToolId],
    /// The source is being added by a person right now, who sees what it offers.
    pub first_time: bool,
}

/// What follows from a list of offers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Admission {
    /// Tools whose entry is new or different and must be written.
    pub changed: Vec<CatalogTool>,
    /// Ids by what became of them.
    pub added: Vec<ToolId>,
    pub held: Vec<ToolId>,
    pub gone: Vec<ToolId>,
    pub unchanged: usize,
}

/// Compares what is offered with what was accepted.
pub fn admit(known: &[CatalogTool], offers: &[Offer], gate: &Gate<'_>) -> Admission {
    let _ = (known, offers, gate);
    Admission::default()
}

/// The digest an accepted definition is pinned by: definition, package version, integrity.
pub fn pin_of(definition: &Value, package: Option<&Package>) -> String {
    digest::of_json(&(definition, package))
}

/// Takes what was held back: the tool is ready with the definition that waited.
pub fn accept(tool: &CatalogTool, offer: &Offer, gate: &Gate<'_>) -> CatalogTool {
    let _ = (offer, gate);
    tool.clone()
}

/// One difference between two definitions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// A JSON pointer.
    pub place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// How two definitions differ, place by place.
pub fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let _ = (before, after);
    Vec::new()
}
