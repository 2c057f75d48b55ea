//! `holloway runs watch`.

use crate::place::{GATE, Place};

#[test]
fn another_process_is_followed_to_its_end() {
    let place = Place::with_plan(&format!(
        "version: '1.0'\nid: watched\nexecution: sequential\nsteps:\n  - {GATE}\n  \
         - {{id: end, tool: echo, input: {{value: done}}}}\n"
    ));
    let going = place.start("run plan.yaml --quiet --allow-shell --yes");
    place.wait_for_first_step();
    let json = place.start("runs watch last --json");
    let watched = place.start("runs watch last");
    place.open_gate();
    assert_eq!(going.finish().code, Some(0));
    let lines = json.finish().lines();
    assert_eq!(lines.first().unwrap()["type"], "execution_start");
    assert_eq!(lines.last().unwrap()["type"], "execution_complete");
    place.check("watch", &[&watched.finish()]);
}

#[test]
fn a_run_nobody_carries_out() {
    let place = Place::with_plan(
        "version: '1.0'\nid: asks\nsteps:\n  - {id: tell, tool: send_notification, input: {message: hi}}\n",
    );
    place.run("run plan.yaml --sample-tools --no-wait");
    let watched = place.run("runs watch last");
    place.check("watch_left", &[&watched]);
}
