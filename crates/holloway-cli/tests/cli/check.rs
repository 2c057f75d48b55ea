//! `holloway check`.

use crate::place::Place;

const WRONG: &str = "version: '1.0'
id: wrong
steps:
  - id: fetch
    tool: ecko
    input: {value: 1}
  - id: fetch
    tool: sleep
    input: {ms: soon}
  - id: last
    tool: echo
    inptu: {value: 1}
    input: {value: '{{nothing.here}}'}
";

#[test]
fn every_problem_with_its_place() {
    let place = Place::with_plan(WRONG);
    let text = place.run("check plan.yaml");
    let without = WRONG.replace("    inptu: {value: 1}\n", "");
    place.file("second.yaml", &without);
    let second = place.run("check second.yaml");
    let json = place.run("check second.yaml --json");
    assert_eq!(json.code, Some(2));
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["ok"], false);
    assert!(json["problems"].as_array().unwrap().len() >= 3);
    assert!(json["problems"][0]["line"].is_number());
    place.check("check_wrong", &[&text, &second]);
}

#[test]
fn text_that_is_no_plan() {
    let place = Place::new();
    place.file(
        "broken.json",
        "{\"version\": \"1.0\", \"steps\": [{\"id\": \"a\",}]}",
    );
    place.file("list.yaml", "- a\n- b\n");
    let broken = place.run("check broken.json");
    let list = place.run("check list.yaml");
    place.check("check_unreadable", &[&broken, &list]);
}

#[test]
fn a_sound_plan() {
    let place = Place::with_plan(
        "version: '1.0'\nid: sound\nsteps:\n  - {id: a, tool: echo, input: {value: 1}}\n",
    );
    let text = place.run("check plan.yaml");
    assert_eq!(place.json("check plan.yaml")["ok"], true);
    place.check("check_sound", &[&text]);
}
