//! What comes of answers that are good, half good, wrong or in another language?

use serde_json::json;

use super::shapes::Shapes;
use super::*;
use crate::frame::scene::{Column, File, Holds};

fn scene() -> Scene {
    let column = |name: &str, holds: Holds, values: &[&str]| Column {
        name: name.to_owned(),
        holds,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        ..Column::default()
    };
    let file = |name: &str, columns: Vec<Column>| File {
        name: name.to_owned(),
        columns,
    };
    let orders = vec![
        column("region", Holds::Texts, &["North", "South"]),
        column("status", Holds::Texts, &["paid", "open"]),
        column("ordered_on", Holds::Dates, &["2026-01-02"]),
        column("amount", Holds::Numbers, &[]),
    ];
    Scene {
        files: vec![file("orders.csv", orders), file("notes.txt", Vec::new())],
        folders: vec!["reports".to_owned()],
        today: Some("2026-01-31".to_owned()),
        zone: None,
        before: None,
    }
}

/// Goals, limits and troubles, a line each.
fn shown(request: &str, answer: &Value) -> String {
    let found = match understood(answer, request, &scene()) {
        Ok(found) => found,
        Err(why) => return format!("no frame: {why}"),
    };
    let mut lines = Vec::new();
    for goal in &found.frame.goals {
        lines.push(format!("{} “{}”", goal.act, goal.said.text));
        let parts = goal.parts.iter();
        lines.extend(
            parts.map(|part| format!("  {} {} “{}”", part.slot, part.value, part.said.text)),
        );
    }
    lines.extend(found.frame.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(found.troubles.iter().map(|trouble| match trouble {
        Trouble::Unfit { about } => format!("unfit: {about}"),
        other => format!("{other:?}"),
    }));
    lines.extend(
        found
            .frame
            .no_plan
            .map(|answer| format!("no plan: {answer}")),
    );
    lines.join("\n")
}

#[test]
fn a_good_answer_in_another_language() {
    let request = "Lies orders.csv und sag mir, welche Region den höchsten Umsatz mit bezahlten Bestellungen hat";
    let answer = json!({"language": "de", "goals": [{
        "act": "select", "words": "welche Region den höchsten Umsatz", "sources": ["orders.csv"],
        "filters": [{"column": "status", "op": "eq", "value": "paid"}], "group": ["region"],
        "measures": [{"function": "sum", "column": "amount"}],
        "order": [{"column": "amount", "descending": true}], "limit": {"rows": 1},
    }]});
    insta::assert_snapshot!(shown(request, &answer));
}

#[test]
fn the_shape_is_read_with_patience() {
    let request = "paid ORDERS of orders.csv above 10, first 3, as PDF";
    let answer = json!({"frame": {"goals": {
        "act": "Select", "source": "./Orders.csv", "where": {"column": "Status", "op": "=", "value": "PAID"},
        "slots": {"filters": [{"column": "amont", "op": ">", "value": "10"}], "limit": 3, "output": "orders-paid.pdf"},
        "group": [], "distinct": false, "title": null,
    }, "constraints": {"seconds": "20", "priority": "luck"}}});
    insta::assert_snapshot!(shown(request, &answer));
}

#[test]
fn the_content_is_read_strictly() {
    let request = "total per country of orders.csv, paid ones, to ada@moss.example";
    let answer = json!({"goals": [
        {"act": "select", "sources": ["invented.csv"], "measures": [{"function": "sum", "column": "amount"}]},
        {"act": "select", "sources": ["orders.csv"], "group": ["country"], "measures": ["count"],
         "filters": [{"column": "status", "op": "eq", "value": "bezahlt"}, {"column": "amount", "op": "gt", "value": "much"}]},
        {"act": "delete", "sources": ["notes.txt"]},
        {"act": "send", "recipient": "eve@evil.example"},
        {"act": "fetch", "sources": ["https://evil.example/"], "chart": "bar"},
    ]});
    insta::assert_snapshot!(shown(request, &answer));
}

#[test]
fn what_is_in_no_table_stays_a_verb_with_its_object() {
    let request = "Remember that Ada works at Moss Valley";
    let answer = json!([{"act": "other", "words": request, "verb": "remember", "object": "fact",
        "arguments": {"person": "Ada", "employer": "Moss Valley", "since": null}}]);
    insta::assert_snapshot!(shown(request, &answer));
}

#[test]
fn what_is_unclear_is_left_over_where_the_request_says_it() {
    let request = "count the words of notes.txt with verve";
    let answer = json!({"goals": [{"act": "count", "sources": ["notes.txt"], "unit": "words"}], "unclear": ["with verve", "of course"]});
    let found = understood(&answer, request, &scene()).unwrap();
    let words = vec!["with verve".to_owned()];
    assert_eq!(found.troubles, [Trouble::Leftover { words }]);
}

#[test]
fn no_plan_is_an_answer_and_nothing_is_none() {
    let check = |answer: Value, expected: &str| {
        assert_eq!(shown("What is the capital of Norway?", &answer), expected);
    };
    check(json!({"no_plan": " Oslo. "}), "no plan: Oslo.");
    check(json!({"no_plan": "", "goals": []}), "no plan: ");
    let nothing = "no frame: it has no `goals`, and no `no_plan` with an answer";
    check(json!({}), nothing);
    check(json!([]), nothing);
    check(json!("Oslo"), "no frame: it is no JSON object");
    check(json!([3]), "no frame: a goal is no JSON object");
    check(
        json!({"goals": [{"act": "dance"}]}),
        "no frame: there is no act `dance`; for what is in no list the act is `other`",
    );
}

#[test]
fn the_schema_has_the_names_of_the_request() {
    let request = "compare orders.csv with https://a.example/x";
    let schema = schema(request, &scene());
    let sources = &schema["$defs"]["sources"]["items"]["enum"];
    assert_eq!(
        sources,
        &json!(["https://a.example/x", "orders.csv", "notes.txt", "reports"])
    );
    let most = |slot: &str| schema["$defs"][slot]["maxItems"].clone();
    assert_eq!((most("sources"), most("filters")), (json!(4), json!(8)));
    let columns = &schema["$defs"]["group"]["items"]["enum"];
    assert_eq!(
        columns,
        &json!(["region", "status", "ordered_on", "amount"])
    );
    let open = super::schema("hello", &Scene::default());
    assert_eq!(open["$defs"]["group"]["items"], json!({"type": "string"}));
    assert!(!schema.to_string().contains("\"$\""));
}

#[test]
fn one_goal_is_enough_where_nothing_is_joined() {
    let check = |request: &str, most: Value| {
        let schema = schema(request, &scene());
        assert_eq!(schema["properties"]["goals"]["maxItems"], most, "{request}");
    };
    check("How many rows has orders.csv?", json!(1));
    check("Welche Region hat am meisten verkauft", json!(1));
    check("count the words and tell the language", Value::Null);
    check("Zähle die Wörter, nenne die Sprache", Value::Null);
    check("Count the words. Tell the language.", Value::Null);
    check("単語数を数えてください", Value::Null);
}

#[test]
fn the_examples_of_the_guide_are_frames() {
    let column = |name: &str, holds: Holds| Column {
        name: name.to_owned(),
        holds,
        ..Column::default()
    };
    let columns = vec![
        column("category", Holds::Texts),
        column("paid_on", Holds::Dates),
        column("cost", Holds::Numbers),
    ];
    let file = |name: &str, columns: Vec<Column>| File {
        name: name.to_owned(),
        columns,
    };
    let scene = Scene {
        files: vec![
            file("expenses.csv", columns),
            file("minutes.txt", Vec::new()),
        ],
        ..Scene::default()
    };
    for example in &Shapes::table().examples {
        let found = understood(&example.frame, &example.request, &scene).unwrap();
        assert_eq!(found.troubles, [], "{}", example.request);
        assert_eq!(found.frame.notes, [] as [String; 0], "{}", example.request);
    }
}

#[test]
fn the_guide() {
    insta::assert_snapshot!(guide());
}
