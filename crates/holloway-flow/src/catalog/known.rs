//! What could be installed? An index of known packages and servers that ships
//! with Holloway, and names that users add. Nothing here is installed or trusted.

use std::collections::BTreeSet;
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

/// What a word in each part of an entry is worth.
const IN_NAME: u32 = 8;
const IN_TITLE: u32 = 8;
const IN_CATEGORY: u32 = 4;
const IN_TOOLS: u32 = 3;
const IN_DESCRIPTION: u32 = 2;
/// Words that fit everything and so say nothing.
const EMPTY_WORDS: &[&str] = &[
    "a", "an", "and", "by", "for", "from", "in", "is", "it", "mcp", "my", "npm", "of", "on", "or",
    "pypi", "server", "the", "to", "tool", "tools", "with",
];

/// The entries that fit the words best, best first; those that fit equally by name.
pub fn find<'a>(words: &str, known: &'a [Known], limit: usize) -> Vec<&'a Known> {
    let wanted = words_of(words);
    let mut found: Vec<_> = known
        .iter()
        .map(|entry| (fit(entry, &wanted), entry))
        .filter(|(fit, _)| *fit > (0, 0))
        .collect();
    found.sort_by(|(one, first), (other, second)| {
        other.cmp(one).then_with(|| first.add.cmp(&second.add))
    });
    found
        .into_iter()
        .map(|(_, entry)| entry)
        .take(limit)
        .collect()
}

/// How many of the words an entry holds, then how prominently.
fn fit(entry: &Known, wanted: &BTreeSet<String>) -> (usize, u32) {
    let tools = entry.tools.join(" ");
    let parts = [
        (IN_NAME, entry.add.as_str()),
        (IN_TITLE, &entry.title),
        (IN_CATEGORY, &entry.category),
        (IN_TOOLS, &tools),
        (IN_DESCRIPTION, &entry.description),
    ]
    .map(|(worth, text)| (worth, words_of(text)));
    let scores = wanted.iter().map(|word| {
        let holds = parts.iter().filter(|(_, words)| words.contains(word));
        holds.map(|(worth, _)| *worth).sum::<u32>()
    });
    scores
        .filter(|score| *score > 0)
        .fold((0, 0), |(count, sum), score| (count + 1, sum + score))
}

fn words_of(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .map(singular)
        .filter(|word| !word.is_empty() && !EMPTY_WORDS.contains(word))
        .map(str::to_owned)
        .collect()
}

/// So that `charts` finds `chart`; both sides go through it, so it need not be English.
fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
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

    #[track_caller]
    fn check(words: &str, expected: &[&str]) {
        let shipped = shipped();
        let found = find(words, &shipped, expected.len().max(1));
        let found: Vec<_> = found.iter().map(|entry| entry.add.as_str()).collect();
        assert_eq!(found, expected, "{words}");
    }

    #[test]
    fn the_obvious_comes_first() {
        check(
            "bootstrap confidence interval",
            &["npm:@tpmjs/tools-bootstrap-ci"],
        );
        check("Notion", &["mcp:npm:@notionhq/notion-mcp-server"]);
        check("run a SQLite query", &["mcp:pypi:mcp-server-sqlite"]);
        check("watermark for PDF files", &["mcp:pypi:pdf-mcp-server"]);
        check(
            "convert HTML to Markdown",
            &["npm:@tpmjs/tools-html-to-markdown"],
        );
        check("generate_sankey_chart", &["mcp:npm:@antv/mcp-server-chart"]);
        check("weight volume temperature units", &["mcp:pypi:mcp-units"]);
    }

    #[test]
    fn words_that_fit_nothing_find_nothing() {
        check("", &[]);
        check("the tool of a server", &[]);
        check("xylophone", &[]);
    }

    #[test]
    fn equal_fits_are_ordered_by_name() {
        let entry = |add: &str| Known {
            add: add.to_owned(),
            title: "Weather".to_owned(),
            description: String::new(),
            category: String::new(),
            tools: vec![],
            needs: vec![],
            arguments: vec![],
        };
        let known = [entry("npm:c"), entry("npm:a"), entry("npm:b")];
        let names = |limit| {
            let found = find("weather", &known, limit);
            found
                .iter()
                .map(|entry| entry.add.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(9), ["npm:a", "npm:b", "npm:c"]);
        assert_eq!(names(2), ["npm:a", "npm:b"]);
        assert_eq!(names(0), Vec::<String>::new());
    }
}
