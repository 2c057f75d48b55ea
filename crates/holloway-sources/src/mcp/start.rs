//! How is a connection made? The program is started or the address dialled, and
//! both sides introduce themselves, in the newer way or in the older one.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use holloway_flow::catalog::SourceId;
use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ProtocolVersion, SubscriptionFilter};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, Peer};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::McpConfig;
use super::connection::Connection;
use super::handler::Handler;
use super::http;
use super::launch;
use super::process::{LastWords, Process};
use super::stdio::{Reader, StdioTransport, Writer};
use super::surroundings::McpSurroundings;
use super::wire::Wire;
use crate::{SourceError, SourceErrorKind};

const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Makes connections to one server, one at a time.
pub(super) struct Starter {
    pub(super) id: SourceId,
    pub(super) config: McpConfig,
    pub(super) surroundings: McpSurroundings,
    pub(super) generation: Arc<AtomicU64>,
    pub(super) dial: Option<Arc<Dial>>,
    /// It ended when it was asked in the newer way.
    older: AtomicBool,
    /// One, for the one program there may be.
    permits: Arc<Semaphore>,
}

/// Reaches a server in this process: its output and its input.
pub type Dial = dyn Fn() -> (Reader, Writer) + Send + Sync;

/// Both ends of a server, and its program if it has one.
struct Opened {
    pipes: (Reader, Writer),
    process: Option<Process>,
}

impl Starter {
    pub(super) fn new(id: SourceId, config: McpConfig, surroundings: McpSurroundings) -> Self {
        Self {
            id,
            config,
            surroundings,
            generation: Arc::default(),
            dial: None,
            older: AtomicBool::new(false),
            permits: Arc::new(Semaphore::new(1)),
        }
    }

    pub(super) fn timeout(&self) -> Duration {
        self.config
            .start_timeout_ms
            .map_or(START_TIMEOUT, Duration::from_millis)
    }

    pub(super) async fn start(&self) -> Result<Connection, SourceError> {
        let deadline = Instant::now() + self.timeout();
        let connection = match (&self.dial, self.config.url.is_empty()) {
            (None, false) => self.over_http(deadline).await?,
            _ => self.over_pipes(deadline).await?,
        };
        self.generation.fetch_add(1, Ordering::Relaxed);
        follow_changes(&connection);
        Ok(connection)
    }

    async fn over_pipes(&self, deadline: Instant) -> Result<Connection, SourceError> {
        if !self.older.load(Ordering::Relaxed) {
            match self.introduce(newer_or_older(), deadline).await {
                // Some servers of the older protocol give up on a question they do not know.
                Err(Failed::Ended(_)) => self.older.store(true, Ordering::Relaxed),
                Err(Failed::OnlyNewer(_)) => {
                    // The time it was asked in words it does not know is not counted.
                    let deadline = Instant::now() + self.timeout();
                    let connection = self.introduce(only_newer(), deadline).await;
                    return connection.map_err(SourceError::from);
                }
                Err(Failed::Other(error)) => return Err(error),
                Ok(connection) => return Ok(connection),
            }
        }
        self.introduce(ClientLifecycleMode::Initialize, deadline)
            .await
            .map_err(|failed| {
                self.older.store(false, Ordering::Relaxed);
                failed.into()
            })
    }

    async fn over_http(&self, deadline: Instant) -> Result<Connection, SourceError> {
        let (transport, last) = http::transport(&self.id, &self.config, &self.surroundings)?;
        let handler = Arc::new(self.handler());
        let served = handler
            .clone()
            .serve_with_lifecycle(transport, newer_or_older());
        let error = match tokio::time::timeout_at(deadline, served).await {
            Ok(Ok(service)) => return Ok(Connection::over_http(service, handler)),
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        Err(match last.take() {
            Some(fault) => {
                let mut told = fault.to_error(self.id.as_str());
                told.message = self.surroundings.secrets.clean(&told.message);
                told
            }
            None => self.explain(error.as_ref(), None, &LastWords::default()),
        })
    }

    async fn introduce(
        &self,
        mode: ClientLifecycleMode,
        deadline: Instant,
    ) -> Result<Connection, Failed> {
        let permit = self.permit(deadline).await.map_err(Failed::Other)?;
        let Opened { pipes, process } = self.open(permit).await.map_err(Failed::Other)?;
        let handler = Arc::new(self.handler());
        let wire = handler.wire.clone();
        let limit = self.surroundings.limits.message_bytes;
        let exit = process.as_ref().map(Process::exit);
        let transport = StdioTransport::new(pipes, wire.clone(), exit, limit);
        let served = handler.clone().serve_with_lifecycle(transport, mode);
        let error = match tokio::time::timeout_at(deadline, served).await {
            Ok(Ok(service)) => return Ok(Connection::new(service, handler, process)),
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        let ended = wire.ended_at().is_some();
        let reason = if ended {
            Some(wire.end_reason().await.to_string())
        } else {
            None
        };
        let words = process
            .as_ref()
            .map(Process::last_words)
            .unwrap_or_default();
        if let Some(process) = &process {
            process.kill().await;
        }
        let told = self.explain(error.as_ref(), reason.as_deref(), &words);
        Err(if knows_only_newer(error.as_ref()) {
            Failed::OnlyNewer(told)
        } else if ended && error.is_some() {
            Failed::Ended(told)
        } else {
            Failed::Other(told)
        })
    }

    async fn permit(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, SourceError> {
        match tokio::time::timeout_at(deadline, self.permits.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(SourceError::new(
                SourceErrorKind::Start,
                format!("the former program of `{}` does not end", self.id),
                "end it by hand, then try again",
            )),
        }
    }

    async fn open(&self, permit: OwnedSemaphorePermit) -> Result<Opened, SourceError> {
        if let Some(dial) = &self.dial {
            return Ok(Opened {
                pipes: dial(),
                process: None,
            });
        }
        let ready = launch::command(&self.id, &self.config, &self.surroundings).await?;
        let started = Process::start(ready, permit)
            .map_err(|error| launch::not_started(&self.id, &self.config, &error))?;
        Ok(Opened {
            pipes: (Box::new(started.stdout), Box::new(started.stdin)),
            process: Some(started.process),
        })
    }

    pub(super) fn handler(&self) -> Handler {
        let folders = self.config.writable.iter().chain(&self.config.readable);
        Handler {
            client: self.surroundings.client.clone(),
            roots: folders.map(PathBuf::from).collect(),
            wire: Arc::new(Wire::new(self.generation.clone())),
        }
    }

    fn explain(
        &self,
        error: Option<&ClientInitializeError>,
        reason: Option<&str>,
        words: &LastWords,
    ) -> SourceError {
        let id = &self.id;
        let words = words.text();
        let (kind, message, hint) = match (error, reason) {
            (None, _) => (
                SourceErrorKind::Timeout,
                format!(
                    "`{id}` did not introduce itself within {} ms",
                    self.timeout().as_millis()
                ),
                "try it by hand, or allow more time with `start_timeout_ms`",
            ),
            (Some(_), Some(reason)) => (
                SourceErrorKind::Start,
                format!("`{id}` did not start: {reason}"),
                if self.config.sandbox {
                    "in the sandbox it sees only its program and its package: grant what else it needs with --read, --write or --network"
                } else {
                    "run its command by hand to see what it misses: a package, a file, a key"
                },
            ),
            (Some(error), None) => (
                SourceErrorKind::Protocol,
                format!("`{id}` does not speak MCP as expected: {}", brief(error)),
                "check that an MCP server stands behind its command or address",
            ),
        };
        let message = if words.is_empty() {
            message
        } else {
            format!("{message}. It last wrote:\n{words}")
        };
        SourceError::new(kind, self.surroundings.secrets.clean(&message), hint)
    }
}

/// Servers of the newer protocol tell of changes only to those who ask.
fn follow_changes(connection: &Connection) {
    let asks = connection.peer.peer_info().is_some_and(|info| {
        let tools = info.capabilities.tools.as_ref();
        !info.protocol_version.has_initialize()
            && tools.is_some_and(|tools| tools.list_changed == Some(true))
    });
    if asks {
        tokio::spawn(listen(connection.peer.clone(), connection.wire.clone()));
    }
}

enum Failed {
    /// It went away while we were introducing ourselves.
    Ended(SourceError),
    /// It was slow to answer in the newer protocol, and knows no other.
    OnlyNewer(SourceError),
    Other(SourceError),
}

impl From<Failed> for SourceError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Ended(error) | Failed::OnlyNewer(error) | Failed::Other(error) => error,
        }
    }
}

/// A server that takes its time is taken for an older one, and says that it is not.
fn knows_only_newer(error: Option<&ClientInitializeError>) -> bool {
    matches!(error, Some(ClientInitializeError::JsonRpcError(error))
        if error.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION)
}

fn only_newer() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::LATEST],
    }
}

fn newer_or_older() -> ClientLifecycleMode {
    ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::LATEST],
        legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
    }
}

/// What a server sent can be long; the start of it is enough.
fn brief(error: &ClientInitializeError) -> String {
    let text = error.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

async fn listen(peer: Peer<RoleClient>, wire: Arc<Wire>) {
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let following = async {
        // Ends with the subscription, and stays quiet if the server does not take one.
        while let Ok(mut subscription) = peer.listen(filter.clone()).await {
            while let Ok(Some(_)) = subscription.next().await {
                wire.changed();
            }
            wire.changed();
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        () = following => {}
        _ = wire.end_reason() => {}
    }
}
