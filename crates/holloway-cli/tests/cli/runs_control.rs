//! `holloway runs pause` and `cancel`.

use crate::place::Place;

#[test]
fn from_another_terminal_and_when_nobody_is_there() {
    let place = Place::with_plan(
        "version: '1.0'\nid: long\nexecution: sequential\nsteps:\n  - {id: wait, tool: sleep, input: {ms: 700}}\n  \
         - {id: more, tool: sleep, input: {ms: 700}}\n",
    );
    let going = place.start("run plan.yaml");
    place.wait_for_run("the step", |shown| {
        shown["trace"]["entries"][0]["status"] == "running"
    });
    let pause = place.run("runs pause last");
    let ran = going.finish();
    let idle = place.run("runs pause last");
    let cancel = place.run("runs cancel last");
    let again = place.run("runs cancel last --json");
    place.check("control", &[&pause, &ran, &idle, &cancel, &again]);
}
