//! Do the rule about cycles and the data flow that runs are built from agree? A plan
//! is refused for a deadlock exactly when its data flow has a cycle.

#![allow(clippy::indexing_slicing)] // numbers of steps are made here

use holloway_plan::dataflow::parents;
use holloway_plan::draft::{Draft, Execution};
use holloway_plan::limits::Limits;
use holloway_plan::problem::Code;
use holloway_plan::scope::Scope;
use holloway_plan::step::Step;
use holloway_plan::tool::{ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use proptest::prelude::*;
use serde_json::json;

/// Steps that wait for some and read others, by their numbers.
fn draft(edges: &[(Vec<usize>, Vec<usize>)], execution: Execution) -> Draft {
    let step = |(index, (waits, reads)): (usize, &(Vec<usize>, Vec<usize>))| Step {
        id: format!("s{index}"),
        tool: Some("t".to_owned()),
        depends_on: waits
            .iter()
            .filter(|other| **other != index)
            .map(|i| format!("s{i}"))
            .collect(),
        input: Some(json!(
            reads
                .iter()
                .map(|i| format!("{{{{s{i}.x}}}}"))
                .collect::<Vec<_>>()
        )),
        ..Step::default()
    };
    Draft {
        version: "1.0".to_owned(),
        execution,
        steps: edges.iter().enumerate().map(step).collect(),
        ..Draft::default()
    }
}

/// Takes away what waits for nothing until nothing changes; what is left is a cycle.
fn has_cycle(draft: &Draft) -> bool {
    let scope = Scope::top(&draft.steps, &["input"]);
    let parents = parents(&draft.steps, &scope, draft.execution);
    let mut left: Vec<bool> = vec![true; parents.len()];
    loop {
        let free = |index: usize| {
            parents[index]
                .iter()
                .all(|parent| !left[parent.node as usize])
        };
        let Some(done) = (0..left.len()).find(|index| left[*index] && free(*index)) else {
            return left.contains(&true);
        };
        left[done] = false;
    }
}

proptest! {
    #[test]
    fn cycles_are_refused_and_nothing_else(
        edges in prop::collection::vec((prop::collection::vec(0..7_usize, 0..3), prop::collection::vec(0..7_usize, 0..2)), 7),
        sequential in any::<bool>(),
    ) {
        let execution = if sequential { Execution::Sequential } else { Execution::Dag };
        let draft = draft(&edges, execution);
        let tools = ToolTable::new([ToolSpec::named("t")]);
        let around = Surroundings { tools: &tools, plans: &NoPlans, context: &[], limits: &Limits::default() };
        let refused = validate(&draft, &around).err();
        prop_assert_eq!(refused.is_some(), has_cycle(&draft));
        let problems = refused.unwrap_or_default();
        prop_assert!(problems.iter().all(|problem| problem.code == Code::DeadlockDetected));
    }
}
