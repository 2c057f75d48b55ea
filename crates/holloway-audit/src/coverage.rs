//! What was checked, and what was not? Checks by domain, from `data/coverage.toml`. A score
//! says something only about what was looked at.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::finding::Domain;

/// One check of a domain.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    #[serde(skip)]
    pub name: String,
    /// What it looks at.
    pub about: String,
    /// It sees next to nothing without measured files.
    #[serde(default)]
    pub assets: bool,
}

static PARTS: LazyLock<Map<String, Value>> =
    LazyLock::new(|| toml::from_str(include_str!("../data/coverage.toml")).unwrap_or_default());

/// The checks of a domain, by name.
pub fn parts(domain: Domain) -> Vec<Part> {
    let listed = PARTS.get(domain.name()).and_then(Value::as_object);
    let parts = listed.into_iter().flatten().filter_map(|(name, part)| {
        let part = Part::deserialize(part).ok()?;
        Some(Part {
            name: name.clone(),
            ..part
        })
    });
    parts.collect()
}

/// The checks that a tool makes in one call, by name; with or without measured files.
pub fn of_tool(tool: &str, has_assets: bool) -> Vec<String> {
    let together = PARTS.get("together").and_then(|all| all.get(tool));
    let names: Vec<String> = match together.and_then(Value::as_array) {
        Some(names) => names
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        None => vec![tool.to_owned()],
    };
    let needs: BTreeSet<String> = crate::audit::DOMAINS
        .into_iter()
        .flat_map(parts)
        .filter(|part| part.assets)
        .map(|part| part.name)
        .collect();
    let names = names.into_iter();
    names
        .filter(|name| has_assets || !needs.contains(name))
        .collect()
}

/// What was checked in an audit.
#[derive(Clone, Debug, Default)]
pub struct Coverage(BTreeSet<String>);

impl Coverage {
    pub fn new(checked: impl IntoIterator<Item = String>) -> Self {
        Self(checked.into_iter().collect())
    }

    /// The checks of a domain that were made, and those that were not.
    pub fn of(&self, domain: Domain) -> (Vec<Part>, Vec<Part>) {
        let parts = parts(domain).into_iter();
        parts.partition(|part| self.0.contains(&part.name))
    }

    /// Whether anything of a domain was looked at.
    pub fn has(&self, domain: Domain) -> bool {
        !self.of(domain).0.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::DOMAINS;

    #[test]
    fn tools_together_make_checks_that_there_are() {
        let all: BTreeSet<String> = DOMAINS
            .into_iter()
            .flat_map(parts)
            .map(|part| part.name)
            .collect();
        assert_eq!(all.len(), 25);
        for tool in ["wcag-check", "security-scan", "site-audit"] {
            let made = of_tool(tool, true);
            assert!(
                made.len() > 4 && made.iter().all(|name| all.contains(name)),
                "{tool}"
            );
        }
    }

    #[test]
    fn what_was_not_looked_at_is_known() {
        let coverage = Coverage::new(of_tool("site-audit", false));
        let missing = |domain| -> Vec<String> {
            let (_, missing) = coverage.of(domain);
            missing.into_iter().map(|part| part.name).collect()
        };
        assert_eq!(missing(Domain::Security), ["tls-check"]);
        assert_eq!(
            missing(Domain::Performance),
            ["assets-check", "lighthouse-runner"]
        );
        let one = Coverage::new(of_tool("tls-check", false));
        assert!(one.has(Domain::Security) && !one.has(Domain::Seo));
    }
}
