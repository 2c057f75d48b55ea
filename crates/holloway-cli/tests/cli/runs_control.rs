//! `holloway runs pause` and `cancel`.

use crate::place::{GATE, Place};

#[test]
fn from_another_terminal_and_when_nobody_is_there() {
    let place = Place::with_plan(&format!(
        "version: '1.0'\nid: long\nexecution: sequential\nsteps:\n  - {GATE}\n  \
         - {{id: more, tool: echo, input: {{value: 1}}}}\n"
    ));
    let going = place.start("run plan.yaml --allow-shell --yes");
    place.wait_for_first_step();
    let pause = place.run("runs pause last");
    place.wait_for_run("the pause", |shown| shown["run"]["status"] == "paused");
    place.open_gate();
    let ran = going.finish();
    let idle = place.run("runs pause last");
    let cancel = place.run("runs cancel last");
    let again = place.run("runs cancel last --json");
    place.check("control", &[&pause, &ran, &idle, &cancel, &again]);
}
