//! Does planning hold for many requests? A short run of `examples/plan_many.rs`.

#[path = "../examples/plan_many/many.rs"]
mod many;

#[test]
fn no_plan_is_unsound_and_nothing_panics() {
    let tools = include_str!("../../holloway-planner/tests/data/foreign-tools.jsonl");
    let everyday = include_str!("../../holloway-planner/data/everyday-held.jsonl");
    let mut requests = many::asked(everyday);
    requests.extend(many::spoken(150));
    let counted = many::plan_all(&many::planner(tools), &requests);
    assert!(
        counted.unsound.is_empty() && counted.panics.is_empty(),
        "{counted}"
    );
    assert!(counted.planned > 20 && counted.refused > 20, "{counted}");
}
