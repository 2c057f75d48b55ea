//! How are tools in npm packages reached? Installed without scripts at an exact
//! version, described by loading them, run in a persistent Node worker in the sandbox.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One installed package.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NpmConfig {
    pub package: String,
    /// Exact.
    pub version: String,
    /// As the registry gave it: `sha512-…`.
    pub integrity: String,
    /// Digest of the lock file: the package with all it depends on.
    pub lock: String,
    /// May it use the network?
    pub network: bool,
    /// Environment variables a call sees: name → text that may name a secret as `${NAME}`.
    pub env: BTreeMap<String, String>,
}
