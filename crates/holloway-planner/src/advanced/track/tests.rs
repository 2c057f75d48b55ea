//! Facts in, trackers out.

use super::*;

fn start() -> ProgressTracker {
    ProgressTracker {
        goal: "a report".to_owned(),
        nodes: 2,
        hypotheses: 4,
        budget: Some(1.0),
        ..ProgressTracker::default()
    }
}

fn done(node: &str, cost: f64, met: u64, unmet: u64) -> Fact {
    Fact::NodeDone {
        node: node.to_owned(),
        cost,
        hypotheses_met: met,
        hypotheses_unmet: unmet,
    }
}

fn replay(facts: &[Fact]) -> ProgressTracker {
    facts
        .iter()
        .fold(start(), |tracker, fact| tracker.after(fact))
}

#[test]
fn the_goal_is_reached_when_all_is_done_and_met() {
    let half = replay(&[done("a", 0.25, 2, 0)]);
    assert_eq!(
        (half.percent_done(), half.percent_met(), half.left()),
        (50.0, 50.0, Some(0.75))
    );
    assert!(!half.is_reached());
    let whole = half.after(&done("b", 0.25, 2, 0));
    assert!(whole.is_reached());
    assert_eq!(whole.spent, 0.5);
}

#[test]
fn unmet_hypotheses_and_failures_ask_for_reflection() {
    let failed = Fact::NodeFailed {
        node: "b".to_owned(),
        cost: 0.0,
    };
    let tracker = replay(&[done("a", 0.0, 1, 1), failed.clone(), failed]);
    assert_eq!(tracker.to_reflect_on, ["a", "b"]);
    assert_eq!(tracker.nodes_failed, 2);
    let reflected = tracker.after(&Fact::Reflected {
        node: "b".to_owned(),
    });
    assert_eq!(reflected.to_reflect_on, ["a"]);
}

#[test]
fn loops_add_nodes_and_nothing_goes_past_the_whole() {
    let grown = replay(&[Fact::NodesAdded {
        nodes: 2,
        hypotheses: 0,
    }]);
    assert_eq!(grown.after(&done("a", 0.0, 0, 0)).percent_done(), 25.0);
    let over = replay(&vec![done("a", f64::NAN, u64::MAX, 0); 5]);
    assert_eq!(
        (over.percent_done(), over.percent_met(), over.spent),
        (100.0, 100.0, 0.0)
    );
    assert_eq!(ProgressTracker::default().percent_done(), 100.0);
}

#[test]
fn a_tracker_can_be_kept_and_taken_up_again() {
    let tracker = replay(&[done("a", 0.1, 1, 1)]);
    let kept = serde_json::to_string(&tracker).unwrap();
    assert_eq!(
        serde_json::from_str::<ProgressTracker>(&kept).unwrap(),
        tracker
    );
}
