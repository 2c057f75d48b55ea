//! What could be installed? An index of known packages and servers that ships
//! with Holloway, and names that users add. Nothing here is installed or trusted.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// An index that cannot be read is empty; a test sees to it that it can.
static SHIPPED: LazyLock<Vec<Known>> =
    LazyLock::new(|| serde_json::from_str(INDEX).unwrap_or_default());
const INDEX: &str = include_str!("known/index.json");

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
    /// Arguments that must be given; what to fill in is in capitals: `--db-path FILE`.
    #[serde(default)]
    pub arguments: Vec<String>,
}

/// All packages and servers that ship in the index.
pub fn shipped() -> Vec<Known> {
    SHIPPED.clone()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_index_can_be_read_and_every_entry_be_added() {
        let index: Vec<Known> = serde_json::from_str(INDEX).unwrap();
        assert!(index.len() >= 55, "{}", index.len());
        assert_eq!(index, shipped());
        let names: BTreeSet<_> = index.iter().map(|entry| &entry.add).collect();
        assert_eq!(names.len(), index.len(), "an entry is there twice");
        for entry in &index {
            let package = ["npm:", "mcp:npm:", "mcp:pypi:"]
                .iter()
                .find_map(|start| entry.add.strip_prefix(start));
            assert!(package.is_some_and(|name| !name.is_empty()), "{entry:?}");
            let described = !entry.title.is_empty() && !entry.category.is_empty();
            assert!(described && entry.description.ends_with('.'), "{entry:?}");
            for secret in &entry.needs {
                let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
                assert!(secret.chars().all(is_name), "{entry:?}");
            }
        }
    }
}
