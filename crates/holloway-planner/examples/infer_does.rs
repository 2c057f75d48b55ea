//! What do the tools of a catalogue do, by their definitions?
//! `cargo run -p holloway-planner --example infer_does -- FILE.jsonl [COUNT]` prints how many tools
//! get a line, and COUNT of them (all without it), taken evenly by the digests of their ids.

#![allow(clippy::disallowed_methods)] // reads files
#![allow(clippy::print_stdout, clippy::expect_used)]

use holloway_plan::digest;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_planner::frame::acts::Acts;
use holloway_planner::infer::infer;
use serde_json::Value;

/// Where the texts of MCP results stand.
const TEXT: &str = "text";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments
        .next()
        .expect("name a file of tools, one in a line");
    let count = arguments.next().and_then(|count| count.parse().ok());
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    let (mut with_line, mut of_table) = (0, 0);
    let mut lines: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let tool = tool(&serde_json::from_str(line).expect("each line is a tool"));
        let does = infer(&tool, Some(TEXT));
        let is_of_table = does
            .iter()
            .any(|does| Acts::table().act(&does.act).is_some());
        with_line += usize::from(!does.is_empty());
        of_table += usize::from(is_of_table);
        let said: Vec<String> = does.iter().map(ToString::to_string).collect();
        let said = if said.is_empty() {
            "(nothing)".to_owned()
        } else {
            said.join("; ")
        };
        let mark = if is_of_table { "*" } else { " " };
        lines.push((
            digest::of_json(&tool.id),
            format!("{mark} {}: {said}", tool.id),
        ));
    }
    let tools = lines.len();
    lines.sort();
    for (_, line) in lines.iter().take(count.unwrap_or(usize::MAX)) {
        println!("{line}");
    }
    println!("{with_line} of {tools} tools get a line, {of_table} of them an act of the table (*)");
}

/// A tool of a collected catalogue, with what its annotations claim.
fn tool(value: &Value) -> ToolSpec {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    let hint = |name: &str| {
        value
            .get("annotations")
            .and_then(|hints| hints.get(name)?.as_bool())
    };
    let mut tool = ToolSpec::named(format!(
        "mcp.{}/{}",
        text("server").replace('/', "."),
        text("name")
    ));
    text("description").clone_into(&mut tool.description);
    tool.input_schema = value.get("input_schema").cloned().unwrap_or_default();
    tool.output_schema = value.get("output_schema").cloned().unwrap_or_default();
    tool.effect = match (hint("readOnlyHint"), hint("destructiveHint")) {
        (Some(true), _) => Effect::Read,
        (_, Some(true)) => Effect::Destructive,
        _ => Effect::Write,
    };
    tool
}
