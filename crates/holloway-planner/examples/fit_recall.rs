//! How were the shipped weights made? `fit WEIGHTS SET…` fits them on folders that have
//! `tools.jsonl`, `training.jsonl` (remembered) and `fitting.jsonl` (asked); `score WEIGHTS SET…`
//! measures on their `validation.jsonl`. By the first two bytes of the SHA-256 of `set/id`,
//! training has a first byte from 64 on, of the rest fitting a second byte below 128.
//!
//! `cross FOLDS SET…` takes all three together, and measures every fold with weights that are
//! fitted on the other folds alone and with runs of the other folds remembered; at the end also
//! with those of the same fold, but for the quarter that is asked. `grow SET` remembers all
//! runs one by one and tells how long each took.
//!
//! ```text
//! cargo run --release -p holloway-planner --example fit_recall -- fit data/recall.json ULTRATOOL NESTFUL
//! ```

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
#[path = "fit_recall/score.rs"]
mod score;
#[path = "fit_recall/set.rs"]
mod set;

use std::sync::Arc;

use cross::crossed;
use fitting::shipped;
use score::{grown, score};
use set::Set;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .split_first()
        .map(|(first, rest)| (first.as_str(), rest))
    {
        Some(("fit", rest)) => {
            let (out, folders) = rest.split_first().unwrap();
            let sets: Vec<Set> = folders.iter().map(|folder| Set::read(folder)).collect();
            let named: Vec<&str> = folders.iter().map(|folder| name_of(folder)).collect();
            let fitted_on = format!("the training and fitting parts of {}", named.join(" and "));
            let shipped = shipped(&sets, &fitted_on);
            std::fs::write(out, serde_json::to_string(&shipped).unwrap() + "\n").unwrap();
        }
        Some(("score", [file, folders @ ..])) => {
            let text = std::fs::read_to_string(file).unwrap();
            let weights = Arc::new(serde_json::from_str(&text).unwrap());
            for folder in folders {
                score(folder, 2, &weights);
            }
        }
        Some(("cross", [folds, folders @ ..])) => crossed(folders, folds.parse().unwrap()),
        Some(("grow", [folder])) => grown(folder),
        _ => println!("fit WEIGHTS SET…, score WEIGHTS SET…, cross FOLDS SET… or grow SET"),
    }
}

fn name_of(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or_default()
}
