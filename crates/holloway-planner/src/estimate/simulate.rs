//! How would plans fare whose tools are known to the last digit? Made-up tools, plans and
//! outcomes to fit and test the calibration on, while there are no real ones.

use holloway_search::rank::Health;

use super::calibrate::Outcome;
use super::chance::{Kind, Record, StepChance, any, of_call, of_steps, with_retries};

/// A small generator (SplitMix64): the same seed gives the same numbers anywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From 0 up to, but not including, 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, count: usize) -> usize {
        (self.share() * count as f64) as usize
    }

    fn happens(&mut self, chance: f64) -> bool {
        self.share() < chance
    }

    fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.share()
    }
}

/// A tool whose true share of calls that work is known.
struct Tool {
    works: f64,
    kind: Kind,
    record: Record,
}

/// Tools behind one step: its own and its fallbacks.
struct SimulatedStep {
    tools: Vec<Tool>,
    retries: u32,
    needed: bool,
}

/// So many plans, what the product rule says of each, and how it ended.
///
/// What is assumed: of ten tools four work on their arguments alone (98.5 to 100 % of calls
/// work), of the rest two thirds are sound (94 to 100 %), most others fair (75 to 95 %),
/// some poor (10 to 60 %). Half of all failures last. Fallbacks fail together with the tool
/// before them in three of ten cases. A choice of tools, or of arguments, that is called 100 %
/// sure is right in 97 %, one that is called 0 % sure in 25 %. Plans have 1 to 20 steps, of
/// which four of five are needed. None of this was measured on real runs.
pub fn simulate(plans: usize, random: &mut Random) -> Vec<Outcome> {
    (0..plans).map(|_| one(random)).collect()
}

fn one(random: &mut Random) -> Outcome {
    let steps: Vec<SimulatedStep> = (0..=random.below(20)).map(|_| step(random)).collect();
    let chances: Vec<StepChance> = steps.iter().map(predicted).collect();
    let fit = random.between(0.5, 1.0);
    let arguments = random.between(0.7, 1.0);
    let raw = of_steps(&chances) * fit * arguments;

    let chosen_well = is_right(fit, random);
    let bound_well = is_right(arguments, random);
    let ends: Vec<(bool, bool)> = steps
        .iter()
        .map(|step| (step.needed, works(step, random)))
        .collect();
    let needed_work = ends.iter().all(|(needed, works)| *works || !needed);
    let others = ends.iter().filter(|(needed, _)| !needed);
    let some_other_works = others.clone().count() == 0 || others.clone().any(|(_, works)| *works);
    Outcome {
        predicted: raw,
        worked: chosen_well && bound_well && needed_work && some_other_works,
    }
}

/// What is called so sure is right less often than that at the top, more often at the bottom.
fn is_right(sure: f64, random: &mut Random) -> bool {
    random.happens(0.25 + 0.72 * sure)
}

fn step(random: &mut Random) -> SimulatedStep {
    let fallbacks = random.below(3);
    SimulatedStep {
        tools: (0..=fallbacks).map(|_| tool(random)).collect(),
        retries: random.below(4) as u32,
        needed: random.happens(0.8),
    }
}

fn tool(random: &mut Random) -> Tool {
    let steady = random.happens(0.4);
    let works = match random.below(12) {
        _ if steady => random.between(0.985, 1.0),
        0..8 => random.between(0.94, 1.0),
        8..11 => random.between(0.75, 0.95),
        _ => random.between(0.1, 0.6),
    };
    let mut record = Record::default();
    let mut health = if steady {
        Health::Healthy
    } else {
        Health::Unknown
    };
    for _ in 0..random.below(25) {
        let worked = random.happens(works);
        record.worked += u32::from(worked);
        record.failed += u32::from(!worked);
        health = if worked {
            Health::Healthy
        } else {
            Health::Broken
        };
    }
    Tool {
        works,
        kind: Kind { health, steady },
        record,
    }
}

fn predicted(step: &SimulatedStep) -> StepChance {
    let chance = |tool: &Tool| with_retries(of_call(tool.kind, tool.record), step.retries);
    StepChance {
        chance: any(step.tools.iter().map(chance)),
        needed: step.needed,
    }
}

fn works(step: &SimulatedStep, random: &mut Random) -> bool {
    let mut together = false;
    for tool in &step.tools {
        if together {
            continue;
        }
        if tries(tool, step.retries, random) {
            return true;
        }
        together = random.happens(0.3);
    }
    false
}

fn tries(tool: &Tool, retries: u32, random: &mut Random) -> bool {
    if random.happens(tool.works) {
        return true;
    }
    let lasts = random.happens(0.5);
    !lasts && (0..retries).any(|_| random.happens(tool.works))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_outcomes() {
        let first = simulate(50, &mut Random::new(7));
        assert_eq!(first, simulate(50, &mut Random::new(7)));
        assert_ne!(first, simulate(50, &mut Random::new(8)));
    }

    #[test]
    fn shares_are_spread_evenly() {
        let mut random = Random::new(3);
        let shares: Vec<f64> = (0..10_000).map(|_| random.share()).collect();
        let mean: f64 = shares.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
        assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
    }
}
