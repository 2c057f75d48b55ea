//! `holloway runs delete`.

use serde_json::Value;

use crate::place::{GATE, Place};

/// A plan whose one result is kept as a file of its own.
const LARGE: &str = "version: '1.0'\nid: large\nsteps:\n  - {id: a, tool: echo, input: {value: '{{input.text}}'}}\n";

fn newest(place: &Place) -> String {
    let runs = place.json("runs list --limit 1");
    runs["runs"][0]["run"].as_str().unwrap().to_owned()
}

fn names(place: &Place) -> Vec<String> {
    let runs = place.json("runs list");
    let runs = runs["runs"].as_array().unwrap().iter();
    runs.map(|run| run["run"].as_str().unwrap().to_owned())
        .collect()
}

/// How many large results there are.
fn files(place: &Place) -> usize {
    let folders = std::fs::read_dir(place.path("home/blobs"))
        .unwrap()
        .flatten();
    let folders = folders.filter(|folder| folder.file_name().len() == 2);
    folders
        .map(|folder| std::fs::read_dir(folder.path()).unwrap().count())
        .sum()
}

fn large(place: &Place, letter: &str) -> String {
    let text = serde_json::json!({ "text": letter.repeat(50_000) });
    place.file("input.json", &text.to_string());
    let ran = place.run("run plan.yaml --quiet --input-file input.json");
    assert_eq!(ran.code, Some(0), "{ran}");
    newest(place)
}

#[test]
fn runs_leave_with_their_large_results() {
    let place = Place::with_plan(LARGE);
    let first = large(&place, "a");
    // What is given and what comes out are kept, each once.
    let each = files(&place);
    let second = large(&place, "b");
    let third = large(&place, "b");
    assert_eq!(files(&place), 2 * each);
    let planned = place.run(&format!("runs delete {first} {second} --dry-run"));
    assert_eq!(names(&place).len(), 3);
    let removed = place.json(&format!("runs delete {first} {second} {first}"));
    assert_eq!(removed["runs"], serde_json::json!([first, second]));
    assert_eq!(removed["files"], Value::from(each));
    assert_eq!(removed["postponed"], Value::from(false));
    assert_eq!(files(&place), each);
    assert_eq!(names(&place), [third.as_str()]);
    // What stays is whole.
    let check = place.run("store check");
    assert_eq!(check.code, Some(0), "{check}");
    let trace = place.run(&format!("runs trace {third}"));
    assert_eq!(trace.code, Some(0), "{trace}");
    let gone = place.run(&format!("runs show {first}"));
    assert_eq!(gone.code, Some(2), "{gone}");
    place.check("delete", &[&planned]);
}

#[test]
fn a_run_that_can_go_on_is_removed_only_by_force_and_one_at_work_not_at_all() {
    let place = Place::with_plan(&format!("version: '1.0'\nid: busy\nsteps:\n  - {GATE}\n"));
    let going = place.start("run plan.yaml --allow-shell --yes --quiet");
    place.wait_for_first_step();
    let busy = place.run("runs delete last");
    assert_eq!(busy.code, Some(2), "{busy}");
    let forced = place.run("runs delete last --force");
    assert_eq!(forced.code, Some(1), "{forced}");
    assert!(
        forced.stderr.contains("a process carries it out"),
        "{forced}"
    );
    assert_eq!(names(&place).len(), 1);
    going.kill();
    let interrupted = place.run("runs delete last");
    assert_eq!(interrupted.code, Some(2), "{interrupted}");
    assert!(interrupted.stderr.contains("--force"), "{interrupted}");
    let removed = place.run("runs delete last --force");
    assert_eq!(removed.code, Some(0), "{removed}");
    assert!(names(&place).is_empty());
    place.open_gate();
    let interrupted = interrupted.to_string();
    assert!(interrupted.contains("could still go on"), "{interrupted}");
}
