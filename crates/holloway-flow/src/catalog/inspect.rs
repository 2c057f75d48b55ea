//! Does a definition try to mislead whoever reads it? Looks for hidden text,
//! orders to the model, and names that pose as others. What is found is shown.

use holloway_plan::tool::ToolId;
use serde::{Deserialize, Serialize};

use super::offer::Offer;

/// Something about a definition that a person should see before using it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub kind: Suspicion,
    /// Where in the definition, as a JSON pointer; empty for the name.
    pub place: String,
    /// What was found, with everything invisible made visible.
    pub shown: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Suspicion {
    /// Characters that are not seen: zero width, tags, direction marks, controls.
    HiddenText,
    /// An order to the reader: ignore, conceal, send, read files.
    Order,
    /// Tells how other tools are to be used.
    CrossTool,
    /// Its name is, or looks like, that of a tool of another source.
    ShadowedName,
    /// Longer than any honest definition.
    Oversized,
    /// Something encoded that a reader cannot check.
    Encoded,
    /// Its schema cannot be used: not an object, endless, too deep.
    BadSchema,
}

/// All that looks wrong about an offer; `others` are the tools of other sources.
pub fn inspect(offer: &Offer, others: &[ToolId]) -> Vec<Finding> {
    let _ = (offer, others);
    Vec::new()
}
