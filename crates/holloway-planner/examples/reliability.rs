//! Does a plan's confidence come true? Simulates outcomes of generated plan shapes with
//! known tools, prints predicted beside observed before and after calibration, and the
//! curve that was fitted. `cargo run -p holloway-planner --example reliability [PLANS]`

#![allow(clippy::print_stdout)]

use holloway_planner::estimate::calibrate::{Calibration, Outcome, calibration_error, reliability};
use holloway_planner::estimate::simulate::{Random, simulate};

const FITTED_ON: u64 = 1;
const HELD_OUT: u64 = 2;

fn main() {
    let plans = std::env::args().nth(1);
    let plans = plans.and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let fitted = Calibration::fitted(&simulate(plans, &mut Random::new(FITTED_ON)));
    let held_out = simulate(plans, &mut Random::new(HELD_OUT));

    println!(
        "{plans} simulated plans to fit on (seed {FITTED_ON}), {plans} others to judge by (seed {HELD_OUT})"
    );
    table("product rule as it is", &held_out);
    table("with the fitted curve", &applied(&held_out, &fitted));
    table(
        "with the shipped curve",
        &applied(&held_out, &Calibration::default()),
    );
    println!("\nfitted curve (product rule, observed):");
    for (at, seen) in fitted.curve() {
        println!("    ({at:.3}, {seen:.3}),");
    }
}

fn applied(outcomes: &[Outcome], calibration: &Calibration) -> Vec<Outcome> {
    let apply = |outcome: &Outcome| Outcome {
        predicted: calibration.apply(outcome.predicted),
        ..*outcome
    };
    outcomes.iter().map(apply).collect()
}

fn table(title: &str, outcomes: &[Outcome]) {
    println!("\n{title}\n  from    plans  predicted  observed");
    for row in reliability(outcomes) {
        println!(
            "  {:.1}  {:>7}  {:>9.3}  {:>8.3}",
            row.from, row.count, row.predicted, row.observed
        );
    }
    let error = calibration_error(outcomes);
    println!("  expected calibration error {error:.4}");
}
