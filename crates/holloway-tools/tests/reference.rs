//! Does docs/builtin-tools.md say what the tools say of themselves? It is written from
//! their definitions: `UPDATE=1 cargo nextest run -p holloway-tools --test reference`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use holloway_plan::tool::ToolSpec;
use holloway_tools::{Grants, Toolbox};
use serde_json::Value;

const OPENING: &str = "# Built-in tools

What Holloway can do without any source added. `holloway tools show NAME` prints the same with the whole schemas. Each example
is run as a test. Tools that read or write files need a granted folder, those that reach a private address a granted host: see
[cli.md](cli.md).
";

#[test]
fn the_committed_reference_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/builtin-tools.md");
    let current = reference(&Toolbox::builtin(Grants::default()).specs());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == current,
        "docs/builtin-tools.md is stale; write it anew with\n  UPDATE=1 cargo nextest run -p holloway-tools --test reference"
    );
}

#[test]
fn examples_can_be_copied() {
    let page = reference(&Toolbox::builtin(Grants::default()).specs());
    let examples = page
        .lines()
        .filter_map(|line| line.strip_prefix("Example: `")?.strip_suffix('`'));
    for example in examples {
        assert!(serde_json::from_str::<Value>(example).is_ok(), "{example}");
    }
}

fn reference(specs: &[ToolSpec]) -> String {
    let mut categories: BTreeMap<&str, Vec<&ToolSpec>> = BTreeMap::new();
    for spec in specs {
        categories.entry(&spec.category).or_default().push(spec);
    }
    let mut page = format!("{OPENING}\n| category | tools |\n|---|---|\n");
    for (category, tools) in &categories {
        let links: Vec<String> = tools
            .iter()
            .map(|tool| format!("[`{0}`](#{0})", tool.id.name()))
            .collect();
        writeln!(page, "| {category} | {} |", links.join(" ")).unwrap();
    }
    for (category, tools) in categories {
        write!(page, "\n## {category}\n").unwrap();
        for tool in tools {
            section(&mut page, tool);
        }
    }
    page
}

fn section(page: &mut String, tool: &ToolSpec) {
    let effect = tool.effect;
    write!(
        page,
        "\n### {}\n\n{}: {} Effect: {effect}.\n",
        tool.id.name(),
        tool.title,
        tool.description
    )
    .unwrap();
    fields(page, "takes", &tool.input_schema);
    fields(page, "gives", &tool.output_schema);
    // Whole, however long: half of an example is nothing that anybody can try.
    let example = tool.input_schema["examples"][0].to_string();
    let example = example.replace('`', "'");
    write!(page, "\nExample: `{example}`\n").unwrap();
}

fn fields(page: &mut String, title: &str, schema: &Value) {
    let Some(properties) = schema["properties"]
        .as_object()
        .filter(|all| !all.is_empty())
    else {
        return;
    };
    write!(page, "\n| {title} | kind | |\n|---|---|---|\n").unwrap();
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, property) in properties {
        let needed = title == "takes" && required.contains(&name.as_str());
        let mark = if needed { "**" } else { "" };
        let text = explanation(property);
        writeln!(
            page,
            "| {mark}`{name}`{mark} | {} | {text} |",
            kind(property)
        )
        .unwrap();
    }
}

fn kind(property: &Value) -> String {
    let kind = match &property["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            names.join(" or ")
        }
        _ => "any".to_owned(),
    };
    match property["items"]["type"].as_str() {
        Some(item) if kind == "array" => format!("list of {item}"),
        _ => kind,
    }
}

fn explanation(property: &Value) -> String {
    let mut parts = Vec::new();
    parts.extend(property["description"].as_str().map(str::to_owned));
    if let Some(choices) = property["enum"].as_array() {
        let choices: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
        parts.push(format!("one of {}", choices.join(", ")));
    }
    if let Some(default) = property.get("default") {
        parts.push(format!("default `{default}`"));
    }
    parts.join("; ").replace('|', "\\|").replace('\n', " ")
}
