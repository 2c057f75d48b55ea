//! How are MCP servers reached? Over stdio or streamable HTTP, supervised, with
//! every answer made into JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
