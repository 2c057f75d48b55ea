use holloway_plan::tool::ToolSpec;
use serde_json::{Value, json};

use super::*;
use crate::request::named;

/// What is stated for the parameters of a tool, as one object.
#[track_caller]
fn check(request: &str, tool: &str, parameters: Value, expected: Value) {
    let required: Vec<&String> = parameters.as_object().unwrap().keys().collect();
    let schema = json!({"properties": parameters, "required": required});
    let tool = ToolSpec::named(format!("a/{tool}")).with_input(schema);
    let analysis = Analysis {
        request: request.to_owned(),
        entities: named(request),
        ..Analysis::default()
    };
    let parameters = Parameter::of_tool(&tool);
    let mut found = serde_json::Map::new();
    for own in stated(tool.id.as_str(), &parameters, &analysis, None) {
        found.insert(parameters[own.parameter].name.to_owned(), own.value);
    }
    assert_eq!(Value::Object(found), expected, "{request}");
}
