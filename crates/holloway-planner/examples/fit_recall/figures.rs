//! How good are plans, and how long do they take? Means over requests.

use holloway_planner::measure::{Means, Plan};
use holloway_planner::recall::{PastRun, Recall};

use crate::set::Set;

/// Time on a processor, in seconds: others may be at work on the same machine.
pub(crate) fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text
        .split(' ')
        .next()
        .and_then(|nanos| nanos.parse::<f64>().ok());
    first.unwrap_or_default() / 1e9
}

pub(crate) fn measured(recall: &Recall, requests: &[PastRun], set: &Set) -> (Means, f64) {
    let place = |id: &String| set.index.entries().iter().position(|entry| entry.id == *id);
    let begun = processor();
    let mut means = Means::default();
    for request in requests {
        let right = Plan {
            tools: request.tools.iter().filter_map(place).collect(),
            links: request.links.clone(),
        };
        let plans: Vec<Plan> = recall
            .propose(&request.request, 3)
            .into_iter()
            .map(|one| Plan {
                tools: one.tools,
                links: one.links,
            })
            .collect();
        means.add(&plans, &right);
    }
    (means, (processor() - begun) * 1e6)
}

/// How good links are where the tools are right.
pub(crate) fn linked(recall: &Recall, set: &Set) -> (Means, f64) {
    let place = |id: &String| set.index.entries().iter().position(|entry| entry.id == *id);
    let mut means = Means::default();
    for request in &set.validation {
        let tools: Vec<usize> = request.tools.iter().filter_map(place).collect();
        let links = recall.links(&tools);
        let chain = Plan::chain(tools.clone());
        let right = Plan {
            links: request.links.clone(),
            tools: tools.clone(),
        };
        means.add(&[Plan { tools, links }, chain], &right);
    }
    (means, 0.0)
}

/// Sums are shown as means.
pub(crate) fn show(name: &str, (means, micros): (Means, f64)) {
    let micros = micros / means.requests.max(1) as f64;
    let means = means.mean();
    let percent = |share: f64| share * 100.0;
    println!(
        "{name:28} {:5.1} / {:5.1} / {:5.1}   of three {:5.1}   {:4} requests {micros:7.0} µs",
        percent(means.nodes),
        percent(means.links),
        percent(means.exact),
        percent(means.exact_of_three),
        means.requests,
    );
}
