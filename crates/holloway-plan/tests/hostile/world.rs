//! The world a hostile plan meets: a few tools, a few saved plans, the usual limits.

use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::problem::Problems;
use holloway_plan::read::read_text;
use holloway_plan::tool::{ToolSpec, ToolTable};
use holloway_plan::validate::{PlanLibrary, Surroundings, validate};
use serde_json::json;

fn tools() -> ToolTable {
    let strict = json!({
        "type": "object",
        "required": ["url"],
        "additionalProperties": false,
        "properties": {"url": {"type": "string", "pattern": "^https?://"}, "depth": {"type": "integer", "maximum": 5}}
    });
    let endless = json!({"$ref": "#"});
    ToolTable::new([
        ToolSpec::named("t/work"),
        ToolSpec::named("t/strict").with_input(strict),
        ToolSpec::named("t/endless").with_input(endless),
        ToolSpec::named("a/same"),
        ToolSpec::named("b/same"),
    ])
}

/// Saved plans that contain each other, unfold without end, or are broken.
struct Saved;

impl PlanLibrary for Saved {
    fn find(&self, name: &str) -> Option<Draft> {
        let step = |plan: &str, n: usize| {
            let steps: Vec<String> = (0..n)
                .map(|i| format!("{{id: s{i}, type: plan, plan: {plan}}}"))
                .collect();
            format!("{{version: '1.0', steps: [{}]}}", steps.join(", "))
        };
        let text = match name {
            "self" => step("self", 1),
            "ping" => step("pong", 1),
            "pong" => step("ping", 1),
            "wide0" => "{version: '1.0', steps: [{id: a, tool: work}]}".to_owned(),
            "broken" => "{version: '1.0', steps: [{id: a, tool: nothing}]}".to_owned(),
            name if name.starts_with("wide") => {
                let level: usize = name.trim_start_matches("wide").parse().ok()?;
                step(&format!("wide{}", level - 1), 100)
            }
            name if name.starts_with("deep") => {
                let level: usize = name.trim_start_matches("deep").parse().ok()?;
                step(&format!("deep{}", level + 1), 1)
            }
            _ => return None,
        };
        Some(read_text(&text, &Limits::default()).ok()?.draft)
    }

    fn names(&self) -> Vec<String> {
        ["self", "ping", "pong", "broken"]
            .map(str::to_owned)
            .to_vec()
    }
}

/// What is said against a plan; nothing if it is accepted.
pub(crate) fn refusal(text: &str) -> Option<Problems> {
    let (tools, limits) = (tools(), Limits::default());
    let around = Surroundings {
        tools: &tools,
        plans: &Saved,
        context: &[],
        limits: &limits,
    };
    match read_text(text, &limits) {
        Err(problems) => Some(problems),
        Ok(document) => validate(&document.draft, &around)
            .err()
            .map(|problems| document.locate(problems)),
    }
}

/// A sound plan: each step reads two before it, and waits for a third.
#[allow(dead_code)] // the tests look at hostile plans only
pub(crate) fn sound(steps: usize) -> String {
    let step = |i: usize| match i {
        0 => r#"{"id": "s0", "tool": "work"}"#.to_owned(),
        _ => format!(
            r#"{{"id": "s{i}", "tool": "work", "depends_on": ["s{}"], "when": "s{}.n > 1", "input": {{"x": "{{{{s{}.y}}}}"}}}}"#,
            i - 1,
            i / 2,
            i / 3
        ),
    };
    let all: Vec<String> = (0..steps).map(step).collect();
    format!(r#"{{"version": "1.0", "steps": [{}]}}"#, all.join(", "))
}
