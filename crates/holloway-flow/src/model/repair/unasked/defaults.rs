//! What do steps take from the plan's own input? The defaults that the plan declares, put in where
//! steps read them: what a step is judged by is then what it would be called with.

use holloway_plan::draft::Draft;
use holloway_plan::step::Step;
use serde_json::{Map, Value};

const INPUT: &str = "input.";

/// The defaults of a plan's input. Copied, since steps are changed while they are judged.
#[derive(Debug, Default)]
pub(in crate::model) struct Defaults(Map<String, Value>);

impl Defaults {
    pub(in crate::model) fn of(draft: &Draft) -> Self {
        let declared = draft.input.as_ref();
        let fields = declared.and_then(|input| input.get("properties")?.as_object());
        let defaults = fields.into_iter().flatten().filter_map(|(name, field)| {
            let default = field.get("default")?;
            Some((name.clone(), default.clone()))
        });
        Self(defaults.collect())
    }

    /// The step with the defaults in its arguments.
    pub(super) fn put_in(&self, step: &Step) -> Step {
        Step {
            input: step.input.as_ref().map(|input| self.filled(input)),
            ..step.clone()
        }
    }

    pub(in crate::model) fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.filled_text(text),
            Value::Array(items) => items.iter().map(|item| self.filled(item)).collect(),
            Value::Object(fields) => {
                let fields = fields.iter();
                let filled = fields.map(|(name, field)| (name.clone(), self.filled(field)));
                filled.collect::<Map<_, _>>().into()
            }
            other => other.clone(),
        }
    }

    /// A text that is one reference becomes the default itself; other references stay as they are.
    fn filled_text(&self, text: &str) -> Value {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, open)) = rest.split_once("{{") {
            let Some((inner, after)) = open.split_once("}}") else {
                break;
            };
            filled.push_str(before);
            let default = inner.trim().strip_prefix(INPUT);
            match default.and_then(|name| self.0.get(name)) {
                Some(whole) if filled.is_empty() && after.is_empty() => return whole.clone(),
                Some(Value::String(part)) => filled.push_str(part),
                Some(part) => filled.push_str(&part.to_string()),
                None => {
                    filled.push_str("{{");
                    filled.push_str(inner);
                    filled.push_str("}}");
                }
            }
            rest = after;
        }
        filled.push_str(rest);
        Value::String(filled)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Value) {
        let defaults = json!({"folder": "out", "pages": 3, "sites": ["a", "b"]});
        let defaults = Defaults(defaults.as_object().unwrap().clone());
        assert_eq!(defaults.filled(&json!(text)), expected, "{text}");
    }

    #[test]
    fn defaults_stand_where_steps_read_them() {
        check("{{ input.folder }}/x.html", json!("out/x.html"));
        check("{{input.pages}}", json!(3));
        check("{{ input.sites }}", json!(["a", "b"]));
        check("{{input.pages}} of {{input.folder}}", json!("3 of out"));
        check("plain", json!("plain"));
    }

    #[test]
    fn everything_else_stays_unknown() {
        for text in [
            "{{ input.other }}",
            "{{ page.input.folder }}",
            "{{ input.folder | upper }}",
            "{{ input.folder",
            "{% if input.folder %}x{% endif %}",
        ] {
            check(text, json!(text));
        }
        check("{{ input.folder }}{{ x }}", json!("out{{ x }}"));
    }
}
