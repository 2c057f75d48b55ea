//! Is every hostile plan refused before any call, with the culprit named?
//! What each refusal costs is shown by `cargo run --release --example hostile_cost`.

#[path = "hostile/cases.rs"]
mod cases;
#[path = "hostile/world.rs"]
mod world;

use std::collections::BTreeSet;

#[track_caller]
fn check(way: &str) {
    let mut failures = Vec::new();
    for case in cases::cases(Some(way)) {
        match world::refusal(&case.text()) {
            None => failures.push(format!("{}: accepted", case.name)),
            Some(problems) => {
                let named = problems.iter().all(|problem| {
                    problem.step.is_some() || problem.field.is_some() || problem.position.is_some()
                });
                let shown = problems.to_string();
                if problems.is_empty() || !named || !shown.contains(case.says) {
                    failures.push(format!(
                        "{}: expected `{}`, found {shown:.600}",
                        case.name, case.says
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn hostile_texts_are_refused() {
    check("texts");
}

#[test]
fn hostile_sizes_are_refused() {
    check("sizes");
}

#[test]
fn hostile_shapes_are_refused() {
    check("shapes");
}

#[test]
fn hostile_schemas_are_refused() {
    check("schemas");
}

#[test]
fn hostile_orders_are_refused() {
    check("order");
}

#[test]
fn hostile_expressions_are_refused() {
    check("expressions");
}

#[test]
fn there_are_many_and_each_has_its_name() {
    let cases = cases::cases(None);
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "names are unique");
    assert!(cases.len() >= 200, "only {} cases", cases.len());
}
