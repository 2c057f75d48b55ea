//! Which tools serve a request? Our own tools, those of the catalogue and packages
//! that could be added, searched in one way and ranked by text, quality and health.

use holloway_plan::step::MODEL_SOURCE;
use holloway_plan::tool::{Effect, ToolId, ToolSpec};
use holloway_search::category;
use holloway_search::entry::Entry;
use holloway_search::index::Index;
use holloway_search::lines::{self, LineError};
use holloway_search::rank::{self, Hit, Repute, Wish};
use holloway_search::reason::{Reason, reason};
use holloway_search::words::spaced;
use serde_json::Value;

use crate::catalog::CatalogTool;
use crate::catalog::health::Status;
use crate::catalog::known::Known;
use crate::catalog::offer::QualityFacts;
use crate::catalog::quality;

/// How many tools a planner is given to choose from.
pub const FOR_PLANNING: usize = 20;
/// How a source is reached says nothing about what its tools do.
const KINDS: [&str; 3] = ["mcp.", "npm.", "openapi."];
/// Our own tools are of all kinds, and one of them fitting says nothing about the others.
const OWN_SOURCES: [&str; 3] = ["builtin", "sample", MODEL_SOURCE];

/// Tools or packages, ready to be searched.
#[derive(Debug)]
pub struct Discovery {
    index: Index,
    reputes: Vec<Repute>,
}

/// What was found, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Place among what was searched.
    pub place: usize,
    pub hit: Hit,
    pub reason: Reason,
}

impl Discovery {
    /// Over tools, each with what the catalogue knows of it.
    pub fn of_tools<'a>(
        tools: impl IntoIterator<Item = (&'a ToolSpec, Option<&'a CatalogTool>)>,
    ) -> Self {
        let (entries, reputes): (Vec<Entry>, Vec<Repute>) = tools
            .into_iter()
            .map(|(tool, known)| (entry_of(tool), repute_of(tool, known)))
            .unzip();
        Self {
            index: Index::new(entries),
            reputes,
        }
    }

    /// Over packages and servers that could be added.
    pub fn of_known<'a>(known: impl IntoIterator<Item = &'a Known>) -> Self {
        Self::of_entries(known.into_iter().map(entry_of_known))
    }

    /// Over entries of which nothing else is known.
    pub fn of_entries(entries: impl IntoIterator<Item = Entry>) -> Self {
        let index = Index::new(entries);
        let reputes = vec![Repute::default(); index.len()];
        Self { index, reputes }
    }

    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The best for a request, best first, then what is always shown.
    pub fn find(&self, request: &str, wish: &Wish<'_>) -> Vec<Found> {
        let query = self.index.read(request);
        let scores = self.index.scores(&query);
        let repute = |place: usize| self.reputes.get(place).copied().unwrap_or_default();
        let hits = rank::rank(&self.index, &query, &scores, repute, wish);
        hits.into_iter()
            .map(|hit| Found {
                place: hit.place,
                reason: reason(&self.index, &query, hit.place),
                hit,
            })
            .collect()
    }

    /// The ids of what was found.
    pub fn ids(&self, found: &[Found]) -> Vec<ToolId> {
        let entries = found
            .iter()
            .filter_map(|found| self.index.entry(found.place));
        entries.map(|entry| ToolId::new(&entry.id)).collect()
    }
}

/// The kind of tool that a request asks for, such as `web-scraping`.
pub fn kind_of(request: &str) -> &'static str {
    category::infer(request)
}

/// The tools of a catalogue in a file, one JSON object per line, as planning sees them.
pub fn tools_of_lines(text: &str) -> Result<Vec<ToolSpec>, LineError> {
    let entries = lines::tools(text)?;
    let mut tools: Vec<ToolSpec> = entries.iter().map(spec_of).collect();
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    for line in lines {
        let line: Value = line;
        let id = line.get("id").and_then(Value::as_str);
        let Some(tool) = tools.iter_mut().find(|tool| Some(tool.id.as_str()) == id) else {
            continue;
        };
        for (field, schema) in [
            ("input_schema", &mut tool.input_schema),
            ("output_schema", &mut tool.output_schema),
        ] {
            if let (Value::Null, Some(given @ Value::Object(_))) = (&schema, line.get(field)) {
                *schema = given.clone();
            }
        }
        if let Some(effect) = line.get("annotations").and_then(said_effect) {
            tool.effect = effect;
        }
    }
    Ok(tools)
}

fn spec_of(entry: &Entry) -> ToolSpec {
    let mut tool = ToolSpec::named(&entry.id);
    tool.description.clone_from(&entry.description);
    tool.category.clone_from(&entry.category);
    tool
}

/// What the annotations of the protocol say.
fn said_effect(annotations: &Value) -> Option<Effect> {
    let says = |hint: &str| annotations.get(hint).and_then(Value::as_bool) == Some(true);
    [
        ("readOnlyHint", Effect::Read),
        ("destructiveHint", Effect::Destructive),
        ("idempotentHint", Effect::Idempotent),
    ]
    .into_iter()
    .find_map(|(hint, effect)| says(hint).then_some(effect))
}

/// A tool as the search sees it.
pub fn entry_of(tool: &ToolSpec) -> Entry {
    let entry = Entry {
        id: tool.id.to_string(),
        name: tool.id.name().to_owned(),
        server: server_of(tool.id.source()).to_owned(),
        description: joined(&tool.title, &tool.description),
        category: tool.category.clone(),
        parameters: Vec::new(),
    };
    entry.with_schema(&tool.input_schema)
}

fn server_of(source: &str) -> &str {
    if OWN_SOURCES.contains(&source) {
        return "";
    }
    let bare = KINDS.iter().find_map(|kind| source.strip_prefix(kind));
    bare.unwrap_or(source)
}

fn joined(title: &str, description: &str) -> String {
    if title.is_empty() || description.contains(title) {
        return description.to_owned();
    }
    format!("{title}. {description}")
}

/// The names of its tools tell what a package does.
fn entry_of_known(known: &Known) -> Entry {
    let package = known.add.rsplit(':').next().unwrap_or(&known.add);
    let tools: Vec<String> = known.tools.iter().map(|name| spaced(name)).collect();
    Entry {
        id: known.add.clone(),
        name: known.title.clone(),
        server: package.to_owned(),
        description: format!("{} {}", known.description, tools.join(", ")),
        category: known.category.clone(),
        parameters: Vec::new(),
    }
}

/// What speaks for a tool beside its text. Our own are taken for healthy.
pub fn repute_of(tool: &ToolSpec, known: Option<&CatalogTool>) -> Repute {
    let Some(known) = known else {
        return Repute {
            quality: quality_of_own(tool),
            health: rank::Health::Healthy,
            uses: 0,
            latency_ms: None,
        };
    };
    Repute {
        quality: known.quality as f32,
        health: match known.health.status {
            Status::Unknown => rank::Health::Unknown,
            Status::Healthy => rank::Health::Healthy,
            Status::Broken => rank::Health::Broken,
        },
        uses: known.health.worked,
        latency_ms: known.health.latency_ms,
    }
}

fn quality_of_own(tool: &ToolSpec) -> f32 {
    let facts = QualityFacts {
        rich: !tool.description.is_empty(),
        has_parameters: tool.input_schema != Value::Null,
        has_returns: tool.output_schema != Value::Null,
        has_guidance: true,
        ..QualityFacts::default()
    };
    quality::score(&facts) as f32
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::catalog::Standing;
    use crate::catalog::health::Health;
    use crate::catalog::known::shipped;

    fn tool(id: &str, description: &str) -> ToolSpec {
        let mut tool = ToolSpec::named(id).with_input(json!({"path": {"type": "string"}}));
        tool.description = description.to_owned();
        tool
    }

    fn catalogued(spec: &ToolSpec, status: Status) -> CatalogTool {
        CatalogTool {
            spec: spec.clone(),
            effect_reason: String::new(),
            definition: Value::Null,
            package: None,
            standing: Standing::Ready,
            quality: 0.5,
            health: Health {
                status,
                ..Health::default()
            },
            inference: 0,
        }
    }

    #[test]
    fn a_tool_is_searched_by_all_that_is_said_of_it() {
        let mut spec = tool("npm.@tpmjs/tools-x/runTool", "Runs.");
        spec.title = "Runner".to_owned();
        let entry = entry_of(&spec);
        let fields = (
            entry.name.as_str(),
            entry.server.as_str(),
            entry.description.as_str(),
        );
        assert_eq!(fields, ("runTool", "@tpmjs/tools-x", "Runner. Runs."));
        assert_eq!(entry.parameters.len(), 1);
        assert_eq!(entry_of(&tool("builtin/echo", "")).server, "");
    }

    #[test]
    fn of_two_that_fit_alike_the_healthy_one_comes_first() {
        let one = tool("mcp.a/count_lines", "Counts the lines of a file.");
        let two = tool("mcp.b/count_lines", "Counts the lines of a file.");
        let other = tool("builtin/mail-send", "Sends a letter to a person.");
        let (broken, healthy) = (
            catalogued(&one, Status::Broken),
            catalogued(&two, Status::Healthy),
        );
        let tools = [
            (&one, Some(&broken)),
            (&two, Some(&healthy)),
            (&other, None),
        ];
        let discovery = Discovery::of_tools(tools);
        let found = discovery.find("how many lines has this file", &Wish::default());
        let ids = discovery.ids(&found);
        assert_eq!(ids, [two.id.clone(), one.id.clone()]);
        assert!(
            found[0]
                .reason
                .sentence()
                .starts_with("“lines” in name and description")
        );
    }

    #[track_caller]
    fn check(words: &str, expected: &str) {
        let shipped = shipped();
        let discovery = Discovery::of_known(&shipped);
        let found = discovery.find(words, &Wish::default());
        let ids = discovery.ids(&found);
        assert_eq!(ids.first().map(ToolId::as_str), Some(expected), "{words}");
    }

    #[test]
    fn the_obvious_package_comes_first() {
        check(
            "bootstrap confidence interval",
            "npm:@tpmjs/tools-bootstrap-ci",
        );
        check("Notion", "mcp:npm:@notionhq/notion-mcp-server");
        check("run a SQLite query", "mcp:pypi:mcp-server-sqlite");
        check("watermark for PDF files", "mcp:pypi:pdf-mcp-server");
        check(
            "convert HTML to Markdown",
            "npm:@tpmjs/tools-html-to-markdown",
        );
        check(
            "generate_fishbone_diagram",
            "mcp:npm:@antv/mcp-server-chart",
        );
        check("weight volume temperature units", "mcp:pypi:mcp-units");
    }
}
