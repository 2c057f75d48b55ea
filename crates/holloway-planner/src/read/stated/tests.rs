//! Are values found where a request states them? One request and one schema each.

use holloway_plan::tool::ToolSpec;
use serde_json::{Value, json};

use super::*;

/// What is stated for the parameters of a tool, as one object.
#[track_caller]
fn check(request: &str, tool: &str, parameters: Value, expected: Value) {
    let required: Vec<&String> = parameters.as_object().unwrap().keys().collect();
    let schema = json!({"properties": parameters, "required": required});
    let tool = ToolSpec::named(format!("a/{tool}")).with_input(schema);
    let mut frame = crate::read::other::read(request);
    frame.goals.clear();
    let parameters = Parameter::of_tool(&tool);
    let mut found = serde_json::Map::new();
    for own in stated(tool.id.as_str(), &parameters, &frame, None) {
        found.insert(parameters[own.parameter].name.to_owned(), own.value);
    }
    assert_eq!(Value::Object(found), expected, "{request}");
}

fn text() -> Value {
    json!({"type": "string"})
}

fn number() -> Value {
    json!({"type": "integer"})
}

#[test]
fn numbers_say_how_many_and_which() {
    check(
        "the last 20 commits",
        "list_commits",
        json!({"perPage": number()}),
        json!({"perPage": 20}),
    );
    let ends = || json!({"head": number(), "tail": number()});
    check(
        "the last 50 lines of a.log",
        "read",
        ends(),
        json!({"tail": 50}),
    );
    check(
        "the first 5 lines of a.log",
        "read",
        ends(),
        json!({"head": 5}),
    );
    check(
        "page 3 of issue #17",
        "get",
        json!({"issue_number": number(), "limit": number()}),
        json!({"issue_number": 17}),
    );
    let share = json!({"confidenceLevel": {"type": "number", "maximum": 0.999}});
    check(
        "a 90% interval",
        "interval",
        share,
        json!({"confidenceLevel": 0.9}),
    );
    check(
        "fade for 2 seconds",
        "fade",
        json!({"duration": {"type": "number"}}),
        json!({"duration": 2}),
    );
    check(
        "wait 2 seconds",
        "pause",
        json!({"timeout_ms": number()}),
        json!({"timeout_ms": 2000}),
    );
    check(
        "text on the second slide",
        "add",
        json!({"slide_index": number()}),
        json!({"slide_index": 1}),
    );
}

#[test]
fn things_are_said_with_their_names() {
    let sheet = || json!({"sheet": text(), "range": text()});
    check(
        "read A1:F20 on the Payroll tab",
        "read",
        sheet(),
        json!({"sheet": "Payroll", "range": "A1:F20"}),
    );
    let columns = || json!({"columns": {"type": "array", "items": {"type": "string"}}});
    check(
        "drop the columns fax and phone",
        "remove",
        columns(),
        json!({"columns": ["fax", "phone"]}),
    );
    check(
        "outliers in the price column",
        "outliers",
        columns(),
        json!({"columns": ["price"]}),
    );
    check(
        "protect it with the password moonrise",
        "encrypt",
        json!({"user_password": text()}),
        json!({"user_password": "moonrise"}),
    );
    check(
        "make a column chart of it",
        "create_chart",
        json!({"column": text()}),
        json!({}),
    );
    check(
        "a heading Kickoff",
        "add_heading",
        json!({"text": text()}),
        json!({"text": "Kickoff"}),
    );
    check(
        "commit the staged changes",
        "git_commit",
        json!({"filesToStage": {"type": "array", "items": {"type": "string"}}}),
        json!({}),
    );
    check(
        "the table of contents",
        "show",
        json!({"table": text()}),
        json!({}),
    );
}

#[test]
fn codes_belong_to_what_they_name() {
    let ids = json!({"requestId": text(), "taskId": text()});
    check(
        "task-7 of req-3 is finished",
        "mark",
        ids,
        json!({"requestId": "req-3", "taskId": "task-7"}),
    );
    let commits = json!({"owner": text(), "repo": text(), "sha": text()});
    check(
        "commits on release/2.4 of contoso/shop",
        "list",
        commits,
        json!({"owner": "contoso", "repo": "shop", "sha": "release/2.4"}),
    );
    check(
        "fork pallets/flask",
        "fork",
        json!({"owner": text(), "repo": text()}),
        json!({"owner": "pallets", "repo": "flask"}),
    );
    check(
        "read src/main.rs and/or lib.rs",
        "read",
        json!({"owner": text(), "repo": text()}),
        json!({}),
    );
}

#[test]
fn units_zones_and_languages_are_in_the_words_of_the_schema() {
    let unit = json!({"enum": ["ml", "l", "cup"]});
    let unit = json!({"from_unit": unit, "to_unit": unit});
    // The type is told by the values.
    check(
        "convert 3 cups to milliliters",
        "convert",
        unit,
        json!({"from_unit": "cup", "to_unit": "ml"}),
    );
    check(
        "what time is it in Tokyo",
        "now",
        json!({"timezone": text()}),
        json!({"timezone": "Asia/Tokyo"}),
    );
    let code = json!({"target_language": {"type": "string", "description": "Language code"}});
    check(
        "translate it into French",
        "translate",
        code,
        json!({"target_language": "fr"}),
    );
}

#[test]
fn data_follows_after_a_colon() {
    let points = json!({"data": {"type": "array", "items": {"type": "object", "required": ["category", "value"],
        "properties": {"category": {"type": "string"}, "value": {"type": "number"}}}}});
    check(
        "pie chart: rent 1200, food 450 and fun 200",
        "pie",
        points,
        json!({"data": [{"category": "rent", "value": 1200}, {"category": "food", "value": 450}, {"category": "fun", "value": 200}]}),
    );
    let list = |kind: &str| json!({"type": "array", "items": {"type": kind}});
    let apart = json!({"labels": list("string"), "values": list("number")});
    check(
        "a chart of: a 1, b 2",
        "chart",
        apart,
        json!({"labels": ["a", "b"], "values": [1, 2]}),
    );
    let groups = json!({"group1": list("number"), "group2": list("number")});
    check(
        "1, 2 versus 3, 5",
        "effect",
        groups,
        json!({"group1": [1, 2], "group2": [3, 5]}),
    );
    check(
        "run this: SELECT a, b FROM t",
        "query",
        json!({"sql": text()}),
        json!({"sql": "SELECT a, b FROM t"}),
    );
    let fields = json!({"fill_data": {"type": "object"}});
    check(
        "Name is Li Wei, Passport No is E1234567.",
        "fill",
        fields,
        json!({"fill_data": {"Name": "Li Wei", "Passport No": "E1234567"}}),
    );
}

#[test]
fn texts_end_where_something_else_is_said() {
    let comment = json!({"body": text()});
    check(
        "leave a comment saying looks good, ship it",
        "comment",
        comment,
        json!({"body": "looks good, ship it"}),
    );
    check(
        "a stamp saying PAID to a.pdf",
        "stamp",
        json!({"text": text()}),
        json!({"text": "PAID"}),
    );
    let mail = json!({"subject": text(), "body": text()});
    check(
        "mail with subject 'Hi' and text 'See you'",
        "mail",
        mail,
        json!({"subject": "Hi", "body": "See you"}),
    );
    let rich = json!({"rich_text": {"type": "array", "items": {"type": "object", "required": ["text"], "properties": {
        "text": {"type": "object", "required": ["content"], "properties": {"content": {"type": "string"}}}}}}});
    check(
        "comment saying done",
        "comment",
        rich,
        json!({"rich_text": [{"text": {"content": "done"}}]}),
    );
    let swap = || json!({"find_text": text(), "replace_text": text()});
    check(
        "put Peter Jones wherever it says [NAME]",
        "swap",
        swap(),
        json!({"find_text": "[NAME]", "replace_text": "Peter Jones"}),
    );
    check(
        "replace 'colour' with 'color'",
        "swap",
        swap(),
        json!({"find_text": "colour", "replace_text": "color"}),
    );
    check(
        "slides about solar energy with charts",
        "make",
        json!({"topic": text()}),
        json!({"topic": "solar energy"}),
    );
}

#[test]
fn choices_and_switches_have_other_words() {
    let order = json!({"order": {"enum": ["ascending", "descending"]}});
    check(
        "sort it, biggest first",
        "sort",
        order,
        json!({"order": "descending"}),
    );
    check(
        "fill gaps with the average",
        "fill",
        json!({"strategy": {"enum": ["mean", "drop"]}}),
        json!({"strategy": "mean"}),
    );
    check(
        "squash-merge it",
        "merge",
        json!({"method": {"enum": ["merge", "squash"]}}),
        json!({"method": "squash"}),
    );
    let recursive = || json!({"recursive": {"type": "boolean"}});
    check(
        "list it including subfolders",
        "list",
        recursive(),
        json!({"recursive": true}),
    );
    check(
        "list it without subfolders",
        "list",
        recursive(),
        json!({"recursive": false}),
    );
}

#[test]
fn days_begin_and_end() {
    let since = json!({"since": {"type": "string", "description": "A date."}, "until": {"type": "string", "description": "A date."}});
    check(
        "commits since 2025-10-01",
        "log",
        since,
        json!({"since": "2025-10-01"}),
    );
    let exact = json!({"start": {"type": "string", "format": "date-time"}});
    check(
        "events from 2025-10-01",
        "list",
        exact,
        json!({"start": "2025-10-01T00:00:00Z"}),
    );
}
