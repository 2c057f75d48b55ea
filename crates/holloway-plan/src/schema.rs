//! What may a plan document look like, for editors and other programs? A JSON
//! Schema made from the types that read plans, plus what each step type needs.

use serde_json::{Map, Value, json};

use crate::draft::Draft;
use crate::step::StepType;

/// Names the schema, wherever it is served from.
pub const SCHEMA_ID: &str = "urn:holloway:schema:plan:1.0";

/// The JSON Schema of the plan language.
pub fn plan_schema() -> Value {
    let mut schema = schemars::schema_for!(Draft).to_value();
    tidy(&mut schema);
    if let Some(step) = schema.pointer_mut("/$defs/Step") {
        complete_step(step);
    }
    set(&mut schema, "/properties/version/enum", json!(["1.0", 1.0]));
    set(&mut schema, "/properties/steps/minItems", json!(1));
    set(
        &mut schema,
        "/properties/steps/description",
        json!("What is done."),
    );
    let mut named = Map::new();
    for (name, value) in [
        (
            "$schema",
            json!("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("$id", json!(SCHEMA_ID)),
        ("title", json!("Holloway plan")),
        (
            "description",
            json!("A plan: steps that call tools, and the order they run in."),
        ),
        ("required", json!(["version", "steps"])),
    ] {
        named.insert(name.to_owned(), value);
    }
    let derived = schema.as_object().into_iter().flatten();
    for (name, value) in derived {
        named.entry(name).or_insert_with(|| value.clone());
    }
    Value::Object(named)
}

/// Leaves out what the derive adds without telling an editor anything.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let says_nothing = |value: &Value| match value {
                Value::Null => true,
                Value::Array(items) => items.is_empty(),
                Value::Object(fields) => fields.is_empty(),
                Value::String(text) => text.is_empty(),
                _ => false,
            };
            if fields.get("default").is_some_and(says_nothing) {
                fields.remove("default");
            }
            fields.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Puts `value` at a pointer whose parent exists.
fn set(schema: &mut Value, pointer: &str, value: Value) {
    let Some((parent, name)) = pointer.rsplit_once('/') else {
        return;
    };
    if let Some(fields) = schema.pointer_mut(parent).and_then(Value::as_object_mut) {
        // The version is a text or a number, so its list of values replaces its type.
        if name == "enum" {
            fields.remove("type");
        }
        fields.insert(name.to_owned(), value);
    }
}

/// Spellings that are read as well, as (also, proper).
const ALSO: [(&str, &str); 3] = [
    ("dependsOn", "depends_on"),
    ("timeoutMs", "timeout_ms"),
    ("else", "otherwise"),
];

fn complete_step(step: &mut Value) {
    let Some(fields) = step.as_object_mut() else {
        return;
    };
    if let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) {
        for (also, proper) in ALSO {
            if let Some(mut property) = properties.get(proper).cloned() {
                if let Some(property) = property.as_object_mut() {
                    property.insert(
                        "description".to_owned(),
                        json!(format!("The same as `{proper}`.")),
                    );
                }
                properties.insert(also.to_owned(), property);
            }
        }
    }
    set_identifier(fields);
    fields.insert("required".to_owned(), json!(["id"]));
    fields.insert(
        "allOf".to_owned(),
        StepType::ALL.iter().map(|kind| needs(*kind)).collect(),
    );
}

fn set_identifier(step: &mut Map<String, Value>) {
    if let Some(id) = step
        .get_mut("properties")
        .and_then(|fields| fields.get_mut("id"))
        .and_then(Value::as_object_mut)
    {
        id.insert(
            "pattern".to_owned(),
            json!("^[A-Za-z_]([A-Za-z0-9_-]*[A-Za-z0-9_])?$"),
        );
        id.insert("maxLength".to_owned(), json!(100));
    }
}

/// If a step is of this type, it has these fields.
fn needs(kind: StepType) -> Value {
    // A step that does not say is a tool step.
    let said: &[&str] = if kind == StepType::Tool {
        &[]
    } else {
        &["type"]
    };
    let condition =
        json!({ "properties": { "type": { "const": kind.as_str() } }, "required": said });
    json!({ "if": condition, "then": needed(kind) })
}

fn needed(kind: StepType) -> Value {
    let filled =
        |field: &str| json!({ "required": [field], "properties": { field: { "minItems": 1 } } });
    match kind {
        StepType::Tool => json!({ "required": ["tool"] }),
        StepType::Loop => {
            json!({ "required": ["over"], "oneOf": [{ "required": ["step"] }, filled("steps")] })
        }
        StepType::Parallel => filled("steps"),
        StepType::Reduce => json!({
            "required": ["input", "reducer"],
            "dependentRequired": { "accumulate": ["initial"], "initial": ["accumulate"] }
        }),
        StepType::Conditional => json!({
            "required": ["condition"],
            "anyOf": [filled("then"), filled("otherwise"), filled("else")]
        }),
        StepType::Final => json!({ "required": ["function"] }),
        StepType::Plan => json!({ "required": ["plan"] }),
        StepType::Approve => {
            json!({ "anyOf": [{ "required": ["ask"] }, { "required": ["show"] }] })
        }
        StepType::Phase => json!({
            "required": ["goal", "tools"],
            "properties": { "tools": { "minItems": 1 } },
            "anyOf": [{ "required": ["until"] }, { "required": ["max_calls"] }]
        }),
    }
}
