//! How good are plans for a catalogue that no weight was fitted on? Every set is measured
//! without memory, with weights that come from the other sets alone.

use std::sync::Arc;

use holloway_planner::measure::Means;
use holloway_planner::recall::PastRun;
use holloway_planner::recall::weights::ShippedRecall;

use crate::figures::measured;
use crate::fitting::{FIRST, shipped};
use crate::set::Set;

pub(crate) const SETS: [&str; 5] = ["ultratool", "metatool", "sealtools", "bfcl", "nestful"];

pub(crate) fn sets_of(bench: &str) -> Vec<Set> {
    let read = |set| Set::read(&format!("{bench}/{set}"));
    SETS.map(read).into_iter().collect()
}

pub(crate) fn left_out(bench: &str) {
    let sets = sets_of(bench);
    println!("Node-F1 / Link-F1 / exact without memory, and the number of requests");
    println!(
        "{:10} {:32} {:32} shipped weights, validation part",
        "set", "left out, all requests", "left out, validation part"
    );
    for own in &sets {
        let others = sets.iter().filter(|set| set.name != own.name);
        let others: Vec<&Set> = others.collect();
        let weights = Arc::new(shipped(&others, &FIRST, "the other sets"));
        let means = |requests: &[PastRun], weights: &Arc<ShippedRecall>| {
            let recall = own.recall().with_weights(Arc::clone(weights));
            shown(measured(&recall, requests, own).0)
        };
        println!(
            "{:10} {:32} {:32} {}",
            own.name,
            means(&own.all(), &weights),
            means(&own.validation, &weights),
            means(&own.validation, &ShippedRecall::of_binary()),
        );
    }
}

fn shown(means: Means) -> String {
    let requests = means.requests;
    let means = means.mean();
    let [nodes, links, exact] = [means.nodes, means.links, means.exact].map(|one| one * 100.0);
    format!("{nodes:.1} / {links:.1} / {exact:.1} ({requests})")
}
