//! What limits a plan? Time, money, what matters most and how much is to be covered, as far as
//! the request says it about the work.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What limits a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Constraints {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<f64>,
    pub priority: Priority,
    pub depth: Depth,
}

impl Constraints {
    /// Takes over the limits of another reading where they are tighter.
    pub fn tighten(&mut self, other: &Self) {
        let tighter = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.seconds = tighter(self.seconds, other.seconds);
        self.money = tighter(self.money, other.money);
    }
}

/// What matters most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    #[default]
    Balanced,
    Speed,
    Cost,
    Fidelity,
}

impl Priority {
    pub const ALL: [Self; 4] = [Self::Balanced, Self::Speed, Self::Cost, Self::Fidelity];

    pub fn word(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Speed => "speed",
            Self::Cost => "cost",
            Self::Fidelity => "fidelity",
        }
    }
}

/// How much is to be covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    Quick,
    #[default]
    Usual,
    Complete,
}

impl Depth {
    pub const ALL: [Self; 3] = [Self::Quick, Self::Usual, Self::Complete];

    pub fn word(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Usual => "usual",
            Self::Complete => "complete",
        }
    }
}

impl Constraints {
    /// Takes in what one field says: `seconds`, `money`, `priority` or `depth`. Of two limits
    /// the tighter one holds. Whether it makes sense.
    pub fn add(&mut self, field: &str, value: &Value) -> bool {
        let tighter =
            |known: Option<f64>, new: f64| Some(known.map_or(new, |known| known.min(new)));
        let word = || value.as_str().map(|word| word.trim().to_lowercase());
        match field {
            "seconds" | "money" => {
                let Some(limit) = limit(value) else {
                    return false;
                };
                if field == "seconds" {
                    self.seconds = tighter(self.seconds, limit);
                } else {
                    self.money = tighter(self.money, limit);
                }
            }
            "priority" => {
                let mut all = Priority::ALL.into_iter();
                let Some(known) = word().and_then(|word| all.find(|one| one.word() == word)) else {
                    return false;
                };
                self.priority = known;
            }
            "depth" => {
                let mut all = Depth::ALL.into_iter();
                let Some(known) = word().and_then(|word| all.find(|one| one.word() == word)) else {
                    return false;
                };
                self.depth = known;
            }
            _ => return false,
        }
        true
    }
}

/// A number above nothing, also where it is written as a text.
fn limit(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_start_matches('$').parse().ok(),
        _ => None,
    };
    number.filter(|limit: &f64| limit.is_finite() && *limit > 0.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn limits_are_taken_in_one_by_one() {
        let mut found = Constraints::default();
        for (field, value, fits) in [
            ("seconds", json!(60), true),
            ("seconds", json!(20), true),
            ("money", json!("$0.01"), true),
            ("money", json!(-1), false),
            ("priority", json!("Speed"), true),
            ("priority", json!("luck"), false),
            ("depth", json!("complete"), true),
            ("taste", json!("good"), false),
        ] {
            assert_eq!(found.add(field, &value), fits, "{field} {value}");
        }
        let expected = Constraints {
            seconds: Some(20.0),
            money: Some(0.01),
            priority: Priority::Speed,
            depth: Depth::Complete,
        };
        assert_eq!(found, expected);
    }
}
