//! Random plans × failures × a crash after any event: the resumed run ends like
//! the uninterrupted one, repeats nothing it had completed, and doubles no effect.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use holloway_engine::entry::{Decision, EndStatus, EntryKind};
use holloway_engine::options::{ApprovalPolicy, RunOptions};
use holloway_plan::compile::compile;
use holloway_plan::dag::Dag;
use holloway_plan::limits::Limits;
use holloway_plan::read::read_value;
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_testkit::random_plan::{Taste, random_plan, tools};
use holloway_testkit::simulation::{Simulation, World};
use proptest::prelude::*;
use serde_json::json;

fn compiled(seed: u64, taste: Taste) -> Arc<Dag> {
    let limits = Limits::default();
    let value = random_plan(seed, taste);
    let draft = read_value(&value, &limits).unwrap();
    let tools = tools();
    let around = Surroundings {
        tools: &tools,
        plans: &NoPlans,
        context: &[],
        limits: &limits,
    };
    let plan = validate(&draft, &around)
        .unwrap_or_else(|problems| panic!("seed {seed}: {problems}\n{value:#}"));
    Arc::new(compile(&plan, &[], &limits).unwrap())
}

fn options(ask: bool) -> RunOptions {
    let approvals = if ask {
        ApprovalPolicy::default()
    } else {
        ApprovalPolicy::default().without_questions()
    };
    RunOptions {
        approvals,
        concurrency: 3,
        ..RunOptions::default()
    }
}

fn simulate(dag: &Arc<Dag>, seed: u64, ask: bool) -> Simulation {
    let world = World {
        failing: seed % 30,
        talking: seed % 40,
        seed,
        ..World::default()
    };
    Simulation::start(Arc::clone(dag), json!({}), options(ask), world, seed)
}

/// No call is made again after its completion was written down.
fn assert_nothing_repeated(simulation: &Simulation, crash_points: &[usize], seed: u64) {
    let mut seen = BTreeSet::new();
    for (node, attempt) in &simulation.world.calls {
        let again = !seen.insert((node.clone(), *attempt));
        // Calls under way at a crash are the only ones that may be made again.
        assert!(
            !again || !crash_points.is_empty(),
            "seed {seed}: {node} attempt {attempt} was made twice"
        );
    }
    let mut completed = BTreeSet::new();
    for entry in &simulation.journal {
        if let EntryKind::StepComplete { node, .. } = &entry.kind {
            assert!(
                completed.insert(node.n),
                "seed {seed}: {} completed twice",
                node.node
            );
        }
    }
}

fn assert_effects_once(simulation: &Simulation, seed: u64) {
    for (key, count) in &simulation.world.effects {
        assert_eq!(
            *count, 1,
            "seed {seed}: the effect {key} happened {count} times"
        );
    }
}

/// A list was stopped before all its steps had ended.
fn was_cut_short(simulation: &Simulation) -> bool {
    let mut entries = simulation.journal.iter();
    entries.any(|entry| matches!(entry.kind, EntryKind::StepCancelled { .. }))
}

fn check(seed: u64, may_fail: bool, ask: bool, crashes: &[usize]) -> EndStatus {
    compare(seed, may_fail, ask, crashes).0
}

/// How both runs ended, and whether neither was cut short, so that outputs were compared.
fn compare(seed: u64, may_fail: bool, ask: bool, crashes: &[usize]) -> (EndStatus, bool) {
    let dag = compiled(
        seed,
        Taste {
            steps: 6,
            depth: 3,
            may_fail,
        },
    );
    let mut whole = simulate(&dag, seed, ask);
    let expected = whole.finish();
    let mut broken = simulate(&dag, seed, ask);
    let mut points = Vec::new();
    for crash in crashes {
        while broken.machine.ended().is_none() && broken.events <= crash % (whole.events + 1) {
            broken.step();
        }
        if broken.machine.ended().is_none() {
            points.push(broken.events);
            broken.crash_and_resume();
        }
    }
    let status = broken.finish();
    assert_eq!(status, expected, "seed {seed}");
    // Which steps of a list that fails are still run depends on which of its calls ends first.
    let in_order = !was_cut_short(&whole) && !was_cut_short(&broken);
    if status == EndStatus::Succeeded && in_order {
        assert_eq!(
            broken.machine.outputs(),
            whole.machine.outputs(),
            "seed {seed}"
        );
    }
    assert_nothing_repeated(&broken, &points, seed);
    assert_effects_once(&broken, seed);
    (status, in_order)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_resumed_run_ends_like_the_uninterrupted_one(
        seed in any::<u64>(),
        may_fail in any::<bool>(),
        ask in any::<bool>(),
        crashes in prop::collection::vec(0_usize..400, 0..4),
    ) {
        check(seed, may_fail, ask, &crashes);
    }

    #[test]
    fn a_state_that_was_written_out_and_read_back_goes_on_the_same(seed in any::<u64>()) {
        let dag = compiled(seed, Taste { steps: 6, depth: 2, may_fail: true });
        let mut whole = simulate(&dag, seed, false);
        let mut stored = simulate(&dag, seed, false);
        while whole.machine.ended().is_none() {
            whole.step();
            let text = serde_json::to_string(stored.machine.state()).unwrap();
            let state = serde_json::from_str(&text).unwrap();
            stored.machine = holloway_engine::machine::Machine::restore(Arc::clone(&dag), state).unwrap();
            stored.step();
        }
        prop_assert_eq!(&whole.journal, &stored.journal);
    }
}

/// What the random plans are drawn for does happen in them.
#[test]
fn tools_ask_and_some_questions_outlive_their_process() {
    let (mut answered, mut voided) = (0, 0);
    for seed in 20..40 {
        let taste = Taste {
            steps: 6,
            depth: 3,
            may_fail: false,
        };
        let dag = compiled(seed, taste);
        let mut simulation = simulate(&dag, seed, false);
        for _ in 0..5 {
            for _ in 0..6 {
                if simulation.machine.ended().is_none() {
                    simulation.step();
                }
            }
            if simulation.machine.ended().is_none() {
                simulation.crash_and_resume();
            }
        }
        simulation.finish();
        for entry in &simulation.journal {
            if let EntryKind::ApprovalResolved { answer, .. } = &entry.kind {
                answered += usize::from(matches!(answer.decision, Decision::Edit(_)));
                voided += usize::from(answer.decision == Decision::Dismiss);
            }
        }
    }
    assert!(answered > 10, "only {answered} tools got an answer");
    assert!(voided > 2, "only {voided} questions were void");
}

/// Where no tool fails, no list is cut short: every output must be the same.
#[test]
fn without_failing_tools_every_output_is_compared() {
    let mut compared = 0;
    for seed in (0..90).map(|n| n * 30) {
        for crash in [1, 4, 9] {
            let (status, in_order) = compare(seed, false, false, &[crash, crash + 7]);
            assert!(in_order, "seed {seed}: cut short although no tool fails");
            compared += usize::from(status == EndStatus::Succeeded);
        }
    }
    assert!(compared > 200, "only {compared} runs were compared");
}

/// Safety without progress proves nothing: most of these runs must come to a good end.
#[test]
fn most_runs_succeed_and_every_crash_point_of_some_is_tried() {
    let mut succeeded = 0;
    let mut total = 0;
    for seed in 0..80 {
        let dag = compiled(
            seed,
            Taste {
                steps: 6,
                depth: 3,
                may_fail: false,
            },
        );
        let mut whole = simulate(&dag, seed, false);
        whole.finish();
        for point in 0..whole.events {
            total += 1;
            succeeded += usize::from(check(seed, false, false, &[point]) == EndStatus::Succeeded);
        }
    }
    assert!(total > 400, "only {total} crash points");
    assert!(
        succeeded * 100 >= total * 95,
        "{succeeded} of {total} succeeded"
    );
}
