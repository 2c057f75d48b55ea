//! Every plan in `examples/` does what it says: the plans of the design document
//! unchanged, with its tool names registered, and one plan per kind of step.

use serde_json::{Value, json};

use crate::place::Place;

/// A place with a copy of `examples/` in it.
fn with_examples() -> Place {
    let place = Place::new();
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for folder in ["", "data", "seed"] {
        for file in std::fs::read_dir(source.join(folder)).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(&source).unwrap().display().to_string();
                place.file(
                    &format!("examples/{name}"),
                    &std::fs::read_to_string(&path).unwrap(),
                );
            }
        }
    }
    place
}

/// The last entry of a run: how it ended and what it gave.
#[track_caller]
fn outcome(place: &Place, typed: &str) -> Value {
    let ran = place.run(typed.trim_end());
    let last = ran.stdout.lines().last().unwrap_or_default();
    let entry: Value = serde_json::from_str(last)
        .unwrap_or_else(|error| panic!("{typed}: {error}\n{}\n{}", ran.stdout, ran.stderr));
    assert_eq!(entry["type"], "execution_complete", "{typed}: {entry}");
    assert_eq!(entry["status"], "succeeded", "{typed}: {entry}");
    entry["outputs"].clone()
}

fn seed(plan: &str, input: &str) -> Value {
    let place = with_examples();
    outcome(
        &place,
        &format!("run examples/seed/{plan}.json --sample-tools --yes --json {input}"),
    )
}

#[test]
fn the_basic_plan() {
    let outputs = seed("basic", "");
    assert!(outputs["page"]["content"].is_string());
    assert!(outputs["sentiment"]["score"].is_number());
}

#[test]
fn the_dag_plan() {
    let outputs = seed("dag", "");
    assert_eq!(outputs["weather"]["city"], "NYC");
    assert!(outputs["news"].is_object() && outputs["summary"].is_object());
}

#[test]
fn the_loop_plan() {
    let outputs = seed("loop", r#"--input cities=["NYC","LA","Chicago","Houston"]"#);
    let cities: Vec<&Value> = outputs["all_weather"]
        .as_array()
        .unwrap()
        .iter()
        .map(|weather| &weather["city"])
        .collect();
    assert_eq!(cities, ["NYC", "LA", "Chicago", "Houston"]);
}

#[test]
fn the_conditional_plan_takes_either_branch() {
    let good = seed("conditional", "--input 'text=I love this, it is great'");
    assert_eq!(good["positive_action"]["delivered"], true);
    assert!(good.get("negative_action").is_none());
    let bad = seed("conditional", "--input 'text=I hate this, it is terrible'");
    assert_eq!(bad["negative_action"]["delivered"], true);
    assert!(bad.get("positive_action").is_none());
}

#[test]
fn the_reduce_plan() {
    let outputs = seed(
        "reduce",
        r#"--input urls=["https://a.com","https://b.com"]"#,
    );
    assert_eq!(outputs["pages"].as_array().unwrap().len(), 2);
    assert_eq!(outputs["summaries"].as_array().unwrap().len(), 2);
    assert!(outputs["report"]["markdown"].is_string());
}

#[test]
fn every_kind_of_step() {
    let place = with_examples();
    let ran = |plan: &str| outcome(&place, &format!("run examples/{plan}.yaml --yes --json"));
    assert!(ran("first")["report"]["markdown"].is_string());
    assert!(ran("tool")["length"]["words"].as_u64().unwrap() > 10);
    assert_eq!(ran("loop")["sentences"].as_array().unwrap().len(), 3);
    assert!(ran("parallel")["both"]["figures"].is_object());
    assert_eq!(ran("reduce-map")["measures"].as_array().unwrap().len(), 2);
    assert!(ran("reduce-fold")["total"].is_number());
    assert!(ran("conditional")["answer"]["words"].is_number());
    assert!(ran("final")["report"]["markdown"].is_string());
    assert!(ran("plan")["coffee"]["mean"].is_number());
    assert_eq!(ran("graph")["done"], json!("reached 15"));
    assert_eq!(ran("approve")["sure"]["approved"], true);
    assert_eq!(ran("writes")["cleaned"]["deleted"], true);
    assert_eq!(
        place.read("examples/out/log.txt").lines().count(),
        1,
        "one line, written once"
    );
}
