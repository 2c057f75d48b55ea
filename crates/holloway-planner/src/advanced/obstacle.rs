//! Why can a tool not do a task? It does not take the arguments, or does not give what is
//! wanted; what is not declared is not held against anybody. How schemas agree is judged in
//! one place for all of planning: [`crate::catalogue::fit`].

use serde_json::{Map, Value};

use crate::catalogue::fit::agreement;
use crate::catalogue::ports::top;
use crate::catalogue::shape::Shape;
use crate::read::tasks::holds_reference;
use crate::text::clip;

/// How deep results are compared.
const DEEP: usize = 3;
/// How much of a value is told.
const TOLD: usize = 40;

/// The schema of an object with its fields, wherever it stands in the document.
pub(super) fn shape(schema: &Value) -> Shape<'_> {
    top(schema).unwrap_or_else(|| Shape::of(schema))
}

/// Why a tool cannot take these arguments; nothing when it can.
pub(super) fn refuses(input: &Value, arguments: &Map<String, Value>) -> Option<String> {
    let input = shape(input);
    let is_closed = input.word("additionalProperties") == Some(&Value::Bool(false));
    for (name, value) in arguments {
        match input.field(name) {
            Some(field) if !holds_reference(value) && !field.admits(value) => {
                let value = clip(&value.to_string(), TOLD);
                return Some(format!("its `{name}` does not take {value}"));
            }
            None if is_closed => return Some(format!("it takes no `{name}`")),
            _ => {}
        }
    }
    None
}

/// Why the result of a tool cannot be what is wanted; nothing when it can.
pub(super) fn falls_short(output: &Value, wanted: &Value) -> Option<String> {
    let (own, wanted) = (shape(output), shape(wanted));
    let declares = own.fields().next().is_some();
    for name in wanted.required() {
        match (own.field(name), wanted.field(name)) {
            (None, _) if declares => return Some(format!("its result has no `{name}`")),
            (Some(has), Some(asked)) if agreement(has, asked, DEEP).is_none() => {
                return Some(format!("`{name}` of its result is of another kind"));
            }
            _ => {}
        }
    }
    let agrees = agreement(own, wanted, DEEP).is_some();
    (!agrees).then(|| "its result is of another kind".to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_refused_by_name_or_kind() {
        let input = json!({"type": "object", "additionalProperties": false, "properties": {
            "url": {"type": "string"}, "limit": {"type": "integer", "maximum": 10},
            "how": {"enum": ["a", "b"]}, "list": {"type": "array", "items": {"type": "integer"}}}});
        let check = |arguments: Value, expected: Option<&str>| {
            let found = refuses(&input, arguments.as_object().unwrap());
            assert_eq!(found.as_deref(), expected);
        };
        check(json!({"url": "u", "limit": 3, "how": "a"}), None);
        check(
            json!({"limit": "{{a.count}}", "list": ["{{a.count}}"]}),
            None,
        );
        check(
            json!({"limit": "three"}),
            Some("its `limit` does not take \"three\""),
        );
        check(json!({"limit": 11}), Some("its `limit` does not take 11"));
        check(json!({"how": "c"}), Some("its `how` does not take \"c\""));
        check(json!({"color": 1}), Some("it takes no `color`"));
        assert_eq!(
            refuses(&json!(null), &Map::from_iter([("x".to_owned(), json!(1))])),
            None
        );
    }

    #[test]
    fn results_must_have_what_is_wanted() {
        let output = json!({"type": "object", "properties": {"rows": {"type": "array"}, "count": {"type": "integer"}}});
        let check = |wanted: Value, expected: Option<&str>| {
            assert_eq!(falls_short(&output, &wanted).as_deref(), expected);
        };
        check(json!({"type": "object", "required": ["rows"]}), None);
        check(
            json!({"required": ["count"], "properties": {"count": {"type": "number"}}}),
            None,
        );
        check(
            json!({"required": ["path"]}),
            Some("its result has no `path`"),
        );
        check(
            json!({"required": ["rows"], "properties": {"rows": {"type": "string"}}}),
            Some("`rows` of its result is of another kind"),
        );
        check(
            json!({"type": "array"}),
            Some("its result is of another kind"),
        );
        assert_eq!(falls_short(&json!(null), &json!({"required": ["x"]})), None);
    }

    #[test]
    fn what_a_schema_refers_to_counts() {
        let output = json!({"$defs": {"page": {"type": "object", "properties": {"html": {"type": "string"}}}},
            "$ref": "#/$defs/page"});
        let found = falls_short(&output, &json!({"required": ["html"]}));
        assert_eq!(found, None);
        let found = falls_short(&output, &json!({"required": ["text"]}));
        assert_eq!(found.as_deref(), Some("its result has no `text`"));
    }
}
