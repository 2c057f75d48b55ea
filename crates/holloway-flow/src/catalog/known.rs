//! What could be installed? An index of known packages and servers that ships
//! with Holloway, and names that users add. Nothing here is installed or trusted.

use serde::{Deserialize, Serialize};

/// A package or server that can be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// What `holloway tools add` takes: `npm:@tpmjs/tools-bootstrap-ci`, `mcp:npm:@modelcontextprotocol/server-memory`.
    pub add: String,
    pub title: String,
    pub description: String,
    #[serde(default)]
    pub category: String,
    /// Names of its tools, as far as they are known.
    #[serde(default)]
    pub tools: Vec<String>,
    /// Names of secrets it needs.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Arguments that must be given, such as a folder.
    #[serde(default)]
    pub arguments: Vec<String>,
}

/// All packages and servers that ship in the index.
pub fn shipped() -> Vec<Known> {
    Vec::new()
}
