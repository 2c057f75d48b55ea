//! The tools that the examples name, described as far as a plan needs to know.
#![allow(dead_code)] // each test crate uses its own part

use holloway_plan::compile::compile;
use holloway_plan::dag::Dag;
use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::read::read_text;
use holloway_plan::tool::{Effect, ToolSpec, ToolTable};
use holloway_plan::validate::{PlanLibrary, Surroundings, validate};
use serde_json::json;

use super::examples;

pub(crate) fn table() -> ToolTable {
    let tool = |id: &str, effect, latency_ms| {
        let spec = ToolSpec::named(id).with_effect(effect);
        ToolSpec {
            latency_ms: Some(latency_ms),
            ..spec
        }
    };
    let (read, write) = (Effect::Read, Effect::Write);
    let mut table = ToolTable::new([
        tool("builtin/echo", read, 1),
        tool("builtin/http-fetch", read, 400),
        tool("builtin/file-read", read, 5),
        tool("builtin/file-write", Effect::Idempotent, 10),
        tool("builtin/file-append", write, 10),
        tool("builtin/file-delete", Effect::Destructive, 10),
        tool("builtin/csv-parse", read, 5),
        tool("builtin/stats-describe", read, 5),
        tool("builtin/text-stats", read, 5),
        tool("builtin/text-split", read, 5),
        tool("builtin/template-render", read, 5),
        tool("builtin/create-report", read, 20),
        // Waiting is what it is for, so it must neither be dropped nor run beside others.
        tool("builtin/sleep", Effect::Idempotent, 500),
        tool("builtin/json-select", read, 1),
    ]);
    for name in [
        "fetch_page_content",
        "fetch_news",
        "sentiment_analysis",
        "summarize",
        "summarize_text",
        "create_report",
    ] {
        table.insert(ToolSpec::named(format!("seed/{name}")).with_effect(read));
    }
    let units =
        json!({"city": {"type": "string"}, "units": {"type": "string", "default": "celsius"}});
    table.insert(tool("seed/fetch_weather", read, 250).with_input(units));
    table.insert(ToolSpec {
        price: Some(0.02),
        ..tool("seed/send_notification", write, 80)
    });
    table.insert(ToolSpec::named("seed/escalate"));
    table.insert(ToolSpec::named("model/prompt").with_effect(read));
    table
}

/// The examples as saved plans, by the name of their file.
struct Saved;

impl PlanLibrary for Saved {
    fn find(&self, name: &str) -> Option<Draft> {
        let (_, text) = examples::all()
            .into_iter()
            .find(|(known, _)| known == name)?;
        Some(read_text(&text, &Limits::default()).unwrap().draft)
    }

    fn names(&self) -> Vec<String> {
        examples::all().into_iter().map(|(name, _)| name).collect()
    }
}

/// The plan a text describes; panics with all that is wrong with it.
pub(crate) fn plan(text: &str) -> Plan {
    let limits = Limits::default();
    let document = read_text(text, &limits).unwrap_or_else(|problems| panic!("{problems}"));
    let table = table();
    let around = Surroundings {
        tools: &table,
        plans: &Saved,
        context: &[],
        limits: &limits,
    };
    validate(&document.draft, &around)
        .unwrap_or_else(|problems| panic!("{}", document.locate(problems)))
}

pub(crate) fn dag(plan: &Plan) -> Dag {
    compile(plan, &[], &Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}
