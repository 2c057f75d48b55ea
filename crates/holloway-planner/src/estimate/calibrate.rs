//! Does a confidence of 70 % come true seven times out of ten? A monotone curve from
//! what the product rule says to what was seen, fitted by pooling neighbours that are
//! out of order (isotonic regression).

use holloway_plan::tool::ToolId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::chance::Record;

/// The shipped curve: what the product rule says, what was seen. Every other point of what
/// `cargo run -p holloway-planner --example reliability 50000` prints.
const SHIPPED: [(f64, f64); 13] = [
    (0.0, 0.0),
    (0.182, 0.252),
    (0.292, 0.366),
    (0.375, 0.420),
    (0.428, 0.457),
    (0.469, 0.498),
    (0.520, 0.528),
    (0.601, 0.580),
    (0.650, 0.618),
    (0.711, 0.669),
    (0.767, 0.692),
    (0.836, 0.743),
    (1.0, 0.863),
];
/// Nothing is certain before it has run.
const SUREST: f64 = 0.98;
const LEAST_SURE: f64 = 0.02;
/// For how many outcomes each tenth of the old curve counts when it is fitted anew.
const OLD_COUNTS: f64 = 10.0;
/// Points that a fitted curve keeps.
const POINTS: usize = 32;

/// What was predicted, and whether it came true.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub predicted: f64,
    pub worked: bool,
}

/// What turns the product rule into a confidence: the curve, and how tools did so far.
///
/// The shipped curve was fitted on *simulated* outcomes ([`super::simulate::simulate`] says
/// what is assumed there), not on real runs: it corrects failures that come together and
/// guesses that are surer than they should be. [`Calibration::refit`] takes real outcomes
/// in; until there are many it moves little.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    curve: Vec<(f64, f64)>,
    records: FxHashMap<ToolId, Record>,
}

impl Default for Calibration {
    /// The shipped curve, and no tool known.
    fn default() -> Self {
        Self::with_curve(SHIPPED.to_vec())
    }
}

impl Calibration {
    /// Takes the product rule at its word.
    pub fn none() -> Self {
        Self::with_curve(vec![(0.0, 0.0), (1.0, 1.0)])
    }

    /// Fitted on outcomes alone.
    pub fn fitted(outcomes: &[Outcome]) -> Self {
        Self::with_curve(fit(outcomes.iter().map(weighed).collect()))
    }

    /// Fitted on outcomes and on itself, so that few outcomes change little.
    pub fn refit(&self, outcomes: &[Outcome]) -> Self {
        let mut points: Vec<Pool> = outcomes.iter().map(weighed).collect();
        points.extend((0..10).map(|tenth| {
            let at = (f64::from(tenth) + 0.5) / 10.0;
            Pool {
                at,
                seen: self.on_curve(at),
                weight: OLD_COUNTS,
            }
        }));
        Self {
            curve: fit(points),
            records: self.records.clone(),
        }
    }

    /// With what is known of tools.
    pub fn with_records(mut self, records: impl IntoIterator<Item = (ToolId, Record)>) -> Self {
        self.records.extend(records);
        self
    }

    pub fn record(&self, tool: &ToolId) -> Record {
        self.records.get(tool).copied().unwrap_or_default()
    }

    /// The confidence for what the product rule says.
    pub fn apply(&self, raw: f64) -> f64 {
        self.on_curve(raw).clamp(LEAST_SURE, SUREST)
    }

    pub fn curve(&self) -> &[(f64, f64)] {
        &self.curve
    }

    fn with_curve(curve: Vec<(f64, f64)>) -> Self {
        Self {
            curve,
            records: FxHashMap::default(),
        }
    }

    /// Between two points the curve is straight, outside of them it is level.
    fn on_curve(&self, raw: f64) -> f64 {
        let after = self.curve.partition_point(|(at, _)| *at <= raw);
        let before = after
            .checked_sub(1)
            .and_then(|before| self.curve.get(before));
        match (before, self.curve.get(after)) {
            (Some((from, low)), Some((to, high))) => {
                low + (high - low) * (raw - from) / (to - from).max(f64::EPSILON)
            }
            (Some((_, level)), None) | (None, Some((_, level))) => *level,
            (None, None) => raw,
        }
    }
}

/// Outcomes that are looked at together.
#[derive(Clone, Copy, Debug)]
struct Pool {
    at: f64,
    seen: f64,
    weight: f64,
}

fn weighed(outcome: &Outcome) -> Pool {
    Pool {
        at: outcome.predicted,
        seen: f64::from(u8::from(outcome.worked)),
        weight: 1.0,
    }
}

fn joined(one: Pool, other: Pool) -> Pool {
    let weight = one.weight + other.weight;
    let mean = |a: f64, b: f64| (a * one.weight + b * other.weight) / weight;
    Pool {
        at: mean(one.at, other.at),
        seen: mean(one.seen, other.seen),
        weight,
    }
}

/// The monotone curve that is nearest to the points.
fn fit(mut points: Vec<Pool>) -> Vec<(f64, f64)> {
    points.sort_by(|one, other| one.at.total_cmp(&other.at));
    let mut pools: Vec<Pool> = Vec::new();
    // Bins of equal size first: a curve through single outcomes would follow their noise.
    for point in binned(&points) {
        let mut pool = point;
        while let Some(last) = pools.last().copied().filter(|last| last.seen >= pool.seen) {
            pools.pop();
            pool = joined(last, pool);
        }
        pools.push(pool);
    }
    let mut curve = vec![(0.0, 0.0)];
    curve.extend(
        pools
            .iter()
            .filter(|pool| pool.at > 0.0 && pool.at < 1.0)
            .map(|pool| (pool.at, pool.seen)),
    );
    // Beyond the last point it goes on as it rose from the first.
    let highest = curve.last().map(|(at, seen)| seen / at.max(0.01));
    let highest = highest.filter(|_| curve.len() > 1).unwrap_or(1.0);
    curve.push((1.0, highest.min(1.0)));
    curve
}

fn binned(points: &[Pool]) -> Vec<Pool> {
    let whole: f64 = points.iter().map(|point| point.weight).sum();
    let wanted = whole / POINTS as f64;
    let mut bins: Vec<Pool> = Vec::new();
    let mut open: Option<Pool> = None;
    for point in points {
        let pool = open.map_or(*point, |pool| joined(pool, *point));
        open = (pool.weight < wanted).then_some(pool);
        if open.is_none() {
            bins.push(pool);
        }
    }
    bins.extend(open);
    bins
}

/// One row of a reliability table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// From this confidence up to the next tenth.
    pub from: f64,
    pub count: usize,
    /// Means over the outcomes of the row.
    pub predicted: f64,
    pub observed: f64,
}

/// Predicted beside observed, by tenths; rows without outcomes are left out.
pub fn reliability(outcomes: &[Outcome]) -> Vec<Row> {
    let mut rows = Vec::new();
    for tenth in 0..10_u8 {
        let is_in = |outcome: &&Outcome| {
            let place = (outcome.predicted.clamp(0.0, 1.0) * 10.0) as u8;
            place.min(9) == tenth
        };
        let inside: Vec<&Outcome> = outcomes.iter().filter(is_in).collect();
        if inside.is_empty() {
            continue;
        }
        let count = inside.len();
        let predicted: f64 = inside.iter().map(|outcome| outcome.predicted).sum();
        let worked = inside.iter().filter(|outcome| outcome.worked).count();
        rows.push(Row {
            from: f64::from(tenth) / 10.0,
            count,
            predicted: predicted / count as f64,
            observed: worked as f64 / count as f64,
        });
    }
    rows
}

/// How far prediction and observation are apart on average: the expected calibration error.
pub fn calibration_error(outcomes: &[Outcome]) -> f64 {
    let whole = outcomes.len().max(1) as f64;
    let rows = reliability(outcomes).into_iter();
    rows.map(|row| (row.predicted - row.observed).abs() * row.count as f64 / whole)
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::simulate::{Random, simulate};
    use super::*;

    fn calibrated(outcomes: &[Outcome], by: &Calibration) -> Vec<Outcome> {
        let apply = |outcome: &Outcome| Outcome {
            predicted: by.apply(outcome.predicted),
            ..*outcome
        };
        outcomes.iter().map(apply).collect()
    }

    #[test]
    fn calibration_mends_outcomes_it_was_not_fitted_on() {
        let seen = simulate(4_000, &mut Random::new(1));
        let held_out = simulate(4_000, &mut Random::new(2));
        let before = calibration_error(&held_out);
        for curve in [Calibration::fitted(&seen), Calibration::default()] {
            let after = calibration_error(&calibrated(&held_out, &curve));
            assert!(after < before, "{after} is not below {before}");
            assert!(after < 0.03, "{after}");
        }
    }

    #[test]
    fn few_outcomes_change_little_and_many_much() {
        let shipped = Calibration::default();
        let failed = |count| {
            let outcome = Outcome {
                predicted: 0.9,
                worked: false,
            };
            shipped.refit(&vec![outcome; count]).apply(0.9)
        };
        let start = shipped.apply(0.9);
        assert!(start - failed(1) < 0.12, "{start} {}", failed(1));
        assert!(failed(1_000) < 0.2, "{}", failed(1_000));
    }

    #[test]
    fn a_table_has_a_row_for_each_tenth_that_occurs() {
        let outcome = |predicted, worked| Outcome { predicted, worked };
        let outcomes = [
            outcome(0.05, false),
            outcome(0.92, true),
            outcome(0.98, true),
            outcome(1.0, false),
        ];
        let rows = reliability(&outcomes);
        let short: Vec<(f64, usize)> = rows.iter().map(|row| (row.from, row.count)).collect();
        assert_eq!(short, [(0.0, 1), (0.9, 3)]);
        let expected = 0.25 * 0.05 + 0.75 * (2.9 / 3.0 - 2.0 / 3.0);
        assert!((calibration_error(&outcomes) - expected).abs() < 1e-9);
        assert_eq!(calibration_error(&[]), 0.0);
    }

    proptest! {
        #[test]
        fn curves_never_fall(
            outcomes in prop::collection::vec((0.0..=1.0_f64, any::<bool>()), 0..200),
            a in 0.0..=1.0_f64,
            b in 0.0..=1.0_f64,
        ) {
            let outcomes: Vec<Outcome> = outcomes
                .into_iter()
                .map(|(predicted, worked)| Outcome { predicted, worked })
                .collect();
            let (low, high) = (a.min(b), a.max(b));
            for curve in [Calibration::fitted(&outcomes), Calibration::default().refit(&outcomes)] {
                prop_assert!(curve.apply(low) <= curve.apply(high) + 1e-12);
                prop_assert!((0.0..=1.0).contains(&curve.apply(a)));
            }
        }
    }
}
