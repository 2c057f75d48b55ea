//! What is there already is written over only when somebody says so.

use serde_json::json;

use crate::place::Place;

const SAVE: &str = "version: '1.0'\nid: save\nsteps:\n  \
    - {id: save, tool: csv-write, input: {path: report.csv, rows: [{month: May, sales: 3}]}}\n";

fn place() -> Place {
    let place = Place::with_plan(SAVE);
    place.file("report.csv", "mine\n");
    place
}

#[test]
fn a_run_asks_before_it_writes_over_a_file() {
    let place = place();
    let stopped = place.run("run plan.yaml --quiet");
    assert_eq!(place.read("report.csv"), "mine\n");
    let approved = place.run("runs approve last a1");
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(place.read("report.csv"), "month,sales\nMay,3\n");
    let same = place.run("run plan.yaml --quiet");
    place.check("replacing", &[&stopped, &approved, &resumed, &same]);
}

#[test]
fn a_no_leaves_the_file_and_a_yes_beforehand_asks_nobody() {
    let place = place();
    place.run("run plan.yaml --quiet --no-wait");
    place.run("runs deny last a1");
    let denied = place.run("runs resume last --quiet");
    assert_eq!(denied.code, Some(1), "{denied}");
    assert_eq!(place.read("report.csv"), "mine\n");
    // Another file that is there is asked about as well.
    place.file("other.csv", "mine too\n");
    place.run("run plan.yaml --quiet --no-wait");
    place.run("runs approve last a1 --edit '{\"path\": \"other.csv\", \"rows\": []}'");
    let other = place.run("runs resume last --quiet --no-wait");
    assert!(other.stdout.contains("waiting for 1 approval"), "{other}");
    assert_eq!(place.read("other.csv"), "mine too\n");
    let allowed = place.run("run plan.yaml --quiet --yes");
    assert_eq!(allowed.code, Some(0), "{allowed}");
    assert_eq!(place.read("report.csv"), "month,sales\nMay,3\n");
}

#[test]
fn what_the_run_made_itself_is_its_own() {
    let place = Place::with_plan(
        "version: '1.0'\nid: twice\nexecution: sequential\nsteps:\n  \
         - {id: a, tool: file-write, input: {path: new.txt, content: one}}\n  \
         - {id: ask, tool: send_notification, input: {message: hi}}\n  \
         - {id: b, tool: file-write, input: {path: ./new.txt, content: two}}\n",
    );
    place.run("run plan.yaml --quiet --no-wait --sample-tools");
    assert_eq!(place.read("new.txt"), "one");
    place.run("runs approve last a1");
    let resumed = place.run("runs resume last --quiet");
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(place.read("new.txt"), "two");
}

#[test]
fn the_configuration_decides() {
    for (word, code) in [("allow", 0), ("deny", 1)] {
        let place = place();
        place.file(
            "holloway.toml",
            &format!("[approvals]\nreplace = \"{word}\"\n"),
        );
        place.trust();
        let ran = place.run("run plan.yaml --quiet");
        assert_eq!(ran.code, Some(code), "{ran}");
        assert_eq!(place.read("report.csv") == "mine\n", code == 1);
    }
}

#[test]
fn a_single_call_asks_too() {
    let place = place();
    let call = "tools call file-write --input path=report.csv --input content=new";
    let refused = place.run(call);
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(
        refused.stderr.contains("would change `") && refused.stderr.contains("/report.csv`"),
        "{refused}"
    );
    assert_eq!(place.read("report.csv"), "mine\n");
    assert_eq!(place.run(&format!("{call} --yes")).code, Some(0));
    assert_eq!(place.read("report.csv"), "new");
}

#[test]
fn the_card_says_it_before() {
    let place = Place::new();
    place.file("prices.csv", "shop,price\nA,10\nB,12\n");
    let request = "read prices.csv and write the rows to report.csv";
    let before = place.json(&format!("plan '{request}'"));
    assert_eq!(before["plans"][0]["replaces"], json!([]), "{before}");
    place.file("report.csv", "mine\n");
    let after = place.json(&format!("plan '{request}'"));
    assert_eq!(
        after["plans"][0]["replaces"],
        json!(["report.csv"]),
        "{after}"
    );
    let shown = place.run(&format!("plan '{request}'"));
    assert!(shown.stdout.contains("! changes report.csv"), "{shown}");
}

#[test]
fn the_card_says_what_is_not_there() {
    let place = Place::new();
    place.file("prices.csv", "shop,price\nA,10\nB,12\n");
    let planned = place.run("plan 'read prises.csv and write the rows to out.csv'");
    assert_eq!(planned.code, Some(2), "{planned}");
    assert!(
        planned.stderr.contains("there is no file `prises.csv`"),
        "{planned}"
    );
    let planned = place.json("plan 'read prices.csv and write the rows to out.csv'");
    assert_eq!(planned["plans"][0]["absent"], json!([]));
}

#[test]
fn at_a_terminal_it_is_a_question() {
    let place = place();
    let terminal = place.at_terminal("run plan.yaml", 100, &[]);
    terminal.wait_for("change it?");
    assert_eq!(place.read("report.csv"), "mine\n");
    terminal.press("y");
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(place.read("report.csv"), "month,sales\nMay,3\n");
}
