//! Does each argument come from where a person would take it?

use holloway_plan::tool::ToolSpec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Shape;

fn frame(request: &str) -> Frame {
    let mut frame = crate::read::other::read(request);
    frame.goals.clear();
    frame
}

fn tool(name: &str, input: Value, output: Value) -> ToolSpec {
    let mut tool = ToolSpec::named(name);
    tool.input_schema = input;
    tool.output_schema = output;
    tool
}

fn told(binding: &Binding) -> String {
    let source = match &binding.source {
        Source::Earlier { step, path } => format!("{step}.{path}"),
        Source::Request { value, .. }
        | Source::Words { value, .. }
        | Source::Schema { value }
        | Source::Past { value } => value.to_string(),
        Source::Input { .. } => "input".to_owned(),
    };
    format!("{} = {source}: {}", binding.parameter, binding.reason)
}

#[track_caller]
fn check(request: &str, input: Value, expected: &[&str]) {
    let read = frame(request);
    let found = bind(&tool("t/use", input, Value::Null), &Situation::alone(&read));
    let found: Vec<String> = found.iter().map(told).collect();
    assert_eq!(found, expected, "{request}");
}

fn input(required: &[&str], properties: Value) -> Value {
    json!({"type": "object", "required": required, "properties": properties})
}

#[test]
fn the_first_page_and_the_language_of_the_request_go_without_saying() {
    let tool = || {
        input(
            &["query"],
            json!({"query": {"type": "string"}, "page": {"type": "integer"},
                "offset": {"type": "integer", "description": "Defaults to 0."},
                "language": {"type": "string", "description": "The language of the results."}}),
        )
    };
    check(
        "search for \"blue lamps\"",
        tool(),
        &[
            r#"query = "blue lamps": “blue lamps” in the request"#,
            "page = 1: goes without saying",
            r#"language = "en": goes without saying"#,
        ],
    );
    check(
        "search for \"blue lamps\", page 3, in German",
        tool(),
        &[
            r#"query = "blue lamps": “blue lamps” in the request"#,
            "page = 3: “3” in the request",
            r#"language = "German": “German” in the request"#,
        ],
    );
    let other = json!({"page": {"type": "integer", "description": "Counted from 0."},
        "language": {"type": "string", "description": "The language of the code."}});
    check("check the code", input(&[], other), &[]);
}

#[test]
fn a_tool_that_requires_nothing_is_given_what_it_is_called_for() {
    let text = json!({"type": "string"});
    check(
        "find articles about the economy",
        input(&[], json!({"query": text, "region": text})),
        &[r#"query = "economy": “economy” in the request"#],
    );
    check(
        "find articles about the economy",
        input(
            &["day"],
            json!({"day": {"type": "string", "default": "today"}, "query": text}),
        ),
        &[
            r#"day = "today": what the tool takes when nothing is said"#,
            r#"query = "economy": “economy” in the request"#,
        ],
    );
}

#[test]
fn addresses_files_and_amounts_of_the_request() {
    let text = json!({"type": "string"});
    check(
        "audit https://example.org please",
        input(
            &["url"],
            json!({"url": text, "limit": {"type": "integer", "default": 10}}),
        ),
        &[r#"url = "https://example.org": the address in the request"#],
    );
    check(
        "read notes.txt",
        input(&["path"], json!({"path": text})),
        &[r#"path = "notes.txt": the file in the request"#],
    );
    check(
        "compare https://a.org and https://b.org",
        input(&["urls"], json!({"urls": {"type": "array", "items": text}})),
        &[r#"urls = ["https://a.org","https://b.org"]: the addresses in the request"#],
    );
    check(
        "what is 5 km in miles",
        input(&["amount"], json!({"amount": {"type": "number"}})),
        &["amount = 5: “5 km” in the request"],
    );
}

#[test]
fn prepositions_tell_apart() {
    let text = json!({"type": "string"});
    check(
        "find a bus from Atlanta to Charlotte on 2024-01-01",
        input(
            &["origin", "destination", "date"],
            json!({"destination": text, "origin": text, "date": text}),
        ),
        &[
            r#"destination = "Charlotte": “Charlotte” in the request"#,
            r#"origin = "Atlanta": “Atlanta” in the request"#,
            r#"date = "2024-01-01": the date in the request"#,
        ],
    );
}

#[test]
fn what_nobody_said_is_an_input() {
    check(
        "send it",
        input(
            &["to"],
            json!({"to": {"type": "string", "format": "email"}}),
        ),
        &["to = input: the request does not say it"],
    );
}

#[test]
fn a_value_that_breaks_the_schema_is_not_bound() {
    check(
        "get 500 items",
        input(&[], json!({"items": {"type": "integer", "maximum": 100}})),
        &[],
    );
}

#[test]
fn listed_values_and_switches_are_mentioned() {
    check(
        "show the weather in celsius",
        input(
            &["unit"],
            json!({"unit": {"enum": ["fahrenheit", "celsius"]}}),
        ),
        &[r#"unit = "celsius": “celsius” in the request"#],
    );
    check(
        "go",
        input(&["kind"], json!({"kind": {"const": "x"}})),
        &[r#"kind = "x": the only value the tool takes"#],
    );
    check(
        "go",
        input(
            &["page"],
            json!({"page": {"type": "integer", "default": 1}}),
        ),
        &["page = 1: what the tool takes when nothing is said"],
    );
}

#[test]
fn objects_are_filled_one_level_deep() {
    check(
        "sales between 2021-01-01 and 2021-12-31",
        input(
            &["range"],
            json!({"range": input(&["start_date", "end_date"], json!({
            "start_date": {"type": "string"}, "end_date": {"type": "string"}}))}),
        ),
        &[
            r#"range = {"start_date":"2021-01-01","end_date":"2021-12-31"}: the date in the request"#,
        ],
    );
}

#[test]
fn results_of_earlier_steps() {
    let page = json!({"type": "object", "required": ["url", "html"], "properties": {
        "url": {"type": "string"}, "html": {"type": "string"}}});
    let pages = json!({"type": "array", "items": page});
    let fetch = tool(
        "builtin/pages-fetch",
        Value::Null,
        json!({"type": "object", "properties": {
        "pages": pages, "count": {"type": "integer"}}}),
    );
    let check_pages = tool(
        "builtin/wcag-check",
        input(&["pages"], json!({"pages": pages})),
        Value::Null,
    );
    let text = tool(
        "builtin/html-text",
        input(&["html"], json!({"html": {"type": "string"}})),
        Value::Null,
    );
    let read = frame("audit https://example.org");
    let earlier = [Earlier {
        step: "fetch",
        tool: &fetch,
    }];
    let situation = Situation {
        earlier: &earlier,
        ..Situation::alone(&read)
    };
    let said = |tool: &ToolSpec| bind(tool, &situation).iter().map(told).collect::<Vec<_>>();
    assert_eq!(
        said(&check_pages),
        ["pages = fetch.pages: the pages that step fetch found"]
    );
    assert_eq!(
        said(&text),
        ["html = fetch.pages[].html: the html of each of the pages that step fetch found"]
    );
}

#[test]
fn a_text_is_the_content_of_a_file_and_not_its_path() {
    let text = json!({"type": "string"});
    let reader = tool(
        "builtin/file-read",
        Value::Null,
        json!({"type": "object", "properties": {
        "path": text, "content": text, "encoding": text}}),
    );
    let summarise = tool(
        "builtin/text-summarise",
        input(&["text"], json!({"text": text})),
        Value::Null,
    );
    let read = frame("read notes.txt and summarise it");
    let earlier = [Earlier {
        step: "read",
        tool: &reader,
    }];
    let situation = Situation {
        earlier: &earlier,
        ..Situation::alone(&read)
    };
    let said: Vec<String> = bind(&summarise, &situation).iter().map(told).collect();
    assert_eq!(
        said,
        ["text = read.content: the content that step read found"]
    );
}

#[test]
fn of_what_excludes_each_other_one_is_given() {
    let text = json!({"type": "string"});
    let host = json!({"type": "string", "description": "A host name; not together with `url`"});
    check(
        "check https://example.org",
        input(
            &[],
            json!({"url": text, "host": host, "pattern": {"type": "string", "pattern": "^[0-9]+$"}}),
        ),
        &[r#"url = "https://example.org": the address in the request"#],
    );
}

#[test]
fn what_is_written_does_not_go_over_the_file_of_another_step() {
    let text = json!({"type": "string"});
    let draw = tool(
        "builtin/chart-draw",
        Value::Null,
        json!({"type": "object", "properties": {"path": text}}),
    );
    let write = tool(
        "builtin/report-write",
        input(&["path"], json!({"path": text})),
        Value::Null,
    );
    let read = frame("make a report");
    let earlier = [Earlier {
        step: "draw",
        tool: &draw,
    }];
    let situation = Situation {
        earlier: &earlier,
        ..Situation::alone(&read)
    };
    let said: Vec<String> = bind(&write, &situation).iter().map(told).collect();
    assert_eq!(said, ["path = input: the request does not say it"]);
}

#[test]
fn past_runs_give_what_requests_leave_out() {
    let mut past = PastArguments::default();
    for city in ["Rome", "Graz", "Linz", "Oslo"] {
        past.remember(&crate::recall::PastRun {
            request: format!("weather in {city}"),
            tools: vec!["t/weather".to_owned()],
            arguments: vec![
                json!({"city": city, "units": "metric"})
                    .as_object()
                    .unwrap()
                    .clone(),
            ],
            ..crate::recall::PastRun::default()
        });
    }
    let text = json!({"type": "string"});
    let weather = tool(
        "t/weather",
        input(&["city"], json!({"city": text, "units": text})),
        Value::Null,
    );
    let read = frame("weather in Paris");
    let situation = Situation {
        past: Some(&past),
        ..Situation::alone(&read)
    };
    let said: Vec<String> = bind(&weather, &situation).iter().map(told).collect();
    assert_eq!(
        said,
        [
            r#"city = "Paris": “Paris” in the request"#,
            r#"units = "metric": the same as in past runs"#,
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_is_said_what_is_bound_satisfies_its_schema(
        request in "([a-zA-Z]{1,8}|[0-9]{1,5}|https://a.org/x|'[a-z ]{1,9}'|from|to|at most|[.,]| ){0,40}"
    ) {
        let schema = input(&["url", "count", "from", "kind", "tags", "range"], json!({
            "url": {"type": "string", "format": "uri"},
            "count": {"type": "integer", "minimum": 3, "maximum": 40},
            "from": {"type": ["string", "null"], "maxLength": 5},
            "kind": {"enum": ["from", "to"]},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 2},
            "range": input(&["low"], json!({"low": {"type": "number", "exclusiveMinimum": 9}})),
            "code": {"type": "string", "pattern": "^[A-Z]+$"},
            "any": {},
        }));
        let read = frame(&request);
        let used = tool("t/use", schema.clone(), Value::Null);
        let bindings = bind(&used, &Situation::alone(&read));
        for name in ["url", "count", "from", "kind", "tags", "range"] {
            prop_assert!(bindings.iter().any(|binding| binding.parameter == name));
        }
        for binding in bindings {
            let (Source::Request { value, .. } | Source::Words { value, .. } | Source::Schema { value }) =
                &binding.source
            else {
                continue;
            };
            let shape = Shape::of(&schema).field(&binding.parameter).unwrap();
            let parameter = Parameter::new(&binding.parameter, shape, false);
            prop_assert!(parameter.admits(value), "{} = {value}", binding.parameter);
            prop_assert!((0.0..=1.0).contains(&binding.confidence));
        }
    }
}
