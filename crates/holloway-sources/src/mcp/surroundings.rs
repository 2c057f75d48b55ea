//! What does a source of MCP tools need from outside? Secrets, a folder, an
//! environment, someone to ask, limits. Nothing is looked up here.

use std::path::PathBuf;
use std::sync::Arc;

use super::McpConfig;
use crate::SourceError;
use crate::sandbox::{Attendant, Prepared};
use holloway_tools::secrets::{SecretText, Secrets};

/// What is around one source.
#[derive(Clone)]
pub struct McpSurroundings {
    pub secrets: Secrets,
    /// Where programs start whose configuration names no folder; made if it is missing.
    pub data_folder: PathBuf,
    /// What every program may see: `PATH`, `HOME`, `LANG` and the like.
    pub environment: Vec<(String, String)>,
    /// Starts programs that need no sandbox so that they end with us, and so does all
    /// that they start. Without one, only their process group ends.
    pub attendant: Option<Attendant>,
    /// Prepares a program that must run in the sandbox.
    pub sandbox: Option<Arc<SandboxedStart>>,
    pub client: ClientName,
    pub limits: McpLimits,
}

impl McpSurroundings {
    /// Nobody to ask, no sandbox, the usual limits.
    pub fn new(secrets: Secrets, data_folder: impl Into<PathBuf>) -> Self {
        Self {
            secrets,
            data_folder: data_folder.into(),
            environment: Vec::new(),
            attendant: None,
            sandbox: None,
            client: ClientName::default(),
            limits: McpLimits::default(),
        }
    }
}

/// How we introduce ourselves to servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientName {
    pub name: String,
    pub version: String,
}

impl Default for ClientName {
    fn default() -> Self {
        Self {
            name: "holloway".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// How much one server may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct McpLimits {
    /// One message: a line over stdio, a body or an event over HTTP.
    pub message_bytes: usize,
    pub tools: usize,
    pub pages: usize,
    /// All definitions together.
    pub listing_bytes: usize,
}

impl Default for McpLimits {
    fn default() -> Self {
        Self {
            message_bytes: 16 << 20,
            tools: 10_000,
            pages: 200,
            listing_bytes: 64 << 20,
        }
    }
}

/// A program with everything filled in, secrets too.
#[derive(Clone, Debug)]
pub struct Launch {
    pub program: String,
    pub arguments: Vec<SecretText>,
    /// The whole environment.
    pub environment: Vec<(String, SecretText)>,
    pub folder: PathBuf,
}

/// Prepares a program that runs in the sandbox. Pipes and process group of the command
/// are set afterwards, by the source, which also has the program watched.
pub type SandboxedStart =
    dyn Fn(&McpConfig, &Launch) -> Result<Prepared, SourceError> + Send + Sync;
