//! How much memory does a step take? Plans of a hundred thousand steps are kept whole, and a run of
//! one goes through all its nodes.

use std::mem::size_of;

use holloway_plan::dag::Node;
use holloway_plan::step::Step;

#[test]
fn steps_and_nodes_stay_small() {
    let (step, node) = (size_of::<Step>(), size_of::<Node>());
    assert!(
        step <= 736,
        "a step has {step} bytes: box what few steps say"
    );
    assert!(
        node <= 272,
        "a node has {node} bytes: share what nodes have in common"
    );
}
