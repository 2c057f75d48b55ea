//! How much does each thing count that speaks for a candidate? `data/binding.toml` has the weights, and
//! how they were found.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::features::{Feature, Features};

/// How much a value counts less that another parameter of the step already has.
pub const SPENT: f32 = 3.5;
pub const SPENT_RESULT: f32 = 1.5;
/// The same for single items where another parameter takes a list whole.
pub const SPENT_LIST: f32 = 4.0;

// A test reads them; without them nothing counts.
static SHIPPED: LazyLock<Features> = LazyLock::new(|| {
    let read = toml::from_str(include_str!("../../data/binding.toml"));
    let read: FxHashMap<String, f32> = read.unwrap_or_default();
    let weight = |feature: Feature| read.get(feature.name()).copied();
    Feature::ALL.map(|feature| weight(feature).unwrap_or_default())
});

/// All of them, by feature.
pub fn weights() -> Features {
    *SHIPPED
}

pub fn score(features: &Features, weights: &Features) -> f32 {
    let pairs = features.iter().zip(weights);
    pairs.map(|(feature, weight)| feature * weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_one_weight() {
        let read: FxHashMap<String, f32> =
            toml::from_str(include_str!("../../data/binding.toml")).unwrap();
        assert_eq!(read.len(), Feature::ALL.len());
        for feature in Feature::ALL {
            assert!(read.contains_key(feature.name()), "{feature:?}");
        }
    }
}
