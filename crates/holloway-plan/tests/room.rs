//! How much memory does a step take? Plans of a hundred thousand steps are kept whole.

use std::mem::size_of;

use holloway_plan::dag::{Node, Policy, Work};
use holloway_plan::step::Step;

#[test]
fn steps_and_nodes_stay_small() {
    let sizes = [
        size_of::<Step>(),
        size_of::<Node>(),
        size_of::<Work>(),
        size_of::<Policy>(),
    ];
    println!("{sizes:?}");
}
