//! Which names do models give to fields of the plan language, and which of their own do they
//! add? Other names for ours are ours; the rest goes, unless it may be a slip.

use holloway_plan::problem::did_you_mean;
use serde_json::{Map, Value};

use super::short;

/// Other names, and ours.
const NAMES: [(&str, &str); 23] = [
    ("desc", "purpose"),
    ("description", "purpose"),
    ("action", "purpose"),
    ("step_id", "id"),
    ("tool_name", "tool"),
    ("tool_id", "tool"),
    ("arguments", "input"),
    ("args", "input"),
    ("params", "input"),
    ("parameters", "input"),
    ("inputs", "input"),
    ("depends", "depends_on"),
    ("dependencies", "depends_on"),
    ("on_failure", "on_error"),
    ("foreach", "over"),
    ("items", "over"),
    ("item", "as"),
    ("var", "as"),
    ("variable", "as"),
    ("if", "condition"),
    ("else", "otherwise"),
    ("output_name", "output"),
    ("save_as", "output"),
];

pub(super) const PLAN_FIELDS: [&str; 10] = [
    "version",
    "id",
    "objective",
    "execution",
    "mode",
    "input",
    "answer",
    "budget",
    "does",
    "steps",
];

pub(super) const STEP_FIELDS: [&str; 34] = [
    "id",
    "type",
    "purpose",
    "depends_on",
    "when",
    "input",
    "output",
    "retry",
    "timeout_ms",
    "fallbacks",
    "expect",
    "on_error",
    "approval",
    "cache",
    "tool",
    "over",
    "as",
    "concurrency",
    "max_items",
    "step",
    "steps",
    "reducer",
    "initial",
    "accumulate",
    "condition",
    "then",
    "otherwise",
    "function",
    "plan",
    "show",
    "ask",
    "next",
    "max_visits",
    "tools",
];

/// `dependsOn` is `depends_on`; then other names for the same.
pub(super) fn rename_fields(fields: &mut Map<String, Value>) {
    let mut ours = Map::new();
    let mut later = Vec::new();
    for (name, value) in std::mem::take(fields) {
        let snake = snake(&name);
        match NAMES.iter().find(|(other, _)| *other == snake) {
            Some((_, name)) => later.push((*name, value)),
            None => {
                ours.entry(snake).or_insert(value);
            }
        }
    }
    // Our own name wins over another for the same.
    for (name, value) in later {
        ours.entry(name).or_insert(value);
    }
    *fields = ours;
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before = '_';
    for c in name.chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            snake.push('_');
        }
        snake.push(if c == '-' || c == ' ' {
            '_'
        } else {
            c.to_ascii_lowercase()
        });
        before = c;
    }
    snake
}

/// What is no field of ours goes, unless it looks like a slip of one: then it may matter.
pub(super) fn drop_unknown(
    fields: &mut Map<String, Value>,
    known: &[&str],
    owner: &str,
    notes: &mut Vec<String>,
) {
    let unknown = fields.keys().filter(|name| !known.contains(&name.as_str()));
    let strange: Vec<String> = unknown
        .filter(|name| did_you_mean(name, known.iter().copied()).is_none())
        .cloned()
        .collect();
    for name in strange {
        fields.shift_remove(&name);
        notes.push(format!(
            "`{}` of {owner} is no field of the plan language, left out",
            short(&name)
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_known_here_are_those_of_the_language() {
        let schema = holloway_plan::schema::plan_schema();
        let names = |schema: &Value| -> Vec<String> {
            schema["properties"]
                .as_object()
                .unwrap()
                .keys()
                .cloned()
                .collect()
        };
        let mut plan = names(&schema);
        plan.retain(|name| name != "$schema");
        plan.sort();
        let mut ours = PLAN_FIELDS.map(str::to_owned);
        ours.sort();
        assert_eq!(plan, ours);
        // Guided sections are for people: a model gets its tools step by step.
        let guided = ["goal", "until", "max_calls"];
        let step = names(&schema["$defs"]["Step"]);
        let missing: Vec<_> = step
            .iter()
            .filter(|name| !STEP_FIELDS.contains(&name.as_str()))
            .collect();
        assert!(
            missing.iter().all(|name| guided.contains(&name.as_str())
                || ["dependsOn", "timeoutMs", "else"].contains(&name.as_str())),
            "{missing:?}"
        );
    }

    #[test]
    fn names_in_other_spellings() {
        for (name, expected) in [
            ("dependsOn", "depends_on"),
            ("timeoutMs", "timeout_ms"),
            ("on-error", "on_error"),
            ("URL", "url"),
        ] {
            assert_eq!(snake(name), expected);
        }
    }
}
