//! The one way these tests look at rules: a plan goes in, the displayed problems come out.

use std::collections::BTreeMap;

use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::problem::Problems;
use holloway_plan::read::read_text;
use holloway_plan::tool::{ToolId, ToolSpec, ToolTable};
use holloway_plan::validate::{PlanLibrary, Surroundings, validate};
use serde_json::json;

/// The tools that plans in these tests may name.
pub(crate) fn tools() -> ToolTable {
    let url = json!({
        "type": "object",
        "required": ["url"],
        "additionalProperties": false,
        "properties": {
            "url": {"type": "string", "minLength": 3},
            "depth": {"type": "integer", "minimum": 0},
            "headers": {"type": "object", "required": ["accept"], "properties": {
                "accept": {"type": "string"}, "retries": {"type": "integer"}
            }},
            "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}}
        },
        "$defs": {"tag": {"enum": ["a", "b"]}}
    });
    let page = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {"title": {"type": "string"}, "content": {"type": "string"}}
    });
    let mirror =
        json!({"type": "object", "required": ["url", "mirror"], "properties": {"url": {}}});
    let plain = [
        "sentiment_analysis",
        "fetch_weather",
        "fetch_news",
        "summarize",
        "fetch_page_content",
        "summarize_text",
        "create_report",
        "send_notification",
        "escalate",
    ];
    let mut table = ToolTable::new(plain.map(|name| ToolSpec::named(format!("builtin/{name}"))));
    table.insert(
        ToolSpec::named("web/fetch")
            .with_input(url.clone())
            .with_output(page),
    );
    table.insert(ToolSpec::named("web/crawl").with_input(url));
    table.insert(ToolSpec::named("web/mirror").with_input(mirror));
    table.insert(ToolSpec::named("other/alike"));
    table.insert(ToolSpec::named("third/alike"));
    table.withhold(
        ToolId::new("mcp.notes/add_note"),
        "it is not what was accepted",
    );
    table
}

/// Saved plans: one sound, one broken, two that contain each other.
pub(crate) struct Saved(BTreeMap<&'static str, Draft>);

impl Saved {
    pub(crate) fn new() -> Self {
        let texts = [
            (
                "good",
                "{version: '1.0', input: {type: object, required: [city], properties: {city: {type: string}}, additionalProperties: false}, steps: [{id: a, tool: alike2, input: {}}]}",
            ),
            (
                "broken",
                "{version: '1.0', steps: [{id: a, tool: nothing}]}",
            ),
            (
                "ping",
                "{version: '1.0', steps: [{id: a, type: plan, plan: pong}]}",
            ),
            (
                "pong",
                "{version: '1.0', steps: [{id: a, type: plan, plan: ping}]}",
            ),
        ];
        let read = |text: &str| {
            read_text(&text.replace("alike2", "other/alike"), &Limits::default())
                .unwrap()
                .draft
        };
        Self(
            texts
                .into_iter()
                .map(|(name, text)| (name, read(text)))
                .collect(),
        )
    }
}

impl PlanLibrary for Saved {
    fn find(&self, name: &str) -> Option<Draft> {
        self.0.get(name).cloned()
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().map(ToString::to_string).collect()
    }
}

/// All that is wrong with a plan, one line for each problem and one for its hint.
pub(crate) fn found(text: &str) -> String {
    let limits = Limits::default();
    let (tools, plans) = (tools(), Saved::new());
    let around = Surroundings {
        tools: &tools,
        plans: &plans,
        context: &[],
        limits: &limits,
    };
    let problems = match read_text(text, &limits) {
        Err(problems) => problems,
        Ok(document) => match validate(&document.draft, &around) {
            Err(problems) => document.locate(problems),
            Ok(_) => Problems::default(),
        },
    };
    let lines = problems.iter().map(|problem| {
        let at = problem
            .position
            .map(|at| at.to_string())
            .unwrap_or_default();
        let hint = problem
            .hint
            .as_ref()
            .map(|hint| format!("\n  hint: {hint}"))
            .unwrap_or_default();
        format!("{at} {problem}{hint}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Checks a plan given by its steps alone.
#[track_caller]
pub(crate) fn check(steps: &str, expected: &str) {
    check_plan(&format!("version: '1.0'\nsteps:\n{steps}"), expected);
}

#[track_caller]
pub(crate) fn check_plan(text: &str, expected: &str) {
    assert_eq!(found(text), expected.trim(), "\n{text}");
}
