//! What does a plan need to know about a tool? Its name, its schemas, what it
//! does to the world, what it costs. Nothing here can call one.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub mod does;

use does::Does;

use crate::step::{MODEL_ALIAS, MODEL_TOOL};

/// `source/name`, such as `builtin/file-read` or `mcp.git/git_diff`.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct ToolId(Arc<str>);

impl ToolId {
    pub fn new(id: impl AsRef<str>) -> Self {
        Self(Arc::from(id.as_ref()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the tool comes from: `mcp.git`, `npm.@tpmjs/tools-bootstrap-ci`.
    pub fn source(&self) -> &str {
        self.parts().map_or("", |(source, _)| source)
    }

    /// What people call the tool: everything after its source.
    pub fn name(&self) -> &str {
        self.parts().map_or(&*self.0, |(_, name)| name)
    }

    /// Cut at the first `/`, or at the second where an npm scope has one of its own.
    fn parts(&self) -> Option<(&str, &str)> {
        let scoped = self.0.starts_with("npm.@") || self.0.starts_with("npm:@");
        let scope = if scoped { self.0.find('/')? + 1 } else { 0 };
        let cut = scope + self.0.get(scope..)?.find('/')?;
        Some((self.0.get(..cut)?, self.0.get(cut + 1..)?))
    }
}

impl fmt::Display for ToolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a call does to the world; decides approval, retry after doubt, and dry run.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Looks, never changes: may be repeated, merged, dropped, remembered.
    Read,
    /// Changes, but a repeat with the same key changes nothing more.
    Idempotent,
    /// Changes; a repeat may change again. What an undeclared tool is taken for.
    #[default]
    Write,
    /// Changes what cannot be brought back.
    Destructive,
}

impl Effect {
    /// May the engine call it again without asking when the outcome is unknown?
    pub fn is_repeatable(self) -> bool {
        matches!(self, Self::Read | Self::Idempotent)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Idempotent => "idempotent",
            Self::Write => "write",
            Self::Destructive => "destructive",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A tool's definition as the plan language sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub id: ToolId,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub category: String,
    /// JSON Schema of the arguments; `Value::Null` when the tool declares none.
    #[serde(default)]
    pub input_schema: Value,
    /// JSON Schema of the result; `Value::Null` when the tool declares none.
    #[serde(default)]
    pub output_schema: Value,
    #[serde(default)]
    pub effect: Effect,
    /// Its result follows from its arguments alone, so that the same call gives the same result.
    /// No part of its pin.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pure: bool,
    /// Expected price of one call, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// Expected duration of one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Digest of the whole definition as its source gave it; empty for tools of our own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub definition: String,
    /// What it does, for planning, as it or its user declares; no part of its pin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub does: Vec<Does>,
    /// What its definition suggests that it does, where nobody declared it. No part of its pin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<Does>,
}

impl ToolSpec {
    /// A tool known only by name: undeclared, hence taken for a writing one.
    pub fn named(id: impl AsRef<str>) -> Self {
        Self {
            id: ToolId::new(id),
            title: String::new(),
            description: String::new(),
            category: String::new(),
            input_schema: Value::Null,
            output_schema: Value::Null,
            effect: Effect::default(),
            pure: false,
            price: None,
            latency_ms: None,
            definition: String::new(),
            does: Vec::new(),
            inferred: Vec::new(),
        }
    }

    pub fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// The same call gives the same result, so that a failed one is not made again.
    pub fn as_pure(mut self) -> Self {
        self.pure = true;
        self
    }

    pub fn with_input(mut self, schema: Value) -> Self {
        self.input_schema = full_schema(schema);
        self
    }

    pub fn with_output(mut self, schema: Value) -> Self {
        self.output_schema = full_schema(schema);
        self
    }

    /// A hash of everything that decides what a call may do. An approval and a
    /// resumed run are bound to it, so that a changed tool is noticed.
    pub fn pin(&self) -> String {
        let parts = (
            &self.id,
            &self.input_schema,
            &self.output_schema,
            self.effect,
        );
        if self.definition.is_empty() {
            return crate::digest::of_json(&parts);
        }
        crate::digest::of_json(&(parts, &self.definition))
    }
}

/// Accepts the short form `{city: {type: string}}` for a full object schema.
pub fn full_schema(schema: Value) -> Value {
    const SCHEMA_WORDS: [&str; 10] = [
        "type",
        "properties",
        "$schema",
        "$ref",
        "oneOf",
        "anyOf",
        "allOf",
        "enum",
        "const",
        "not",
    ];
    match schema {
        Value::Object(fields) if is_short_form(&fields, &SCHEMA_WORDS) => {
            serde_json::json!({ "type": "object", "properties": fields })
        }
        other => other,
    }
}

fn is_short_form(fields: &Map<String, Value>, schema_words: &[&str]) -> bool {
    let names_a_schema_word = |name: &String| {
        // A property may be called `type` too: then its value is an object.
        schema_words.contains(&name.as_str()) && !(name == "type" && fields[name].is_object())
    };
    !fields.is_empty()
        && fields.values().all(Value::is_object)
        && !fields.keys().any(names_a_schema_word)
}

/// Adding a source must not change what plans mean, so a bare name means our own tool first.
const OWN_SOURCE: &str = "builtin";

/// The tools a plan may name, found by full id or by a bare name that only one tool has.
#[derive(Clone, Debug, Default)]
pub struct ToolTable {
    by_id: BTreeMap<ToolId, Arc<ToolSpec>>,
    by_name: BTreeMap<String, Vec<ToolId>>,
    /// Tools that exist but may not be used, and why.
    withheld: BTreeMap<ToolId, String>,
}

/// What looking up a name gave.
#[derive(Clone, Debug)]
pub enum Lookup {
    Found(Arc<ToolSpec>),
    /// Several sources offer a tool of this name; the plan must say which.
    Ambiguous(Vec<ToolId>),
    Missing,
}

impl ToolTable {
    pub fn new(tools: impl IntoIterator<Item = ToolSpec>) -> Self {
        let mut table = Self::default();
        for tool in tools {
            table.insert(tool);
        }
        table
    }

    pub fn insert(&mut self, tool: ToolSpec) {
        let names = self.by_name.entry(tool.id.name().to_owned()).or_default();
        if !names.contains(&tool.id) {
            names.push(tool.id.clone());
        }
        if tool.id.as_str() == MODEL_TOOL {
            self.by_name
                .insert(MODEL_ALIAS.to_owned(), vec![tool.id.clone()]);
        }
        self.by_id.insert(tool.id.clone(), Arc::new(tool));
    }

    pub fn get(&self, id: &ToolId) -> Option<&Arc<ToolSpec>> {
        self.by_id.get(id)
    }

    pub fn find(&self, name: &str) -> Lookup {
        if let Some(tool) = self.by_id.get(&ToolId::new(name)) {
            return Lookup::Found(Arc::clone(tool));
        }
        match self.by_name.get(name).map(Vec::as_slice) {
            None | Some([]) => Lookup::Missing,
            Some([only]) => self.found(only),
            Some(several) => match several.iter().find(|id| id.source() == OWN_SOURCE) {
                Some(own) => self.found(own),
                None => Lookup::Ambiguous(several.to_vec()),
            },
        }
    }

    fn found(&self, id: &ToolId) -> Lookup {
        self.by_id
            .get(id)
            .map_or(Lookup::Missing, |tool| Lookup::Found(Arc::clone(tool)))
    }

    /// Notes that a tool exists but may not be used.
    pub fn withhold(&mut self, id: ToolId, reason: impl Into<String>) {
        self.withheld.insert(id, reason.into());
    }

    /// Why a tool of this id or name may not be used, if that is so.
    pub fn withheld(&self, name: &str) -> Option<(&ToolId, &str)> {
        let by_id = self.withheld.get_key_value(&ToolId::new(name));
        by_id
            .or_else(|| self.withheld.iter().find(|(id, _)| id.name() == name))
            .map(|(id, reason)| (id, reason.as_str()))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<ToolSpec>> {
        self.by_id.values()
    }

    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    pub fn len(&self) -> usize {
        self.by_id.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_comes_apart_into_source_and_name() {
        for (id, source, name) in [
            ("builtin/file-read", "builtin", "file-read"),
            ("mcp.git/git_diff", "mcp.git", "git_diff"),
            ("mcp.files/a/b", "mcp.files", "a/b"),
            (
                "npm.@tpmjs/tools-x/runTool",
                "npm.@tpmjs/tools-x",
                "runTool",
            ),
            ("npm.left-pad/pad", "npm.left-pad", "pad"),
            ("npm.@tpmjs/tools-x", "", "npm.@tpmjs/tools-x"),
            ("bare", "", "bare"),
        ] {
            let id = ToolId::new(id);
            assert_eq!((id.source(), id.name()), (source, name));
        }
    }

    #[test]
    fn a_bare_name_means_our_own_tool_first() {
        let ids = ["mcp.a/echo", "mcp.b/look", "mcp.c/look", "builtin/echo"];
        let mut table = ToolTable::new(ids.map(ToolSpec::named));
        table.withhold(ToolId::new("mcp.d/odd"), "it changed");
        assert!(matches!(table.find("echo"), Lookup::Found(tool) if tool.id.source() == "builtin"));
        assert!(matches!(table.find("look"), Lookup::Ambiguous(tools) if tools.len() == 2));
        assert!(matches!(table.find("odd"), Lookup::Missing));
        let odd = ToolId::new("mcp.d/odd");
        assert_eq!(table.withheld("odd"), Some((&odd, "it changed")));
    }

    #[test]
    fn a_pin_covers_the_definition_as_received() {
        let tool = ToolSpec::named("mcp.git/git_diff");
        let mut other = tool.clone();
        other.definition = "0123".to_owned();
        assert_ne!(tool.pin(), other.pin());
    }

    #[test]
    fn what_a_tool_does_is_no_part_of_its_pin() {
        let tool = ToolSpec::named("mcp.git/git_diff");
        let mut other = tool.clone();
        other.does = vec!["diff folder:path -> text:text".parse().unwrap()];
        other.inferred = other.does.clone();
        assert_eq!(tool.pin(), other.pin());
    }
}
