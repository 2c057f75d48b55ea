//! Would a plan go over its limits of time and money? By what its tools declare; and what has to
//! count more so that it does not.

use super::PlanningConstraints;
use super::track::TrackedPlan;
use crate::frame::constraints::Priority;

/// Which limit a plan would go over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Excess {
    Money(f64),
    Seconds(f64),
}

impl Excess {
    /// What has to count more for the plan to stay within it.
    pub(super) fn remedy(self) -> Priority {
        match self {
            Self::Money(_) => Priority::Cost,
            Self::Seconds(_) => Priority::Speed,
        }
    }
}

impl TrackedPlan {
    /// The limit that the tools' declared prices and durations would go over.
    pub(super) fn excess(&self, constraints: &PlanningConstraints) -> Option<Excess> {
        let prices = self.tasks.iter().filter_map(|task| task.tool.price);
        let money: f64 = prices.sum();
        if constraints.money.is_some_and(|most| money > most) {
            return Some(Excess::Money(money));
        }
        let seconds = self.seconds();
        let over = constraints.seconds.is_some_and(|most| seconds > most);
        over.then_some(Excess::Seconds(seconds))
    }

    /// Wave after wave, each as long as its longest task.
    fn seconds(&self) -> f64 {
        let mut waves: Vec<u64> = Vec::new();
        for task in &self.tasks {
            let wave = task.sequenced.wave;
            waves.resize(waves.len().max(wave + 1), 0);
            let unknown = holloway_plan::estimate::UNKNOWN_LATENCY_MS;
            let latency = task.tool.latency_ms.unwrap_or(unknown);
            if let Some(longest) = waves.get_mut(wave) {
                *longest = latency.max(*longest);
            }
        }
        let whole = waves
            .iter()
            .fold(0_u64, |sum, wave| sum.saturating_add(*wave));
        whole as f64 / 1_000.0
    }

    pub(super) fn noting_excess(self, constraints: &PlanningConstraints) -> Self {
        let note = match self.excess(constraints) {
            Some(Excess::Money(money)) => format!(
                "expected to cost ${money:.2}, more than the ${:.2} allowed, with any tools at hand",
                constraints.money.unwrap_or_default()
            ),
            Some(Excess::Seconds(seconds)) => format!(
                "expected to take {seconds:.1} s, more than the {:.1} s allowed, with any tools at hand",
                constraints.seconds.unwrap_or_default()
            ),
            None => return self,
        };
        self.noting(note)
    }
}
