//! Which tools, in which order? What the words of the request say, and what served
//! similar requests before; the second counts the more the more there is of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::catalogue::Place;

/// A run that reached its goal, as far as planning learns from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PastRun {
    pub request: String,
    /// Ids of tools, in order.
    pub tools: Vec<String>,
    /// Which step's result went into which, by place in `tools`.
    #[serde(default)]
    pub links: Vec<(usize, usize)>,
    /// The arguments of each call; a result of an earlier call stands as a reference.
    #[serde(default)]
    pub arguments: Vec<Map<String, Value>>,
}

/// Tools in an order that may serve a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sequence {
    pub tools: Vec<Place>,
    /// Which step's result goes into which, by place in `tools`.
    pub links: Vec<(usize, usize)>,
    /// How likely this is all that is needed, 0 to 1.
    pub probability: f32,
    /// How many remembered runs used the same tools.
    pub seen: u32,
}
