//! `holloway runs fork`.

use crate::place::Place;

#[test]
fn a_fork_takes_results_over() {
    let place = Place::with_plan(
        "version: '1.0'\nid: forked\nsteps:\n  - {id: a, tool: echo, input: {value: '{{input.x}}'}}\n  \
         - {id: b, tool: echo, input: {value: 'b {{input.y}}'}, depends_on: [a]}\n",
    );
    place.run("run plan.yaml --quiet --input x=1 --input y=1");
    let fork = place.run("runs fork last --from b --input y=2");
    let wrong = place.run("runs fork last --from c");
    let shown = place.run("runs show last");
    place.check("fork", &[&fork, &wrong, &shown]);
}
