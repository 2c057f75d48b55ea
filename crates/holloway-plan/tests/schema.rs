//! Is the committed JSON Schema the one the types give, and does it tell right plans from wrong ones?
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)] // tests read files and fail loudly

use std::path::Path;

use holloway_plan::limits::Limits;
use holloway_plan::schema::plan_schema;
use holloway_plan::source::Source;
use serde_json::{Value, json};

#[path = "explain/examples.rs"]
mod examples;

#[test]
fn the_committed_schema_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/plan.schema.json");
    let current = format!("{:#}\n", plan_schema());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == current,
        "docs/plan.schema.json is stale; write it anew with\n  UPDATE=1 cargo nextest run -p holloway-plan --test schema"
    );
}

fn objections(plan: &Value) -> Vec<String> {
    let schema = jsonschema::validator_for(&plan_schema()).expect("the schema itself is valid");
    schema
        .iter_errors(plan)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

#[test]
fn every_example_fits_the_schema() {
    for (name, text) in examples::all() {
        let plan = Source::parse(&text, &Limits::default()).unwrap().value;
        assert_eq!(objections(&plan), Vec::<String>::new(), "{name}");
    }
}

#[track_caller]
fn refused(step: Value) {
    let plan = json!({"version": "1.0", "steps": [step]});
    assert_ne!(objections(&plan), Vec::<String>::new(), "{plan}");
}

#[test]
fn wrong_plans_do_not_fit() {
    let inner = json!({"id": "b", "tool": "t"});
    refused(json!({"id": "a"}));
    refused(json!({"tool": "t"}));
    refused(json!({"id": "a", "type": "tool"}));
    refused(json!({"id": "a", "tool": "t", "colour": "red"}));
    refused(json!({"id": "a", "tool": "t", "on_error": "explode"}));
    refused(json!({"id": "a", "type": "lopp", "over": "x", "step": inner}));
    refused(json!({"id": "a", "type": "loop", "step": inner}));
    refused(json!({"id": "a", "type": "loop", "over": "x"}));
    refused(json!({"id": "a", "type": "loop", "over": "x", "step": inner, "steps": [inner]}));
    refused(json!({"id": "a", "type": "parallel", "steps": []}));
    refused(json!({"id": "a", "type": "reduce", "input": "x"}));
    refused(
        json!({"id": "a", "type": "reduce", "input": "x", "reducer": inner, "accumulate": "sum"}),
    );
    refused(json!({"id": "a", "type": "conditional", "then": [inner]}));
    refused(json!({"id": "a", "type": "final"}));
    refused(json!({"id": "a", "type": "plan"}));
    refused(json!({"id": "a", "type": "conditional", "condition": "input.x", "then": []}));
    refused(json!({"id": "a", "type": "approve"}));
    refused(json!({"id": "a", "type": "phase", "goal": "g", "max_calls": 3}));
    refused(json!({"id": "a", "type": "phase", "goal": "g", "tools": ["t"]}));
    refused(json!({"id": "a", "type": "loop", "over": "x", "step": {"id": "b"}}));
    assert_ne!(
        objections(&json!({"version": "2.0", "steps": [inner]})),
        Vec::<String>::new()
    );
    assert_ne!(
        objections(&json!({"version": "1.0", "steps": []})),
        Vec::<String>::new()
    );
    assert_ne!(objections(&json!({"steps": [inner]})), Vec::<String>::new());
}

#[test]
fn every_spelling_the_reader_takes_fits() {
    let step = json!({"id": "a", "tool": "t", "dependsOn": [], "timeoutMs": 5});
    let branch = json!({"id": "c", "type": "conditional", "condition": "input.x", "then": [step], "else": []});
    assert_eq!(
        objections(&json!({"version": 1.0, "steps": [branch]})),
        Vec::<String>::new()
    );
}
