//! How does a plan become text again? JSON or YAML in the order of the language
//! reference; reading the text gives the same draft back.

use serde_json::{Map, Value};

use crate::draft::Draft;
use crate::hidden;

/// The plan as indented JSON, with a line break at the end.
pub fn json(draft: &Draft) -> String {
    let mut text = hidden::escaped(&format!("{:#}", value_of(draft)));
    text.push('\n');
    text
}

/// The plan as YAML in block style.
pub fn yaml(draft: &Draft) -> String {
    let mut text = String::new();
    match value_of(draft) {
        Value::Object(fields) => write_fields(&mut text, &fields, 0),
        other => write_inline(&mut text, &other),
    }
    text
}

fn value_of(draft: &Draft) -> Value {
    // Every field of a draft has a JSON form, so there is nothing to report.
    let mut value = serde_json::to_value(draft).unwrap_or(Value::Null);
    if let Some(steps) = value.get_mut("steps") {
        order_steps(steps);
    }
    value
}

/// What a reader of a step looks for first.
const FIRST: [&str; 11] = [
    "id",
    "type",
    "tool",
    "function",
    "plan",
    "condition",
    "over",
    "as",
    "concurrency",
    "purpose",
    "depends_on",
];

fn order_steps(steps: &mut Value) {
    let steps = match steps {
        Value::Array(steps) => steps.as_mut_slice(),
        one => std::slice::from_mut(one),
    };
    for step in steps.iter_mut().filter_map(Value::as_object_mut) {
        let mut left = std::mem::take(step);
        for name in FIRST {
            if let Some(value) = left.shift_remove(name) {
                step.insert(name.to_owned(), value);
            }
        }
        step.extend(left);
        for inner in ["step", "reducer", "steps", "then", "otherwise"] {
            step.get_mut(inner).map(order_steps).unwrap_or_default();
        }
    }
}

fn write_fields(text: &mut String, fields: &Map<String, Value>, depth: usize) {
    for (name, value) in fields {
        indent(text, depth);
        text.push_str(&scalar(name));
        text.push(':');
        write_after_mark(text, value, depth + 1);
    }
}

fn write_items(text: &mut String, items: &[Value], depth: usize) {
    for item in items {
        indent(text, depth);
        text.push('-');
        match item {
            Value::Object(fields) if !fields.is_empty() => {
                write_first_beside_dash(text, fields, depth + 1);
            }
            other => write_after_mark(text, other, depth + 1),
        }
    }
}

/// The first field stands on the line of the dash, the others below it.
fn write_first_beside_dash(text: &mut String, fields: &Map<String, Value>, depth: usize) {
    let mut block = String::new();
    write_fields(&mut block, fields, depth);
    text.push(' ');
    text.push_str(block.trim_start_matches(' '));
}

fn write_after_mark(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            text.push('\n');
            write_fields(text, fields, depth);
        }
        Value::Array(items) if !items.is_empty() => {
            text.push('\n');
            write_items(text, items, depth);
        }
        Value::String(lines) if suits_a_block(lines) => write_block(text, lines, depth),
        other => {
            text.push(' ');
            write_inline(text, other);
            text.push('\n');
        }
    }
}

fn write_inline(text: &mut String, value: &Value) {
    match value {
        Value::String(content) => text.push_str(&scalar(content)),
        other => text.push_str(&other.to_string()),
    }
}

fn write_block(text: &mut String, lines: &str, depth: usize) {
    text.push_str(if lines.ends_with('\n') {
        " |\n"
    } else {
        " |-\n"
    });
    for line in lines.lines() {
        if !line.is_empty() {
            indent(text, depth);
            text.push_str(line);
        }
        text.push('\n');
    }
}

/// Several lines that keep their exact content without any escape.
fn suits_a_block(text: &str) -> bool {
    let first_is_plain = text
        .lines()
        .next()
        .is_some_and(|line| !line.is_empty() && !line.starts_with([' ', '\t']));
    text.trim_end_matches('\n').contains('\n')
        && first_is_plain
        && !text.ends_with("\n\n")
        && text.chars().all(|c| c == '\n' || !needs_escape(c))
        && text.lines().all(|line| !line.ends_with([' ', '\t']))
}

fn indent(text: &mut String, depth: usize) {
    text.extend(std::iter::repeat_n("  ", depth));
}

/// A text on one line: bare where no reader could take it for anything else.
fn scalar(text: &str) -> String {
    if is_plain(text) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// Words that some reader of YAML takes for something other than a text.
const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

fn is_plain(text: &str) -> bool {
    let starts_well = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '/');
    let inside = |c: char| {
        c.is_alphanumeric()
            || matches!(c, '_' | '-' | '/' | '.' | ' ' | ',' | '(' | ')' | '+' | '=')
    };
    starts_well
        && text.chars().all(inside)
        && !text.ends_with(' ')
        && !WORDS.contains(&text.to_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if needs_escape(c) => quoted.push_str(&by_number(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The escape of YAML for a character.
fn by_number(c: char) -> String {
    match c as u32 {
        code @ ..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// Characters that are not seen, or that readers of YAML treat as breaks. A joiner is written by
/// number everywhere: whoever edits the plan should see it.
fn needs_escape(c: char) -> bool {
    hidden::is_hidden(c) || c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::read::read_text;
    use proptest::prelude::*;

    fn draft_with(input: Value) -> Draft {
        let step = serde_json::json!({"id": "a", "tool": "t", "input": input});
        let draft = serde_json::json!({"version": "1.0", "steps": [step]});
        serde_json::from_value(draft).unwrap()
    }

    fn input_after(text: &str) -> Value {
        let draft = read_text(text, &Limits::default()).unwrap().draft;
        draft.steps[0].input.clone().unwrap_or(Value::Null)
    }

    #[test]
    fn yaml_is_written_as_a_person_would() {
        let input = serde_json::json!({"url": "https://example.com/?a=1", "count": 3, "list": ["x", {"z": "1.0"}],
            "none": {}, "text": "first\n\n  second\n"});
        insta::assert_snapshot!(yaml(&draft_with(input)), @r#"
        version: "1.0"
        execution: dag
        steps:
          - id: a
            tool: t
            input:
              url: "https://example.com/?a=1"
              count: 3
              list:
                - x
                - z: "1.0"
              none: {}
              text: |
                first

                  second
        "#);
    }

    fn values() -> impl Strategy<Value = Value> {
        let text = prop_oneof![
            "[ -~\n\t]{0,12}",
            "\\PC{0,6}",
            "[a-z0-9.:# \n]{0,8}",
            any::<String>()
        ];
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1000..1000).prop_map(|n| Value::from(f64::from(n) / 8.0)),
            text.prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("\\PC{0,5}", inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(input in values()) {
            let draft = draft_with(input.clone());
            prop_assert_eq!(input_after(&yaml(&draft)), input.clone(), "{}", yaml(&draft));
            prop_assert_eq!(input_after(&json(&draft)), input, "{}", json(&draft));
        }
    }
}
