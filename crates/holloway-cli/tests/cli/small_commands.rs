//! Commands that need a line each: schema, completions, doctor, version, help.

use crate::place::Place;

#[test]
fn schema_is_json_schema() {
    let schema = Place::new().json("schema");
    assert_eq!(schema["$id"], "urn:holloway:schema:plan:1.0");
}

#[test]
fn completions_for_every_shell() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = place.run(&format!("completions {shell}"));
        assert!(
            ran.stdout.contains("holloway") && ran.code == Some(0),
            "{ran}"
        );
    }
}

#[test]
fn doctor_finds_a_healthy_place_and_a_sick_one() {
    let place = Place::new();
    assert_eq!(place.json("doctor")["ok"], true);
    place.file("holloway.toml", "[run]\nx = 1\n");
    let sick = place.run("doctor");
    assert_eq!(sick.code, Some(1));
    assert!(sick.stdout.contains("✗ configuration"), "{sick}");
}

#[test]
fn version_help_and_wrong_words() {
    let place = Place::new();
    let version = place.run("--version");
    let help = place.run("--help");
    let runs = place.run("runs --help");
    let wrong = place.run("rnu plan.yaml");
    place.check("help", &[&version, &help, &runs, &wrong]);
}
