//! How are MCP servers reached? Over stdio or streamable HTTP, supervised, with
//! every answer made into JSON.
//!
//! `supervise` keeps a connection, `start` makes one, `connection` carries requests;
//! `listing` and `calling` say what is asked, `answer` what came back.

mod answer;
mod calling;
mod connection;
mod handler;
mod http;
pub mod import;
mod launch;
mod lines;
mod listing;
mod message;
mod package;
mod process;
mod start;
mod stdio;
mod supervise;
mod surroundings;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::{Offer, Package};
use serde::{Deserialize, Serialize};

use self::calling::NoResult;
use self::connection::{Connection, Trouble};
use self::listing::NoList;
pub use self::package::package_of;
pub use self::start::Dial;
use self::start::Starter;
pub use self::stdio::{Reader, Writer};
use self::supervise::Supervisor;
pub use self::surroundings::{ClientName, Launch, McpLimits, McpSurroundings, SandboxedStart};
use super::{SourceError, SourceErrorKind, ToolSource};

/// How one server is started or reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpConfig {
    /// The program of a stdio server; empty for one that is reached by `url`.
    pub command: String,
    pub args: Vec<String>,
    /// Texts may name secrets as `${NAME}`.
    pub env: BTreeMap<String, String>,
    /// Where the program is started; the data folder of the source when empty.
    pub cwd: String,
    /// The address of a streamable HTTP server.
    pub url: String,
    pub headers: BTreeMap<String, String>,
    /// Run it in the sandbox; `readable` and `writable` are then all it sees.
    pub sandbox: bool,
    pub network: bool,
    pub readable: Vec<String>,
    pub writable: Vec<String>,
    /// Time for the server to start and list its tools.
    pub start_timeout_ms: Option<u64>,
}

/// One MCP server as a source of tools.
pub struct McpSource {
    supervisor: Arc<Supervisor>,
}

impl McpSource {
    /// Starts nothing yet.
    pub fn new(id: SourceId, config: McpConfig, surroundings: McpSurroundings) -> Self {
        Self::of(Starter::new(id, config, surroundings))
    }

    /// A server in this process, reached over `dial` in place of a program's pipes.
    pub fn over(
        id: SourceId,
        config: McpConfig,
        surroundings: McpSurroundings,
        dial: Arc<Dial>,
    ) -> Self {
        let mut starter = Starter::new(id, config, surroundings);
        starter.dial = Some(dial);
        Self::of(starter)
    }

    fn of(starter: Starter) -> Self {
        Self {
            supervisor: Supervisor::new(starter),
        }
    }

    fn starter(&self) -> &Starter {
        &self.supervisor.starter
    }

    async fn definitions(&self) -> Result<(u64, Vec<serde_json::Value>), SourceError> {
        let mut again = true;
        loop {
            // Starting has a time of its own, which the supervisor keeps.
            let connection = self.supervisor.connection().await?;
            let generation = self.generation();
            match self.list(&connection).await {
                Ok(tools) => {
                    connection.note_listed();
                    return Ok((generation, tools));
                }
                Err(NoList::Trouble(Trouble::NotSent)) if again => again = false,
                Err(NoList::Trouble(trouble)) => return Err(self.no_list(trouble, &connection)),
                Err(NoList::Unusable(error)) => return Err(error),
            }
        }
    }

    async fn list(&self, connection: &Connection) -> Result<Vec<serde_json::Value>, NoList> {
        let starter = self.starter();
        let limits = starter.surroundings.limits;
        let listed = listing::tools(connection, &starter.id, &limits);
        // Later lists are asked for by calls, which have deadlines of their own: a server
        // that does one thing at a time answers when it is done with the other.
        if connection.has_listed() {
            return listed.await;
        }
        let listed = tokio::time::timeout(starter.timeout(), listed).await;
        listed.unwrap_or_else(|_| {
            Err(NoList::Unusable(SourceError::new(
                SourceErrorKind::Timeout,
                format!("`{}` did not list its tools in time", starter.id),
                "allow more time with `start_timeout_ms`, or check what the server does",
            )))
        })
    }

    fn no_list(&self, trouble: Trouble, connection: &Connection) -> SourceError {
        let starter = self.starter();
        if let Trouble::Transport(error) = &trouble
            && let Some(fault) = http::fault_of(error)
        {
            return fault.to_error(starter.id.as_str());
        }
        let ended = matches!(trouble, Trouble::Ended(_) | Trouble::NotSent);
        let kind = if ended {
            SourceErrorKind::Start
        } else {
            SourceErrorKind::Protocol
        };
        let failure = answer::failure(trouble, starter.id.as_str(), &connection.last_words());
        SourceError::new(
            kind,
            starter.surroundings.secrets.clean(&failure.message),
            "run the server by hand to see what is wrong with it",
        )
    }

    /// Nothing, and nothing sent, if definitions are not those of `generation` any more.
    async fn result_of(
        &self,
        request: &CallRequest,
        generation: Option<u64>,
    ) -> Option<Result<CallOutput, ToolFailure>> {
        let starter = self.starter();
        let mut again = true;
        loop {
            let connection = match self.supervisor.connection().await {
                Ok(connection) => connection,
                Err(error) => return Some(Err(error.into())),
            };
            if generation.is_some_and(|generation| generation != self.generation()) {
                return None;
            }
            let source = starter.id.as_str();
            match calling::call(&connection, request, source).await {
                Ok(mut value) => {
                    starter.surroundings.secrets.clean_value(&mut value);
                    return Some(Ok(value.into()));
                }
                Err(NoResult::NotSent) if again => again = false,
                Err(NoResult::NotSent) => {
                    return Some(Err(answer::failure(Trouble::NotSent, source, "")));
                }
                Err(NoResult::Failed(failure)) => return Some(Err(self.cleaned(failure))),
            }
        }
    }
}

impl McpSource {
    fn cleaned(&self, mut failure: ToolFailure) -> ToolFailure {
        let secrets = &self.starter().surroundings.secrets;
        failure.message = secrets.clean(&failure.message);
        failure
    }
}

#[async_trait]
impl ToolSource for McpSource {
    async fn offers(&self) -> Result<Vec<Offer>, SourceError> {
        Ok(self.listed().await?.1)
    }

    async fn listed(&self) -> Result<(u64, Vec<Offer>), SourceError> {
        let id = &self.starter().id;
        let (generation, definitions) = self.definitions().await?;
        let offer = |definition| listing::offer(id, definition);
        Ok((generation, definitions.into_iter().map(offer).collect()))
    }

    async fn call(&self, request: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let result = self.result_of(request, None).await;
        result.unwrap_or_else(|| Err(ToolFailure::transient("definitions have changed")))
    }

    async fn call_at(
        &self,
        generation: u64,
        request: &CallRequest,
    ) -> Option<Result<CallOutput, ToolFailure>> {
        self.result_of(request, Some(generation)).await
    }

    fn generation(&self) -> u64 {
        self.starter().generation.load(Ordering::Relaxed)
    }

    /// A server says that its tools have changed when it wants to, or not at all.
    fn changes_silently(&self) -> bool {
        true
    }

    fn package(&self) -> Option<Package> {
        package_of(&self.starter().config)
    }

    async fn close(&self) {
        self.supervisor.close().await;
    }
}

impl Drop for McpSource {
    fn drop(&mut self) {
        self.supervisor.put_down();
    }
}

#[cfg(test)]
mod tests;
