//! `holloway runs approve` and `deny`.

use crate::place::Place;

#[test]
fn answers_are_checked_before_they_are_passed_on() {
    let place = Place::with_plan(
        "version: '1.0'\nid: two\nsteps:\n  - {id: one, tool: send_notification, input: {message: one}}\n  \
         - {id: two, tool: send_notification, input: {message: two}}\n",
    );
    place.run("run plan.yaml --sample-tools --no-wait");
    let which = place.run("runs approve last");
    let unknown = place.run("runs approve last a9");
    let no_json = place.run("runs approve last a1 --edit '{message'");
    let misfit = place.run("runs approve last a1 --edit '{\"text\": 1}'");
    let edited = place.run("runs approve last a1 --edit '{\"message\": \"other\"}' --note ok");
    let rest = place.run("runs approve last --json");
    let resumed = place.run("runs resume last --quiet");
    let none = place.run("runs deny last");
    let results = place.json("runs trace last");
    assert_eq!(results["contextSnapshot"]["one"]["message"], "other");
    place.check(
        "answers",
        &[
            &which, &unknown, &no_json, &misfit, &edited, &rest, &resumed, &none,
        ],
    );
}
