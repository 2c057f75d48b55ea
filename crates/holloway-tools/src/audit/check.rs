//! How does a check become a tool? A plain function over a site becomes one; this file
//! reads the arguments, counts the findings and puts the rows beside them.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_audit::coverage;
use holloway_audit::documents::Documents;
use holloway_audit::finding::{Domain, Finding, Summary};
use holloway_audit::page::{Asset, Page};
use holloway_audit::site::{Checked, Site};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::does::Does;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::blocking::blocking;
use super::super::declaration::Declaration;
use super::super::pure::shared;
use super::super::{Tool, arguments};
use super::schemas::{check_input, check_output};

/// What a check found, and the facts it adds to its result.
pub(crate) struct Outcome {
    pub(crate) findings: Vec<Finding>,
    pub(crate) facts: Map<String, Value>,
}

impl Outcome {
    pub(crate) fn new(findings: Vec<Finding>) -> Self {
        Self {
            findings,
            facts: Map::new(),
        }
    }

    /// Adds a fact, usually rows that make a table.
    pub(crate) fn with(mut self, name: &str, fact: impl Serialize) -> Self {
        // Facts have text keys and finite numbers only, and those can always be written.
        let fact = serde_json::to_value(fact).unwrap_or_default();
        self.facts.insert(name.to_owned(), fact);
        self
    }
}

impl<Row: Serialize> From<Checked<Row>> for Outcome {
    fn from(checked: Checked<Row>) -> Self {
        Self::new(checked.findings).with("rows", checked.rows)
    }
}

pub(crate) type Function = fn(&Site) -> Outcome;

pub(crate) struct Check {
    spec: ToolSpec,
    documents: Arc<Documents>,
    function: Function,
}

impl Check {
    pub(crate) fn tool(
        spec: ToolSpec,
        documents: &Arc<Documents>,
        function: Function,
    ) -> Arc<dyn Tool> {
        Arc::new(Self {
            spec,
            documents: Arc::clone(documents),
            function,
        })
    }
}

/// What is different from check to check.
pub(crate) struct Words {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) category: &'static str,
    pub(crate) description: &'static str,
    /// What one row of the result has, by name.
    pub(crate) row: Value,
    /// A page that shows what the check is about.
    pub(crate) example: &'static str,
}

/// What a check of pages does, for planning.
pub(crate) fn audits(domains: &[&str]) -> Option<Does> {
    let domains: Vec<String> = domains
        .iter()
        .map(|domain| format!("domains is {domain}"))
        .collect();
    let line = format!(
        "audit page[]:pages asset[]:assets? url.listed[]:listed? -> findings with {}",
        domains.join(" ")
    );
    line.parse().ok()
}

impl Words {
    /// The definition of a check that gives back findings and `rows`.
    pub(crate) fn spec(self) -> ToolSpec {
        // `seo.headings-check` is a part of what is meant by `seo`.
        let part = format!("{}.{}", self.category, self.name);
        self.spec_covering(&[&part])
    }

    /// The same for a check that covers all of these domains or parts of domains.
    pub(crate) fn spec_covering(self, domains: &[&str]) -> ToolSpec {
        let mut spec = self.bare_spec();
        spec.does.extend(audits(domains));
        spec
    }

    fn bare_spec(self) -> ToolSpec {
        let rows = json!({"type": "array", "items": {"type": "object", "properties": self.row}});
        Declaration {
            name: self.name,
            title: self.title,
            category: self.category,
            description: self.description,
            effect: Effect::Read,
            latency_ms: 100,
            input: check_input(),
            output: check_output(&[("rows", rows)]),
            example: json!({"pages": [{"url": "https://example.com/", "html": self.example}]}),
            does: &[],
        }
        .builtin()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    pages: Vec<Page>,
    #[serde(default)]
    assets: Vec<Asset>,
    #[serde(default)]
    listed: Vec<String>,
}

#[async_trait]
impl Tool for Check {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments = shared(arguments, call);
        let documents = Arc::clone(&self.documents);
        let function = self.function;
        let name = self.spec.id.name().to_owned();
        // The category of a check is its domain; an audit of all domains has none.
        let domain = Domain::deserialize(Value::from(self.spec.category.as_str())).ok();
        blocking(move || {
            let given: Arguments = arguments::parse(&arguments)?;
            if given.pages.is_empty() && domain.is_none() {
                return Err(
                    ToolFailure::invalid("nothing was checked: `pages` is empty")
                        .with_hint("give one fetched page at least"),
                );
            }
            let site =
                Site::new(&documents, &given.pages, &given.assets).with_listed(&given.listed);
            let mut outcome = function(&site);
            if let Some(domain) = domain {
                outcome.findings.extend(site.notes(domain));
            }
            let checked = coverage::of_tool(&name, !given.assets.is_empty());
            Ok(CallOutput::from(result(
                outcome,
                given.pages.len(),
                checked,
            )))
        })
        .await
    }
}

pub(crate) fn result(outcome: Outcome, pages: usize, checked: Vec<String>) -> Value {
    let mut result = Map::new();
    let summary = Summary::of(&outcome.findings);
    result.insert("findings".to_owned(), json!(outcome.findings));
    result.insert("summary".to_owned(), json!(summary));
    result.insert("pages".to_owned(), json!(pages));
    result.insert("checked".to_owned(), json!(checked));
    result.extend(outcome.facts);
    Value::Object(result)
}
