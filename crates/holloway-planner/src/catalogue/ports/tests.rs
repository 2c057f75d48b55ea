//! Which parameters stand for each other, and which tools name which others?

use serde_json::json;

use super::*;

#[track_caller]
fn check(schema: Value, expected: &[&str]) {
    let tool = ToolSpec::named("a/b")
        .with_effect(Effect::Read)
        .with_input(schema);
    let ports = Ports::of(&tool);
    let names = ports.one_of.iter().filter_map(|at| ports.inputs.get(*at));
    let names: Vec<&str> = names.map(|port| port.name.as_str()).collect();
    assert_eq!(names, expected);
}

#[test]
fn parameters_stand_for_each_other() {
    let rows = json!({"type": "array", "items": {"type": "object"}});
    check(
        json!({"properties": {"text": {"type": "string", "description": "One of `text` and `rows`"}, "rows": rows}}),
        &["text", "rows"],
    );
    check(
        json!({"properties": {"page": {"type": "object"}, "html": {"type": "string"}},
            "anyOf": [{"required": ["page"]}, {"required": ["html"]}]}),
        &["page", "html"],
    );
    // Data that is not required is needed all the same where nothing else is.
    check(
        json!({"properties": {"rows": rows, "limit": {"type": "integer"}}}),
        &["rows"],
    );
    // Settings that exclude each other are not needed.
    check(
        json!({"required": ["rows"], "properties": {"rows": rows, "bins": {"type": "integer"},
            "edges": {"type": "array", "items": {"type": "number"}, "description": "Instead of `bins`"}}}),
        &[],
    );
}

#[test]
fn a_description_says_what_comes_before() {
    let mut fetch = ToolSpec::named("a/pages-fetch").with_input(json!({"properties": {
        "page": {"type": "object", "description": "As `page-load` returns it"}}}));
    fetch.description = "Use it after `site-map`; `page-list` takes many".to_owned();
    let others = ["a/site-map", "a/page-list", "a/page-load", "b/site-map"].map(ToolSpec::named);
    let tools: Vec<Arc<ToolSpec>> = [fetch].into_iter().chain(others).map(Arc::new).collect();
    let mentions = mentions(tools.get(..4).unwrap_or_default());
    let after: Vec<&(Place, Place)> = mentions.after.iter().collect();
    assert_eq!(after, [&(0, 1)]);
    assert_eq!(mentions.takes.get(&(0, "page".to_owned())), Some(&vec![3]));
}
