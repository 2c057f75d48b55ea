//! How are drafts made? Strategies, what counts how much for each, and how far a plan may go;
//! all of it comes from the configuration.

use serde::{Deserialize, Serialize};

use crate::frame::constraints::Priority;

pub mod bounds;

/// How a plan is made. The names and figures come from the configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    pub name: String,
    /// How many steps it aims to stay within.
    pub steps: usize,
    /// What matters most to it.
    pub prefers: Priority,
}

/// What counts how much when tools or orders are weighed against each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profile {
    pub fidelity: f64,
    pub speed: f64,
    pub cost: f64,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            fidelity: 0.4,
            speed: 0.3,
            cost: 0.3,
        }
    }
}

/// The profile of each thing that may matter most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Profiles {
    pub balanced: Profile,
    pub speed: Profile,
    pub cost: Profile,
    pub fidelity: Profile,
}

impl Default for Profiles {
    fn default() -> Self {
        let profile = |fidelity, speed, cost| Profile {
            fidelity,
            speed,
            cost,
        };
        Self {
            balanced: Profile::default(),
            speed: profile(0.1, 0.6, 0.3),
            cost: profile(0.2, 0.2, 0.6),
            fidelity: profile(0.8, 0.1, 0.1),
        }
    }
}

impl Profiles {
    pub fn of(&self, priority: Priority) -> Profile {
        match priority {
            Priority::Balanced => self.balanced,
            Priority::Speed => self.speed,
            Priority::Cost => self.cost,
            Priority::Fidelity => self.fidelity,
        }
    }
}

/// How drafts are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GenerateSettings {
    pub strategies: Vec<Strategy>,
    pub profiles: Profiles,
    /// How many tools may be put one before the other to make what one needs.
    pub deepest: usize,
    /// How many tools may stand in for another.
    pub fallbacks: usize,
    /// Where files go unless the request says it.
    pub folder: String,
    /// Items at a time.
    pub loop_concurrency: usize,
    /// The longest list a loop goes through.
    pub loop_items: usize,
}

impl Default for GenerateSettings {
    fn default() -> Self {
        let strategy = |name: &str, steps, prefers| Strategy {
            name: name.to_owned(),
            steps,
            prefers,
        };
        Self {
            strategies: vec![
                strategy("thorough", 30, Priority::Fidelity),
                strategy("quick", 5, Priority::Speed),
                strategy("balanced", 20, Priority::Balanced),
            ],
            profiles: Profiles::default(),
            deepest: 4,
            fallbacks: 2,
            folder: "out".to_owned(),
            loop_concurrency: 4,
            loop_items: 1_000,
        }
    }
}
