//! Which way leads from a result to an argument, and how well do their names agree?

use serde_json::{Value, json};

use super::*;

fn page() -> Value {
    json!({"type": "object", "required": ["url", "html"], "properties": {
        "url": {"type": "string"}, "html": {"type": "string"}, "status": {"type": "integer"}}})
}

fn list_of(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

/// The best of all ways to a parameter; its name is empty when only the schema is known.
fn best(output: &Value, name: &str, wanted: &Value) -> Fit {
    let places = places(Shape::of(output));
    let fits = places
        .iter()
        .flat_map(|place| place.fits(&terms(name), Shape::of(wanted)));
    fits.fold(Fit::None, |best, fit| {
        if fit.score() > best.score() {
            fit
        } else {
            best
        }
    })
}

#[track_caller]
fn check(output: Value, name: &str, input: Value, expected: &str) {
    let said = match best(&output, name, &input) {
        Fit::None => "none".to_owned(),
        Fit::Exact { .. } => "exact".to_owned(),
        Fit::Part { path, .. } => format!("part {path}"),
        Fit::EachItem { path, .. } => format!("each {path}"),
        Fit::Collect { path, .. } => format!("collect {path}"),
        Fit::Gather { path, .. } => format!("gather {path}"),
    };
    assert_eq!(said, expected, "{output} for {name}");
}

#[test]
fn a_result_serves_whole_in_part_item_by_item_or_gathered() {
    let pages = json!({"properties": {"pages": list_of(page()), "count": {"type": "integer"}}});
    check(pages.clone(), "pages", list_of(page()), "part pages");
    check(pages.clone(), "page", page(), "each pages[]");
    check(
        pages.clone(),
        "html",
        json!({"type": "string"}),
        "each pages[].html",
    );
    check(
        pages,
        "urls",
        list_of(json!({"type": "string"})),
        "collect pages[].url",
    );
    check(page(), "page", page(), "exact");
    check(page(), "pages", list_of(page()), "gather ");
    check(page(), "html", json!({"type": "string"}), "part html");
}

#[test]
fn kinds_decide_before_names() {
    let found = json!({"properties": {
        "findings": list_of(json!({"type": "object"})), "pages": {"type": "integer"}}});
    check(found.clone(), "pages", list_of(page()), "none");
    check(
        found.clone(),
        "pages",
        json!({"type": "integer"}),
        "part pages",
    );
    let result = json!({"type": ["object", "null"], "required": ["findings"],
        "properties": {"findings": {"type": "array"}}});
    check(found, "results", list_of(result), "gather ");
    let price = json!({"properties": {"price": {"type": "string"}}});
    check(price, "price", json!({"type": "number"}), "none");
}

#[test]
fn names_decide_between_equal_kinds() {
    let artist = json!({"properties": {
        "name": {"type": "string"}, "id": {"type": "string"}, "genre": {"type": "string"}}});
    check(artist, "artistId", json!({"type": "string"}), "part id");
    let choice = json!({"properties": {"unit": {"enum": ["km"]}, "kind": {"type": "string"}}});
    check(choice, "unit", json!({"enum": ["km", "mile"]}), "part unit");
}

#[track_caller]
fn check_names(path: &str, name: &str, expected: f32) {
    assert_eq!(names_agree(path, name), expected, "{path} for {name}");
}

#[test]
fn names_agree_in_one_or_many() {
    check_names("urls", "url", 1.0);
    check_names("entries[].url", "url", 1.0);
    check_names("artists[].id", "artistId", 0.9);
    check_names("artist.id", "artist_id", 0.95);
    check_names("id", "artistId", 0.7);
    check_names("count", "title", 0.0);
}

#[test]
fn without_names_the_schema_alone_decides() {
    let output = json!({"properties": {"pages": list_of(page())}});
    assert_eq!(best(&output, "", &list_of(page())).path(), "pages");
    assert_eq!(best(&output, "", &json!({"type": "boolean"})), Fit::None);
    let (number, flag) = (json!({"type": "integer"}), json!({"type": "boolean"}));
    assert_eq!(best(&number, "", &flag), Fit::None);
}

#[test]
fn a_schema_without_end_is_looked_at_for_a_while() {
    let node = json!({"$defs": {"node": {"type": "object", "properties": {
        "left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"},
        "rest": list_of(json!({"$ref": "#/$defs/node"})), "name": {"type": "string"}}}},
        "$ref": "#/$defs/node"});
    assert!(places(Shape::of(&node)).len() <= PLACES_AT_MOST);
    assert_eq!(best(&node, "", &node).path(), "");
}

#[test]
fn a_union_that_refers_to_itself_is_given_up() {
    let names: Vec<String> = (0..12).map(|number| format!("field_{number}")).collect();
    let fields: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), json!({"$ref": "#/$defs/any"})))
        .collect();
    let object = json!({"type": "object", "required": names, "properties": fields});
    let forms: Vec<Value> = std::iter::repeat_n(object, 8).collect();
    let union = json!({"$defs": {"any": {"anyOf": forms}}, "$ref": "#/$defs/any"});
    let shape = Shape::of(&union);
    assert_eq!(agreement(shape, shape, AGREED), None);
    assert!(agreement(shape, shape, 0).is_some());
}
