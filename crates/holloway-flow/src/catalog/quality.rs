//! How good is a tool likely to be? The registry's own formula: how richly it is
//! described, how often it is downloaded, how many stars it has.

use super::offer::QualityFacts;

/// 0 to 1, rounded to hundredths.
pub fn score(facts: &QualityFacts) -> f64 {
    let _ = facts;
    0.0
}
