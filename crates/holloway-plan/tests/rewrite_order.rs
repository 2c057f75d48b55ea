//! Does parallelise keep every data dependency and the order of all that changes
//! something? Random sequences, checked as reachability in the compiled graph.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)] // tests fail loudly

use std::collections::HashSet;

use holloway_plan::dag::{BodyId, Dag};
use holloway_plan::draft::{Draft, Execution};
use holloway_plan::rewrite;
use holloway_plan::write;
use proptest::prelude::*;

#[path = "explain/examples.rs"]
mod examples;
#[path = "explain/tools.rs"]
mod tools;

/// A step: which tool it calls, which steps before it it reads or waits for.
#[derive(Clone, Debug)]
struct Made {
    tool: usize,
    reads: Vec<prop::sample::Index>,
    waits: Vec<prop::sample::Index>,
}

const TOOLS: [&str; 5] = [
    "builtin/echo",
    "builtin/file-read",
    "builtin/file-append",
    "builtin/file-write",
    "builtin/file-delete",
];

fn is_read(tool: usize) -> bool {
    tool < 2
}

fn made() -> impl Strategy<Value = Made> {
    let some = || prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    // Reads are the interesting majority.
    let tool = prop_oneof![4 => 0..2_usize, 1 => 2..5_usize];
    (tool, some(), some()).prop_map(|(tool, reads, waits)| Made { tool, reads, waits })
}

fn plan_text(steps: &[Made]) -> String {
    let step = |(index, made): (usize, &Made)| {
        let before = |picks: &[prop::sample::Index]| -> Vec<String> {
            let picks = picks.iter().filter(|_| index > 0);
            picks
                .map(|pick| format!("s{}", pick.index(index)))
                .collect()
        };
        let reads: Vec<String> = before(&made.reads)
            .iter()
            .map(|name| format!("{{{{{name}.x}}}}"))
            .collect();
        serde_json::json!({"id": format!("s{index}"), "tool": TOOLS[made.tool],
            "input": {"value": reads}, "depends_on": before(&made.waits)})
    };
    let steps: Vec<_> = steps.iter().enumerate().map(step).collect();
    serde_json::json!({"version": "1.0", "execution": "sequential", "steps": steps}).to_string()
}

/// All pairs (earlier, later) such that the later one starts after the earlier one has ended.
fn ordered(dag: &Dag, body: BodyId) -> HashSet<(usize, usize)> {
    let nodes = &dag.body(body).unwrap().nodes;
    let mut pairs: HashSet<(usize, usize)> = HashSet::new();
    for (later, node) in nodes.iter().enumerate() {
        for parent in &node.parents {
            let parent = parent.node as usize;
            let above: Vec<usize> = (0..parent)
                .filter(|above| pairs.contains(&(*above, parent)))
                .collect();
            pairs.extend(
                above
                    .into_iter()
                    .chain([parent])
                    .map(|above| (above, later)),
            );
        }
    }
    pairs
}

fn data_edges(dag: &Dag) -> HashSet<(usize, usize)> {
    let nodes = &dag.body(BodyId::TOP).unwrap().nodes;
    let of = |(later, node): (usize, &holloway_plan::dag::Node)| -> Vec<(usize, usize)> {
        node.parents
            .iter()
            .filter(|parent| parent.data)
            .map(|parent| (parent.node as usize, later))
            .collect()
    };
    nodes.iter().enumerate().flat_map(of).collect()
}

fn parallelised(text: &str) -> (Draft, Dag, Dag) {
    let plan = tools::plan(text);
    let rule = rewrite::all()
        .into_iter()
        .find(|rule| rule.name == "parallelise")
        .unwrap();
    let before = tools::dag(&plan);
    let after = (rule.apply)(&plan).map_or(plan, |(better, _)| better);
    (after.draft().clone(), before, tools::dag(&after))
}

/// A list without `depends_on` entries that others imply has fewer ordered pairs when any of them goes.
fn has_no_redundant_wait(draft: &Draft, dag: &Dag) -> bool {
    let full = ordered(dag, BodyId::TOP);
    (0..draft.steps.len()).all(|index| {
        (0..draft.steps[index].depends_on.len()).all(|wait| {
            let mut less = draft.clone();
            less.steps[index].depends_on.remove(wait);
            ordered(&tools::dag(&tools::plan(&write::json(&less))), BodyId::TOP) != full
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn order_that_matters_is_kept(steps in prop::collection::vec(made(), 1..12)) {
        let (draft, before, after) = parallelised(&plan_text(&steps));
        let pairs = ordered(&after, BodyId::TOP);
        for edge in data_edges(&before) {
            prop_assert!(pairs.contains(&edge), "data {edge:?}\n{}", write::yaml(&draft));
        }
        prop_assert_eq!(data_edges(&before), data_edges(&after));
        for later in 0..steps.len() {
            for earlier in 0..later {
                if !(is_read(steps[earlier].tool) && is_read(steps[later].tool)) {
                    prop_assert!(pairs.contains(&(earlier, later)), "{earlier} before {later}\n{}", write::yaml(&draft));
                }
            }
        }
        if draft.execution == Execution::Dag {
            prop_assert!(has_no_redundant_wait(&draft, &after), "{}", write::yaml(&draft));
        }
    }
}
