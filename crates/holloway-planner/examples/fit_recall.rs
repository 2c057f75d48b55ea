//! How were the shipped weights made, and how good are they? Sets are folders that have
//! `tools.jsonl` and `requests.jsonl`; BENCH is a folder of five of them.
//!
//! - `fit WEIGHTS BENCH` fits the weights that ship, on the training and fitting parts of all sets.
//! - `leave-one-out BENCH` measures every set without memory, with weights that are fitted on
//!   the other sets alone, and beside them the shipped weights on the validation parts.
//! - `score WEIGHTS SET…` measures on validation parts with more and more runs remembered.
//! - `cross FOLDS SET…` takes all parts together, and measures every fold with weights that are
//!   fitted on the other folds alone and with runs of the other folds remembered; at the end also
//!   with those of the same fold, but for the quarter that is asked.
//! - `grow SET` remembers all runs one by one and tells how long each took.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

#[path = "fit_recall/cross.rs"]
mod cross;
#[path = "fit_recall/figures.rs"]
mod figures;
#[path = "fit_recall/fitting.rs"]
mod fitting;
#[path = "fit_recall/left_out.rs"]
mod left_out;
#[path = "fit_recall/parts.rs"]
mod parts;
#[path = "fit_recall/score.rs"]
mod score;
#[path = "fit_recall/set.rs"]
mod set;

use std::sync::Arc;

use cross::crossed;
use fitting::{STEPS, shipped};
use left_out::{SETS, left_out, sets_of};
use score::{grown, score};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        Some(("fit", [out, bench])) => {
            let sets = sets_of(bench);
            let fitted_on = format!("the training and fitting parts of {}", SETS.join(", "));
            let sets: Vec<_> = sets.iter().collect();
            let shipped = shipped(&sets, &STEPS, &fitted_on);
            std::fs::write(out, serde_json::to_string(&shipped).unwrap() + "\n").unwrap();
        }
        Some(("leave-one-out", [bench])) => left_out(bench),
        Some(("score", [file, folders @ ..])) => {
            let text = std::fs::read_to_string(file).unwrap();
            let weights = Arc::new(serde_json::from_str(&text).unwrap());
            for folder in folders {
                score(folder, 2, &weights);
            }
        }
        Some(("cross", [folds, folders @ ..])) => crossed(folders, folds.parse().unwrap()),
        Some(("grow", [folder])) => grown(folder),
        _ => println!(
            "fit WEIGHTS BENCH, leave-one-out BENCH, score WEIGHTS SET…, cross FOLDS SET… or grow SET"
        ),
    }
}
