//! Where do tools from outside come from? MCP servers, npm packages and OpenAPI
//! services, each behind the same trait: offer tools, call one, close.
//!
//! Invariant: a source says what it offers and does what it is told; whether a
//! tool may be used is decided by the catalogue, before every call.

pub mod guarded;
mod late;
pub mod mcp;
pub mod npm;
pub mod open;
pub mod openapi;
pub mod packages;
pub mod refusals;
pub mod sandbox;
pub mod sourced_tool;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_flow::catalog::offer::{Offer, Package};
use holloway_flow::run_store::StoreFailure;
use serde::{Deserialize, Serialize};

/// Something that offers tools and carries out calls of them.
#[async_trait]
pub trait ToolSource: Send + Sync {
    /// Starts what must be started and asks for all tools. Safe to call again: a
    /// source that is already open only lists anew.
    async fn offers(&self) -> Result<Vec<Offer>, SourceError>;

    /// The same, with the generation that the list belongs to: one that was read
    /// before the list was asked for, so that a change meanwhile is noticed.
    async fn listed(&self) -> Result<(u64, Vec<Offer>), SourceError> {
        let generation = self.generation();
        Ok((generation, self.offers().await?))
    }

    /// Calls the tool that `request.tool` names. The source starts by itself if it
    /// has to. Dropping the future cancels the call at the source.
    async fn call(&self, request: &CallRequest) -> Result<CallOutput, ToolFailure>;

    /// The same, but only as long as definitions are those of this generation:
    /// otherwise nothing is sent and nothing is given.
    async fn call_at(
        &self,
        generation: u64,
        request: &CallRequest,
    ) -> Option<Result<CallOutput, ToolFailure>> {
        if self.generation() != generation {
            return None;
        }
        Some(self.call(request).await)
    }

    /// Goes up whenever definitions may have changed since they were last listed:
    /// after a restart, or when the source says so.
    fn generation(&self) -> u64 {
        0
    }

    /// Whether definitions may change without the generation going up. They are then
    /// listed and compared before each call.
    fn changes_silently(&self) -> bool {
        false
    }

    /// The package it runs, where that is known.
    fn package(&self) -> Option<Package> {
        None
    }

    /// Ends its processes and connections.
    async fn close(&self) {}
}

/// How a source is reached; what the catalogue keeps. Texts may name secrets as
/// `${NAME}`, and never hold one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SourceConfig {
    Mcp(mcp::McpConfig),
    Npm(npm::NpmConfig),
    OpenApi(openapi::OpenApiConfig),
}

/// Why a source cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SourceError {
    pub kind: SourceErrorKind,
    pub message: String,
    pub hint: String,
}

/// What went wrong with a source; each has a page in `docs/errors/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceErrorKind {
    /// The program or package did not start, or ended.
    Start,
    /// It did not answer in time.
    Timeout,
    /// It answered with something that is not the protocol.
    Protocol,
    /// The package could not be installed or is not what it was.
    Package,
    /// The description of a service cannot be used.
    Spec,
    /// There is no sandbox to run it in.
    Sandbox,
    /// A secret it needs is not set.
    Secret,
    /// Its address may not be reached, or it turned us away.
    Denied,
    /// The catalogue could not be read or written.
    Catalog,
    /// What is configured about it makes no sense.
    Config,
}

impl SourceError {
    pub fn new(kind: SourceErrorKind, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// Names a page in `docs/errors/`.
    pub fn code(&self) -> &'static str {
        match self.kind {
            SourceErrorKind::Start => "source-start",
            SourceErrorKind::Timeout => "source-timeout",
            SourceErrorKind::Protocol => "source-protocol",
            SourceErrorKind::Package => "source-package",
            SourceErrorKind::Spec => "source-spec",
            SourceErrorKind::Sandbox => "sandbox-missing",
            SourceErrorKind::Secret => "secret-missing",
            SourceErrorKind::Denied => "source-denied",
            SourceErrorKind::Catalog => "catalog-failed",
            SourceErrorKind::Config => "config-invalid",
        }
    }
}

impl From<StoreFailure> for SourceError {
    fn from(failure: StoreFailure) -> Self {
        Self::new(SourceErrorKind::Catalog, failure.message, failure.hint)
    }
}

/// A source that cannot be reached fails the call before anything has happened.
impl From<SourceError> for ToolFailure {
    fn from(error: SourceError) -> Self {
        let failure = match error.kind {
            SourceErrorKind::Start
            | SourceErrorKind::Timeout
            | SourceErrorKind::Protocol
            | SourceErrorKind::Catalog => Self::transient(error.message),
            SourceErrorKind::Package | SourceErrorKind::Spec | SourceErrorKind::Config => {
                Self::permanent(error.message)
            }
            SourceErrorKind::Sandbox | SourceErrorKind::Secret | SourceErrorKind::Denied => {
                Self::denied(error.message)
            }
        };
        failure.with_hint(error.hint)
    }
}
