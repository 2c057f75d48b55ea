//! How much does each thing count that is seen of a tool? The weights that the binary
//! carries, with what they were fitted on.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::seen::{SEEN, Seen};

/// Weights by the names of what is seen; what is not named counts nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shipped {
    /// For people.
    pub fitted_on: String,
    #[serde(flatten)]
    pub weights: Weights,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Which tool is meant.
    #[serde(with = "by_name")]
    pub meant: Seen,
    /// Whether a tool does it at all.
    #[serde(with = "by_name")]
    pub does: Seen,
    pub bias: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            meant: [0.0; SEEN.len()],
            does: [0.0; SEEN.len()],
            bias: 0.0,
        }
    }
}

impl Weights {
    pub fn meant(&self, seen: &Seen) -> f32 {
        sum(&self.meant, seen)
    }

    /// A chance, 0 to 1.
    pub fn does(&self, seen: &Seen) -> f32 {
        1.0 / (1.0 + (-self.bias - sum(&self.does, seen)).exp())
    }
}

impl Shipped {
    /// Those that the binary carries.
    pub fn of_binary() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<Shipped>> = LazyLock::new(|| {
            let text = include_str!("../../../data/choice.json");
            Arc::new(serde_json::from_str(text).unwrap_or_default())
        });
        Arc::clone(&SHIPPED)
    }
}

fn sum(weights: &Seen, seen: &Seen) -> f32 {
    let products = weights.iter().zip(seen).map(|(weight, seen)| weight * seen);
    products.sum()
}

/// Weights are written with the names of what they are for.
mod by_name {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{SEEN, Seen};

    pub(super) fn serialize<S: Serializer>(weights: &Seen, to: S) -> Result<S::Ok, S::Error> {
        let named: BTreeMap<&str, f32> = SEEN.into_iter().zip(*weights).collect();
        named.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Seen, D::Error> {
        let named: BTreeMap<String, f32> = BTreeMap::deserialize(from)?;
        Ok(SEEN.map(|name| named.get(name).copied().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_binary_carries_weights_for_all_that_is_seen() {
        let shipped = Shipped::of_binary();
        assert!(!shipped.fitted_on.is_empty());
        assert!(shipped.weights.meant.iter().all(|weight| *weight != 0.0));
        let text = serde_json::to_string(&*shipped).expect("weights are plain numbers");
        let again: Shipped = serde_json::from_str(&text).expect("what was written");
        assert_eq!(again, *shipped);
    }
}
