//! How good is a tool likely to be? The registry's own formula: how richly it is
//! described, how often it is downloaded, how many stars it has.

use super::offer::QualityFacts;

const RICH: f64 = 0.6;
const PLAIN: f64 = 0.4;
const DOWNLOADS_AT_MOST: f64 = 0.2;
const STARS_AT_MOST: f64 = 0.1;
const PARAMETERS: f64 = 0.04;
const RETURNS: f64 = 0.03;
const GUIDANCE: f64 = 0.03;

/// 0 to 1, rounded to hundredths.
pub fn score(facts: &QualityFacts) -> f64 {
    let tier = if facts.rich { RICH } else { PLAIN };
    let downloads = (magnitude(facts.downloads) / 15.0).min(DOWNLOADS_AT_MOST);
    let stars = (magnitude(facts.stars) / 10.0).min(STARS_AT_MOST);
    let metadata = [
        (facts.has_parameters, PARAMETERS),
        (facts.has_returns, RETURNS),
        (facts.has_guidance, GUIDANCE),
    ];
    let metadata: f64 = metadata
        .iter()
        .filter(|(has, _)| *has)
        .map(|(_, worth)| worth)
        .sum();
    let sum = (tier + downloads + stars + metadata).min(1.0);
    (sum * 100.0).round() / 100.0
}

/// 0 for none, 1 for nine, 2 for ninety-nine.
fn magnitude(count: u64) -> f64 {
    (count as f64 + 1.0).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rich: bool, downloads: u64, stars: u64, metadata: [bool; 3], expected: f64) {
        let [has_parameters, has_returns, has_guidance] = metadata;
        let facts = QualityFacts {
            rich,
            downloads,
            stars,
            has_parameters,
            has_returns,
            has_guidance,
        };
        let found = score(&facts);
        assert!((found - expected).abs() < 1e-9, "{facts:?}: {found}");
    }

    #[test]
    fn parts_add_up() {
        let (none, all) = ([false; 3], [true; 3]);
        check(false, 0, 0, none, 0.4);
        check(true, 0, 0, none, 0.6);
        check(false, 0, 0, [true, false, false], 0.44);
        check(false, 0, 0, [false, true, false], 0.43);
        check(false, 0, 0, [false, false, true], 0.43);
        check(true, 0, 0, all, 0.7);
        check(false, 99, 0, none, 0.53);
        check(false, 0, 4, none, 0.47);
        check(true, 350, 2, all, 0.92);
    }

    #[test]
    fn popularity_is_bounded_and_so_is_the_whole() {
        check(false, 999, 0, [false; 3], 0.6);
        check(false, u64::MAX, 0, [false; 3], 0.6);
        check(false, 0, 9, [false; 3], 0.5);
        check(false, 0, u64::MAX, [false; 3], 0.5);
        check(true, u64::MAX, u64::MAX, [true; 3], 1.0);
    }
}
