//! What stands in the catalogue for an offer? The entry of a tool that is taken,
//! of one that waits, and of one that was never accepted.

use holloway_plan::tool::{ToolId, ToolSpec};
use serde_json::Value;

use super::{Gate, pin_of};
use crate::catalog::health::Health;
use crate::catalog::inference::inferred;
use crate::catalog::offer::Offer;
use crate::catalog::{CatalogTool, Standing, Waiting, effect, quality};

/// What the tool of an offer would be; what only we know of it is carried over.
pub(super) fn waiting(offer: &Offer, gate: &Gate<'_>, known: Option<&CatalogTool>) -> Waiting {
    let classified = effect::classify(offer, gate.package, gate.overrides);
    let spec = ToolSpec {
        id: offer.id.clone(),
        title: offer.title.clone(),
        description: offer.description.clone(),
        category: offer.category.clone(),
        input_schema: offer.input_schema.clone(),
        output_schema: offer.output_schema.clone(),
        effect: classified.effect,
        pure: false,
        price: known.and_then(|tool| tool.spec.price),
        latency_ms: known.and_then(|tool| tool.spec.latency_ms),
        definition: pin_of(&offer.definition, gate.package),
        does: Vec::new(),
        inferred: Vec::new(),
    };
    Waiting {
        spec,
        effect_reason: classified.reason,
        quality: quality::score(&offer.facts),
        package: gate.package.cloned(),
    }
}

/// The entry of a tool that may be used from now on.
pub(super) fn taken(
    definition: Value,
    waiting: &Waiting,
    known: Option<&CatalogTool>,
) -> CatalogTool {
    inferred(CatalogTool {
        spec: waiting.spec.clone(),
        effect_reason: waiting.effect_reason.clone(),
        definition,
        package: waiting.package.clone(),
        standing: Standing::Ready,
        quality: waiting.quality,
        health: known.map_or_else(Health::default, |tool| tool.health.clone()),
        inference: 0,
    })
}

/// Nothing but the id: what the source says of the tool stays with what waits.
pub(super) fn never_accepted(id: &ToolId) -> CatalogTool {
    CatalogTool {
        spec: ToolSpec::named(id.as_str()),
        effect_reason: "it was never accepted".to_owned(),
        definition: Value::Null,
        package: None,
        standing: Standing::Gone,
        quality: 0.0,
        health: Health::default(),
        inference: 0,
    }
}
