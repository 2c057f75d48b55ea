//! `holloway tools show`: what does a tool do, take and give, and may it be trusted?

use clap::Args;
use holloway_flow::catalog::CatalogTool;
use holloway_plan::schema_validator::foreign;
use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::Does;
use serde_json::{Value, json};

use super::Samples;
use super::health::word;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, indented, one_line, units, visible};
use crate::session::Session;

/// The most of a title that is shown.
const TITLE: usize = 200;

/// Show one tool with its schemas
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Its id, or its name if only one tool has it
    tool: String,
    #[command(flatten)]
    samples: Samples,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&arguments.samples.reach())?;
    let tool = workbench.tool(&arguments.tool)?;
    let known = workbench.catalogued(&tool);
    if session.json {
        print::object(&data(&tool, known))?;
    } else {
        print::result(&text(&tool, known, Paint::stdout()))?;
    }
    Ok(Exit::Done)
}

fn data(tool: &ToolSpec, known: Option<&CatalogTool>) -> Value {
    let mut data = json!({"tool": tool, "pin": tool.pin()});
    if let (Some(known), Some(fields)) = (known, data.as_object_mut()) {
        fields.insert("packageName".to_owned(), json!(tool.id.source()));
        fields.insert("exportName".to_owned(), json!(tool.id.name()));
        fields.insert("qualityScore".to_owned(), json!(known.quality));
        fields.insert("healthStatus".to_owned(), json!(known.health.status));
        fields.insert("health".to_owned(), json!(known.health));
        fields.insert("effectReason".to_owned(), json!(known.effect_reason));
        fields.insert("definition".to_owned(), known.definition.clone());
    }
    data
}

fn text(tool: &ToolSpec, known: Option<&CatalogTool>, paint: Paint) -> String {
    let schema = |name: &str, schema: &Value| match schema {
        Value::Null => format!("{}: not declared", paint.dim(name)),
        schema => format!("{}:\n{}", paint.dim(name), visible(&print::pretty(schema))),
    };
    let mut parts = vec![
        format!(
            "{}  {}",
            paint.bold(tool.id.as_str()),
            one_line(&tool.title, TITLE)
        ),
        indented(&tool.description),
        facts(tool, known).join(" · "),
        lines("does", &tool.does, paint),
        lines("does (inferred)", &tool.inferred, paint),
        schema("input", &tool.input_schema),
        schema("output", &tool.output_schema),
        unchecked(tool).join("\n"),
    ];
    parts.extend(example(tool, paint));
    parts.retain(|part| !part.is_empty());
    if let Some(known) = known {
        parts.push(trust(tool, known, paint));
    }
    parts.join("\n\n")
}

/// What neither `check` nor a run checks of the schemas.
fn unchecked(tool: &ToolSpec) -> Vec<String> {
    let notes = [
        ("input", &tool.input_schema),
        ("output", &tool.output_schema),
    ];
    let notes = notes.into_iter().flat_map(|(name, schema)| {
        let unchecked = foreign(schema).unchecked.into_iter();
        unchecked.map(move |note| visible(&format!("{name}: {note}")))
    });
    notes.collect()
}

/// A call that works, ready to be copied.
fn example(tool: &ToolSpec, paint: Paint) -> Option<String> {
    let example = tool.input_schema.get("examples")?.get(0)?;
    let arguments = visible(&example.to_string()).replace('\'', "'\\''");
    let command = format!(
        "echo '{arguments}' | holloway tools call {} --input-file -",
        tool.id
    );
    Some(format!("{}:\n{command}", paint.dim("example")))
}

/// What it does, as planning knows it.
fn lines(title: &str, does: &[Does], paint: Paint) -> String {
    if does.is_empty() {
        return String::new();
    }
    let lines = does
        .iter()
        .map(|does| format!("  {}", visible(&does.to_string())));
    let lines: Vec<String> = lines.collect();
    format!("{}:\n{}", paint.dim(title), lines.join("\n"))
}

fn facts(tool: &ToolSpec, known: Option<&CatalogTool>) -> Vec<String> {
    let mut facts = vec![format!("effect {}", tool.effect)];
    let measured = known.and_then(|known| known.health.latency_ms);
    if let Some(latency) = measured.or(tool.latency_ms) {
        facts.push(format!("about {}", units::duration(latency)));
    }
    if let Some(price) = tool.price.filter(|price| *price > 0.0) {
        facts.push(units::money(price));
    }
    if let Some(known) = known {
        facts.push(format!("health {}", word(&known.health)));
        facts.push(format!("quality {:.2}", known.quality));
    }
    facts
}

/// Why it has its effect class, how it has done, what it is pinned to.
fn trust(tool: &ToolSpec, known: &CatalogTool, paint: Paint) -> String {
    let health = &known.health;
    let mut lines = vec![format!(
        "{} {}: {}",
        paint.dim("effect"),
        tool.effect,
        indented(&known.effect_reason)
    )];
    if health.worked + health.broke > 0 {
        lines.push(format!(
            "{} worked {} of {} times",
            paint.dim("health"),
            health.worked,
            health.worked + health.broke
        ));
    }
    if !health.reason.is_empty() {
        lines.push(format!(
            "{} {}",
            paint.dim("last trouble"),
            indented(&health.reason)
        ));
    }
    lines.push(format!("{} {}", paint.dim("pin"), tool.pin()));
    lines.join("\n")
}
