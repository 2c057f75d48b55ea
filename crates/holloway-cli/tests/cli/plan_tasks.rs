//! `holloway plan --tasks`: tasks that are taken apart already become plans, with the tools
//! they name or without.

use serde_json::{Value, json};

use crate::place::Place;

/// As such plans are usually written.
const MARKET: &str = r#"{
  "objective": "Market analysis report",
  "steps": [
    {"id": 1, "action": "search_competitors", "tools": ["web_search"]},
    {"id": 2, "action": "collect_pricing", "depends_on": [1], "tools": ["web_search"]},
    {"id": 3, "action": "synthesize", "depends_on": [1,2], "tools": ["LLM"]}
  ]
}"#;

/// A catalogue that has the tools it names.
const TOOLS: &str = r#"{"id": "mcp.search/web_search", "name": "web_search", "description": "Searches the web. Returns texts", "input_schema": {"type": "object", "required": ["query"], "properties": {"query": {"type": "string"}}}, "output_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}
{"id": "mcp.model/LLM", "name": "LLM", "description": "Asks a language model. Returns its answer", "input_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}, "output_schema": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}
"#;

fn tools(plan: &Value) -> Vec<&str> {
    let steps = plan["plan"]["steps"].as_array().unwrap();
    steps
        .iter()
        .map(|step| step["tool"].as_str().unwrap())
        .collect()
}

#[test]
fn the_example_of_the_pattern_is_planned_as_it_is_written() {
    let place = Place::new();
    place.file("market.json", MARKET);
    place.file("tools.jsonl", TOOLS);
    let planned = place.json("plan --tasks market.json --from tools.jsonl");
    let plans = planned["plans"].as_array().unwrap();
    let named = [
        "mcp.search/web_search",
        "mcp.search/web_search",
        "mcp.model/LLM",
    ];
    assert!(!plans.is_empty());
    for plan in plans {
        assert_eq!(tools(plan), named);
    }
    let last = &plans[1]["plan"]["steps"][2];
    assert_eq!(last["depends_on"], json!(["step_2", "step_1"]));
    assert_eq!(last["input"]["text"], "{{step_2.text}}");
    let thorough = &plans[0]["plan"];
    assert_eq!(thorough["execution"], "sequential");
    assert_eq!(planned["tracked"][0]["tracker"]["nodes"], 3);
    assert_eq!(planned["missing"], json!([]));
}

#[test]
fn without_the_tools_it_names_that_is_said() {
    let place = Place::new();
    place.file("market.json", MARKET);
    let planned = place.json("plan --tasks market.json");
    let missing = planned["missing"].as_array().unwrap();
    let missing: Vec<&str> = missing
        .iter()
        .map(|one| one["capability"].as_str().unwrap())
        .collect();
    assert_eq!(missing, ["search competitors", "synthesize"]);
    assert_eq!(tools(&planned["plans"][0]), ["builtin/prices-collect"]);
    let notes = planned["notes"].to_string();
    assert!(
        notes.contains("web_search is not used, it is not at hand"),
        "{notes}"
    );
}

#[test]
fn tasks_become_a_plan_that_runs_and_meets_its_expectations() {
    let place = Place::new();
    place.file("notes.txt", "one two three\n");
    place.file(
        "tasks.yaml",
        "objective: Count the words\nsteps:\n\
         - {id: read, action: read the file, tools: file-read, inputs: {path: notes.txt}}\n\
         - {id: count, action: text statistics, tools: text-stats, depends_on: read, success_criteria: words == 3}\n",
    );
    let saved = place.run("plan --tasks tasks.yaml --plan quick -o count.yaml");
    assert_eq!(saved.code, Some(0), "{saved}");
    let ran = place.run("run count.yaml --json");
    assert_eq!(ran.code, Some(0), "{ran}");
    let shown = place.json("runs show last");
    assert_eq!(shown["run"]["standing"], "succeeded", "{shown}");
    let again = place.json("plan --tasks tasks.yaml --why");
    let id = again["plans"][0]["id"].as_str().unwrap();
    assert_eq!(place.json(&format!("check {id}"))["ok"], true);
}

#[test]
fn what_is_no_list_of_tasks_is_refused() {
    let place = Place::new();
    place.file("text.yaml", "do it\n");
    place.file(
        "cycle.yaml",
        "[{id: 1, action: a, depends_on: 2}, {id: 2, action: b, depends_on: 1}]\n",
    );
    place.file("typo.yaml", "{steps: [{action: a}], constrants: {}}\n");
    place.file("none.yaml", "[{action: knit a pullover}]\n");
    let ran = ["text", "cycle", "typo", "none", "missing"]
        .map(|name| place.run(&format!("plan --tasks {name}.yaml")));
    let both = place.run("plan --tasks none.yaml 'read notes.txt'");
    let mut all: Vec<_> = ran.iter().collect();
    all.push(&both);
    place.check("plan_tasks_wrong", &all);
}

#[test]
fn what_does_harm_after_a_task_that_is_left_out_asks_whatever_is_allowed() {
    let place = Place::new();
    place.file("notes.txt", "one two three\n");
    place.file(
        "tasks.yaml",
        "objective: Tidy up\nsteps:\n\
         - {id: copy, action: read the file, tools: file-read, inputs: {path: notes.txt}}\n\
         - {id: check, action: knit_a_pullover, depends_on: copy}\n\
         - {id: wipe, action: delete the file, tools: file-delete, depends_on: check, inputs: {path: notes.txt}}\n",
    );
    let saved = place.run("plan --tasks tasks.yaml --plan quick -o tidy.yaml");
    assert!(
        saved
            .stderr
            .contains("“knit a pullover” was to be done before it and is left out"),
        "{saved}"
    );
    let ran = place.run("run tidy.yaml --yes --quiet");
    assert_eq!(ran.code, Some(130), "{ran}");
    assert!(ran.stdout.contains("waiting for 1 approval"), "{ran}");
    assert!(place.path("notes.txt").exists());
    let shown = place.json("runs show last");
    assert_eq!(shown["trace"]["entries"][0]["nodeId"], "copy", "{shown}");
}
