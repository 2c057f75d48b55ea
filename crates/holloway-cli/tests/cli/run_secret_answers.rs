//! Secrets that are numbers, and secrets that answers give.

use crate::place::Place;

const SERVER: &str = include_str!("login_server.py");
const PIN: &str = "271828";
const LOGIN: &str = "version: '1.0'\nid: login\ninput:\n  type: object\n  properties:\n    \
    pin: {type: integer}\nsteps:\n  \
    - {id: enter, tool: mcp.login/login, input: {user: ann, pin: '{{input.pin}}'}}\n";
const ENROL: &str = "version: '1.0'\nid: enrol\nsteps:\n  - {id: enter, tool: mcp.login/enrol, input: {user: ann}}\n";

fn with_plan(plan: &str) -> Place {
    let place = Place::with_plan(plan);
    place.file("login_server.py", SERVER);
    let added = place.run("tools add mcp:login -- python3 login_server.py seen.txt");
    assert_eq!(added.code, Some(0), "{added}");
    place
}

/// What is written down about the last run.
fn written(place: &Place) -> String {
    ["runs show last --json", "runs trace last"]
        .map(|command| place.run(command).to_string())
        .concat()
}

#[test]
fn a_number_is_one_again_when_the_run_goes_on() {
    let place = with_plan(LOGIN);
    place.run(&format!(
        "run plan.yaml --quiet --no-wait --input pin={PIN}"
    ));
    place.run("runs approve last a1");
    let mut misfit = place.command("runs resume last --quiet");
    let misfit = misfit.env("pin", "27a828").output().unwrap();
    let told = String::from_utf8_lossy(&misfit.stderr).into_owned();
    assert_eq!(misfit.status.code(), Some(2), "{told}");
    assert!(
        told.contains("must be \"integer\"") && !told.contains("27a828"),
        "{told}"
    );
    let mut command = place.command("runs resume last --quiet");
    let resumed = command.env("pin", PIN).output().unwrap();
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(
        place.read("seen.txt"),
        "{\"pin\": 271828, \"user\": \"ann\"}\n"
    );
    // One that is kept under another name too.
    place.run_with_input("secrets set DOOR", PIN);
    let named = place.run("run plan.yaml --quiet --yes --input 'pin=${DOOR}'");
    assert_eq!(named.code, Some(0), "{named}");
    assert_eq!(place.read("seen.txt").lines().count(), 2);
    assert!(!written(&place).contains(PIN));
}

#[test]
fn other_arguments_name_a_secret_and_do_not_write_it() {
    let place = with_plan(LOGIN);
    place.run("run plan.yaml --quiet --no-wait --input pin=1111");
    let refused = place.run(&format!(
        "runs approve last a1 --edit '{{\"user\": \"bob\", \"pin\": {PIN}}}'"
    ));
    let named = "runs approve last a1 --edit '{\"user\": \"bob\", \"pin\": \"${DOOR}\"}'";
    let missing = place.run(named);
    place.run_with_input("secrets set DOOR", PIN);
    let edited = place.run(named);
    place.run_with_input("secrets set pin", "1111");
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(
        place.read("seen.txt"),
        "{\"pin\": 271828, \"user\": \"bob\"}\n"
    );
    assert!(!written(&place).contains(PIN));
    place.check("secret_answers", &[&refused, &missing, &edited]);
}

#[test]
fn what_a_tool_asks_for_is_given_by_name() {
    let place = with_plan(ENROL);
    let going = place.start("run plan.yaml --yes --wait --quiet");
    place.wait_for_run("a question", |shown| shown["run"]["open_approvals"] == 1);
    let refused = place.run(&format!("runs approve last --edit '{{\"pin\": {PIN}}}'"));
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(
        refused.stderr.contains("at the terminal of the run"),
        "{refused}"
    );
    place.run_with_input("secrets set DOOR", PIN);
    let named = place.run("runs approve last --edit '{\"pin\": \"${DOOR}\"}'");
    assert_eq!(named.code, Some(0), "{named}");
    let ran = going.finish();
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(place.read("seen.txt"), "{\"pin\": 271828}\n");
    assert!(!written(&place).contains(PIN));
}
