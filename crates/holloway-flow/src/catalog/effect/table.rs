//! What do the tools of well-known packages do? A table of our own judgements,
//! in `known.json`, for a person to read and correct.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use holloway_plan::tool::Effect;
use serde::Deserialize;

use crate::catalog::offer::{Package, Registry};

const TEXT: &str = include_str!("known.json");
/// In the notes of a package: speaks for all its tools.
const ALL: &str = "*";

/// A table that cannot be read judges nothing; a test sees to it that it can.
static TABLE: LazyLock<BTreeMap<String, Judged>> = LazyLock::new(|| {
    serde_json::from_str::<Document>(TEXT)
        .map(index)
        .unwrap_or_default()
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "about")]
    _about: String,
    packages: Vec<Judgement>,
}

/// As written: tool names by what they do.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judgement {
    /// `npm:NAME` or `pypi:NAME`.
    package: String,
    #[serde(default)]
    read: Vec<String>,
    #[serde(default)]
    idempotent: Vec<String>,
    #[serde(default)]
    write: Vec<String>,
    #[serde(default)]
    destructive: Vec<String>,
    /// Of these, those that their server marks as destructive although they only read.
    #[serde(default)]
    marked_wrongly: BTreeSet<String>,
    #[serde(default)]
    notes: BTreeMap<String, String>,
}

impl Judgement {
    /// From the mildest to the gravest, so that the gravest stays when a tool is named twice.
    fn classes(&self) -> [(Effect, &[String]); 4] {
        [
            (Effect::Read, &self.read),
            (Effect::Idempotent, &self.idempotent),
            (Effect::Write, &self.write),
            (Effect::Destructive, &self.destructive),
        ]
    }
}

/// As looked up: what each tool of a package does.
struct Judged {
    effects: BTreeMap<String, Effect>,
    marked_wrongly: BTreeSet<String>,
    notes: BTreeMap<String, String>,
}

fn index(document: Document) -> BTreeMap<String, Judged> {
    let entry = |judgement: Judgement| {
        let effects = judgement
            .classes()
            .into_iter()
            .flat_map(|(effect, tools)| tools.iter().map(move |tool| (tool.clone(), effect)))
            .collect();
        let judged = Judged {
            effects,
            marked_wrongly: judgement.marked_wrongly,
            notes: judgement.notes,
        };
        (judgement.package, judged)
    };
    document.packages.into_iter().map(entry).collect()
}

/// What is known about one tool.
pub(super) struct Entry {
    pub(super) effect: Effect,
    /// Its server's mark as destructive is known to be wrong.
    pub(super) marked_wrongly: bool,
    pub(super) note: Option<&'static str>,
}

/// What is known about a tool of a package.
pub(super) fn look_up(package: &Package, tool: &str) -> Option<Entry> {
    let judged = TABLE.get(&key(package))?;
    let effect = *judged.effects.get(tool)?;
    let note = judged.notes.get(tool).or_else(|| judged.notes.get(ALL));
    Some(Entry {
        effect,
        marked_wrongly: judged.marked_wrongly.contains(tool),
        note: note.map(String::as_str),
    })
}

fn key(package: &Package) -> String {
    match package.registry {
        Registry::Npm => format!("npm:{}", package.name),
        Registry::Pypi => format!("pypi:{}", plain(&package.name)),
    }
}

/// `PyPI` takes `Excel_MCP.server` and `excel-mcp-server` for one name.
fn plain(name: &str) -> Cow<'_, str> {
    let is_mark = |c: char| matches!(c, '-' | '_' | '.');
    if !name.contains(|c: char| c.is_uppercase() || is_mark(c)) {
        return name.into();
    }
    let parts: Vec<_> = name
        .split(is_mark)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("-").to_lowercase().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        serde_json::from_str(TEXT).unwrap()
    }

    #[test]
    fn every_tool_is_of_exactly_one_class() {
        let document = document();
        assert!(document.packages.len() >= 20);
        let mut packages = BTreeSet::new();
        for judgement in &document.packages {
            let package = &judgement.package;
            assert!(packages.insert(package), "{package} is there twice");
            let mut tools = BTreeSet::new();
            for tool in judgement.classes().into_iter().flat_map(|(_, tools)| tools) {
                assert!(tools.insert(tool), "{package}: {tool} is there twice");
            }
            assert!(!tools.is_empty(), "{package} has no tools");
            for noted in judgement.notes.keys() {
                assert!(
                    noted == ALL || tools.contains(noted),
                    "{package}: the note on {noted} is on no tool"
                );
            }
            for tool in &judgement.marked_wrongly {
                let reads = judgement.read.contains(tool);
                assert!(
                    reads && judgement.notes.contains_key(tool),
                    "{package}: {tool} must only read, and a note must say why it is marked"
                );
            }
        }
    }

    #[test]
    fn every_package_can_be_looked_up() {
        for judgement in document().packages {
            let (registry, name) = judgement.package.split_once(':').unwrap();
            let package = Package {
                registry: serde_json::from_value(registry.into()).unwrap(),
                name: name.to_owned(),
                version: String::new(),
                integrity: String::new(),
            };
            for (effect, tools) in judgement.classes() {
                for tool in tools {
                    let found = look_up(&package, tool).map(|entry| entry.effect);
                    assert_eq!(found, Some(effect), "{name}: {tool}");
                }
            }
        }
    }
}
