//! Which tools come with Holloway, and how is one called? A toolbox holds tools
//! by id and is what the engine calls; each tool declares itself and does one thing.
//! Invariant: what a tool may reach is decided by its `Grants` and by nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use holloway_audit::documents::Documents;
use holloway_engine::entry::{Entry, RunId};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest, ToolCaller};
use holloway_plan::tool::{ToolId, ToolSpec};
use serde_json::Value;

mod accessibility;
mod arguments;
mod attend;
mod audit;
mod blocking;
mod browser;
pub mod clock;
mod control;
mod csv;
mod data;
mod dates;
mod declaration;
mod documents;
mod field;
mod files;
mod grants;
pub mod http;
mod json;
mod lists;
mod made;
mod model;
pub mod named_hosts;
mod notify;
mod protected;
mod pure;
mod report;
mod sample;
pub mod secrets;
mod sensitive;
mod shell;
mod sqlite;
mod stamp;
mod statistics;
mod template;
mod text;
pub mod ungranted;
mod web;
mod words;

#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod testing;

use made::Made;
use secrets::Secrets;

pub use attend::{Attend, Program};
pub use grants::{Folder, Grants, Mail, MailSecurity, deciding};
pub use holloway_engine::ports::Changed;
pub use model::ModelAtHand;
pub use protected::Protected;

/// Something a plan can call.
#[async_trait]
pub trait Tool: Send + Sync {
    fn spec(&self) -> ToolSpec;

    /// `arguments` are those of `call`; dropping the future stops the work.
    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure>;
}

/// Tools by id.
#[derive(Clone, Default)]
pub struct Toolbox {
    tools: BTreeMap<ToolId, Arc<dyn Tool>>,
    grants: Arc<Grants>,
    /// What runs of this process have made, and may change.
    made: Arc<Made>,
}

impl Toolbox {
    /// Every built-in tool, reaching no further than `grants` allow.
    pub fn builtin(grants: Grants) -> Self {
        Self::builtin_with(grants, Secrets::none())
    }

    /// The same, where grants may name secrets.
    pub fn builtin_with(grants: Grants, secrets: Secrets) -> Self {
        let grants = Arc::new(grants);
        // One for all, so that connections and politeness are shared.
        let http = Arc::new(http::Http::new(&grants));
        // Checks of one run look at the same pages: each is parsed once for all of them.
        let documents = Arc::new(Documents::default());
        let mut toolbox = Self {
            grants: Arc::clone(&grants),
            ..Self::default()
        };
        let made = Arc::clone(&toolbox.made);
        let families = [
            http::tools(&http, &made),
            files::tools(&grants, &made),
            sqlite::tools(&grants, &made),
            shell::tools(&grants, None),
            json::tools(),
            csv::tools(),
            text::tools(),
            statistics::tools(),
            lists::tools(),
            template::tools(),
            report::tools(),
            control::tools(),
            web::tools(&http, &documents),
            audit::tools(&documents),
            browser::tools(&grants, &http, None),
            accessibility::tools(&documents),
            data::tools(),
            dates::tools(),
            words::tools(),
            documents::tools(&grants, &made),
            notify::tools(&http, &secrets),
        ];
        for tool in families.into_iter().flatten() {
            toolbox.insert(tool);
        }
        toolbox
    }

    /// The same, where whatever a program starts ends with it.
    pub fn attended_by(mut self, attendant: Arc<dyn Attend>) -> Self {
        let http = Arc::new(http::Http::new(&self.grants));
        let shell = shell::tools(&self.grants, Some(Arc::clone(&attendant)));
        let browser = browser::tools(&self.grants, &http, Some(attendant));
        for tool in shell.into_iter().chain(browser) {
            self.insert(tool);
        }
        self
    }

    /// Adds the tools that ask this model.
    pub fn with_model(mut self, model: &ModelAtHand) -> Self {
        for tool in model::tools(model) {
            self.insert(tool);
        }
        self
    }

    /// Adds what of these tools works without one.
    pub fn without_model(mut self) -> Self {
        for tool in model::extractive() {
            self.insert(tool);
        }
        self
    }

    /// Adds the offline stand-ins that the example plans name.
    pub fn with_samples(mut self) -> Self {
        for tool in sample::tools() {
            self.insert(tool);
        }
        self
    }

    /// Adds a tool; one of the same id is replaced.
    pub fn insert(&mut self, tool: Arc<dyn Tool>) {
        self.tools.insert(tool.spec().id, tool);
    }

    /// Takes in what an earlier process made in this run, as its journal tells it.
    pub fn recall(&self, run: &RunId, entries: &[Entry]) {
        self.made.recall(run, entries, &self.grants);
    }

    /// The definitions of all tools, ordered by id.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.values().map(|tool| tool.spec()).collect()
    }
}

#[async_trait]
impl ToolCaller for Toolbox {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        let Some(tool) = self.tools.get(&request.tool) else {
            let message = format!("there is no built-in tool `{}`", request.tool);
            return Err(ToolFailure::unknown_tool(message));
        };
        tool.call(&request.arguments, &request).await
    }

    fn would_change(&self, tool: &ToolId, arguments: &Value) -> Option<Changed> {
        let spec = self.tools.get(tool)?.spec();
        made::changed(&self.grants, &spec, arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_engine::failure::FailureName;
    use serde_json::json;

    #[tokio::test]
    async fn an_unknown_id_is_named_in_the_failure() {
        let toolbox = Toolbox::builtin(Grants::default());
        let failure = testing::run(&toolbox, "builtin/no-such-tool", json!({}))
            .await
            .unwrap_err();
        assert_eq!(failure.name, FailureName::UnknownTool);
        assert!(failure.message.contains("builtin/no-such-tool"));
    }

    #[test]
    fn samples_are_there_only_when_asked_for() {
        let sources = |toolbox: Toolbox| {
            let specs = toolbox.specs();
            specs.iter().any(|spec| spec.id.source() == "sample")
        };
        assert!(!sources(Toolbox::builtin(Grants::default())));
        assert!(sources(Toolbox::builtin(Grants::default()).with_samples()));
    }
}
