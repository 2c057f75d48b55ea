//! How does a check become a tool? A plain function over pages, assets and the shared
//! shelf of documents; this file reads the arguments and counts the findings.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_audit::documents::Documents;
use holloway_audit::finding::{Finding, Summary};
use holloway_audit::page::{Asset, Page};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::ToolSpec;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::blocking::blocking;
use super::super::{Tool, arguments};

/// What a check found, and the facts it adds to its result.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) findings: Vec<Finding>,
    pub(crate) facts: Map<String, Value>,
}

impl From<Vec<Finding>> for Checked {
    fn from(findings: Vec<Finding>) -> Self {
        Self {
            findings,
            facts: Map::new(),
        }
    }
}

impl Checked {
    /// Adds a fact, usually rows that make a table.
    pub(crate) fn with(mut self, name: &str, fact: impl serde::Serialize) -> Self {
        let fact = serde_json::to_value(fact).unwrap_or_default();
        self.facts.insert(name.to_owned(), fact);
        self
    }
}

pub(crate) type Function = fn(&Documents, &[Page], &[Asset]) -> Checked;

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    pages: Vec<Page>,
    #[serde(default)]
    assets: Vec<Asset>,
}

#[async_trait]
impl Tool for Check {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: &Value, _call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let given: Arguments = arguments::parse(arguments)?;
        let documents = Arc::clone(&self.documents);
        let function = self.function;
        blocking(move || {
            let checked = function(&documents, &given.pages, &given.assets);
            Ok(CallOutput::from(result(checked, given.pages.len())))
        })
        .await
    }
}

fn result(checked: Checked, pages: usize) -> Value {
    let mut result = Map::new();
    let summary = Summary::of(&checked.findings);
    result.insert("findings".to_owned(), json!(checked.findings));
    result.insert("summary".to_owned(), json!(summary));
    result.insert("pages".to_owned(), json!(pages));
    result.extend(checked.facts);
    Value::Object(result)
}
