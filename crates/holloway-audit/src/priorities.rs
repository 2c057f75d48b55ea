//! How urgent is an action? Weights, costs and bounds from `data/priorities.toml`:
//! priority = weight of the severity × reach ÷ cost of the effort.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::finding::Severity;
use crate::rule::Effort;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Priorities {
    reach_of_one: f64,
    now: f64,
    next: f64,
    weight: BTreeMap<Severity, f64>,
    cost: BTreeMap<Effort, f64>,
    /// Rules that ask for what another rule asks for.
    same: BTreeMap<String, String>,
}

static PRIORITIES: LazyLock<Priorities> =
    LazyLock::new(|| toml::from_str(include_str!("../data/priorities.toml")).unwrap_or_default());

/// The priority of mending a rule, with two digits after the point.
pub fn priority(severity: Severity, reach: f64, effort: Effort) -> f64 {
    let weight = PRIORITIES.weight.get(&severity).copied().unwrap_or(1.0);
    let cost = PRIORITIES.cost.get(&effort).copied().unwrap_or(1.0);
    (weight * reach / cost * 100.0).round() / 100.0
}

/// How much of the weight counts: all of it where one place is enough.
pub fn reach(affected: usize, pages: usize, site: bool) -> f64 {
    if site {
        return 1.0;
    }
    let share = affected as f64 / pages.max(1) as f64;
    let least = PRIORITIES.reach_of_one;
    least + (1.0 - least) * share.min(1.0)
}

/// `now`, `next` or `later`.
pub fn when(priority: f64) -> &'static str {
    if priority >= PRIORITIES.now {
        "now"
    } else if priority >= PRIORITIES.next {
        "next"
    } else {
        "later"
    }
}

/// The rule that asks for the same as this one.
pub fn same_as(rule: &str) -> Option<&'static str> {
    PRIORITIES.same.get(rule).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_reads_and_names_rules() {
        let read: Priorities = toml::from_str(include_str!("../data/priorities.toml")).unwrap();
        assert_eq!((read.weight.len(), read.cost.len()), (4, 3));
        for (second, first) in &read.same {
            assert!(crate::rules::find(second).is_some(), "{second}");
            assert!(crate::rules::find(first).is_some(), "{first}");
        }
    }

    #[test]
    fn severity_reach_and_effort_decide() {
        use Effort::{High, Low, Medium};
        use Severity::{Critical, Minor, Moderate, Serious};
        let check = |severity, affected, site, effort, expected| {
            let priority = priority(severity, reach(affected, 40, site), effort);
            assert_eq!(
                when(priority),
                expected,
                "{severity:?} {affected} {effort:?} {priority}"
            );
        };
        check(Critical, 1, true, Medium, "now");
        check(Critical, 1, false, Low, "now");
        check(Serious, 40, false, Low, "now");
        check(Serious, 1, false, Low, "next");
        check(Serious, 1, false, High, "later");
        check(Moderate, 40, false, Low, "next");
        check(Moderate, 1, false, Low, "later");
        check(Minor, 40, false, Low, "later");
    }
}
