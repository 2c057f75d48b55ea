//! How is data said in a few words? Shortened to one line, so that a plan with a
//! page of text in an input still reads as a list of steps.

use serde_json::Value;

/// Letters of a value that are shown.
const SHOWN: usize = 72;

/// Letters of a sentence that are shown; people write them to be read.
const SENTENCE: usize = 240;

/// A text on one line, shortened.
pub(super) fn line(text: &str) -> String {
    shortened(text, SHOWN)
}

/// A purpose or objective on one line.
pub(super) fn sentence(text: &str) -> String {
    shortened(text, SENTENCE)
}

fn shortened(text: &str, shown: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= shown {
        return flat;
    }
    let start: String = flat.chars().take(shown - 1).collect();
    format!("{}…", start.trim_end())
}

/// A value on one line, shortened; a text with its quotes.
pub(super) fn value(value: &Value) -> String {
    line(&value.to_string().replace("\\n", " "))
}

/// The fields of an input, one line each.
pub(super) fn fields(input: &Value) -> Vec<String> {
    match input {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| format!("{}: {}", line(name), value(field)))
            .collect(),
        other => vec![value(other)],
    }
}

/// The fields a JSON Schema describes, each with its type.
pub(super) fn fields_of_schema(schema: &Value) -> Vec<String> {
    let full = crate::tool::full_schema(schema.clone());
    let properties = full.get("properties").and_then(Value::as_object);
    let described =
        |(name, property): (&String, &Value)| match property.get("type").and_then(Value::as_str) {
            Some(kind) => format!("{} ({})", line(name), line(kind)),
            None => line(name),
        };
    properties
        .map(|fields| fields.iter().map(described).collect())
        .unwrap_or_default()
}
