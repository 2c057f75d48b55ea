//! What does a package offer? What its module exports, as the worker found it; what its
//! package.json claims counts for the quality and nothing else.

use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::{Hints, Offer, QualityFacts};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::NpmConfig;

const LONGEST_NAME: usize = 200;

/// A package as its worker describes it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Description {
    tools: Vec<Described>,
    pub(super) notes: Vec<String>,
    category: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Described {
    export: String,
    title: String,
    description: String,
    input_schema: Value,
    output_schema: Value,
    claims: Claims,
}

/// What package.json says about a tool.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
struct Claims {
    parameters: bool,
    returns: bool,
    guidance: bool,
}

pub(super) fn source_id(config: &NpmConfig) -> SourceId {
    SourceId::new(format!("npm.{}", config.package))
}

impl Description {
    pub(super) fn into_offers(self, config: &NpmConfig, harmless: bool) -> Vec<Offer> {
        let category = self.category;
        let sound = |tool: &Described| is_sound(&tool.export);
        let tools = self.tools.into_iter().filter(sound);
        let hints = hints(harmless);
        tools
            .map(|tool| offer(tool, &category, config, hints))
            .collect()
    }
}

/// A name that can stand in a plan and on a screen.
fn is_sound(name: &str) -> bool {
    let strange = |c: char| c.is_control() || c.is_whitespace();
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(strange)
}

fn offer(tool: Described, category: &str, config: &NpmConfig, hints: Hints) -> Offer {
    let Claims {
        parameters,
        returns,
        guidance,
    } = tool.claims;
    Offer {
        id: source_id(config).tool(&tool.export),
        definition: definition(&tool, config),
        title: tool.title,
        description: tool.description,
        category: category.to_owned(),
        input_schema: tool.input_schema,
        output_schema: tool.output_schema,
        hints,
        facts: QualityFacts {
            rich: parameters && returns && guidance,
            has_parameters: parameters,
            has_returns: returns,
            has_guidance: guidance,
            ..QualityFacts::default()
        },
        findings: Vec::new(),
    }
}

/// Packages say nothing about effects. But what the sandbox keeps from changing the
/// world only reads: that is known, not claimed.
fn hints(harmless: bool) -> Hints {
    Hints {
        read_only: harmless.then_some(true),
        ..Hints::default()
    }
}

fn definition(tool: &Described, config: &NpmConfig) -> Value {
    let mut definition = Map::new();
    let mut put = |name: &str, value: Value| definition.insert(name.to_owned(), value);
    put("package", json!(config.package));
    put("version", json!(config.version));
    put("integrity", json!(config.integrity));
    put("export", json!(tool.export));
    put("description", json!(tool.description));
    put("inputSchema", tool.input_schema.clone());
    if !tool.output_schema.is_null() {
        put("outputSchema", tool.output_schema.clone());
    }
    Value::Object(definition)
}
