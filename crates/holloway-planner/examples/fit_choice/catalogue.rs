//! How are the tools of a public set read? One JSON object per line, with `id`, `name`, `server`,
//! `description`, the two schemas and `annotations` as far as there are any.

use std::path::Path;

use holloway_plan::tool::{Effect, ToolSpec};
use holloway_planner::catalogue::Catalogue;
use holloway_search::entry::Entry;
use holloway_search::rank::Repute;
use serde_json::Value;

/// The lines of a file that are JSON; none where there is no file.
pub(crate) fn lines_of(path: &Path) -> Vec<Value> {
    lines(&std::fs::read_to_string(path).unwrap_or_default())
}

pub(crate) fn lines(text: &str) -> Vec<Value> {
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    lines.collect()
}

pub(crate) fn text(line: &Value, name: &str) -> String {
    let text = line.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

pub(crate) fn catalogue(tools: &[Value]) -> Catalogue {
    Catalogue::new(tools.iter().map(|line| {
        let tool = tool(line);
        let entry = Entry {
            id: tool.id.to_string(),
            name: match text(line, "name") {
                name if name.is_empty() => tool.id.name().to_owned(),
                name => name,
            },
            server: text(line, "server"),
            description: tool.description.clone(),
            category: tool.category.clone(),
            parameters: Vec::new(),
        };
        let entry = entry.with_schema(&tool.input_schema);
        (tool, entry, Repute::default())
    }))
}

fn tool(line: &Value) -> ToolSpec {
    let schema = |name: &str| line.get(name).cloned().unwrap_or(Value::Null);
    // Where there are no servers, only ids are told apart.
    let id = match text(line, "server").as_str() {
        "" => format!("bench/{}", text(line, "id").replace("builtin/", "")),
        server => format!("{server}/{}", text(line, "name")),
    };
    let mut tool = ToolSpec::named(id)
        .with_input(schema("input_schema"))
        .with_output(schema("output_schema"));
    tool.description = text(line, "description");
    tool.category = text(line, "category");
    let reads = line.pointer("/annotations/readOnlyHint") == Some(&Value::Bool(true));
    tool.effect = if reads { Effect::Read } else { Effect::Write };
    tool
}
