//! What would change if a file were trusted? Each key with its value now and then, and for a file
//! that was trusted before, the lines that are different. Nothing is cut and nothing is hidden:
//! this is what a person agrees to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use similar::TextDiff;

use crate::config::trust::{ProjectFile, TrustStore, Trusted};
use crate::config::{Config, Origin, Project};
use crate::error::CliError;
use crate::print::paint::Paint;
use crate::print::{units, visible};

/// Lines around a difference.
const AROUND: usize = 2;

/// What trust in a file changes.
pub(super) struct Change {
    file: ProjectFile,
    keys: Vec<KeyChange>,
    /// Keys of the file that stay denied.
    denied: Vec<String>,
    /// The lines that are different from the version that was trusted.
    lines: Option<String>,
    /// What trust is given to: the text, and where its folders lead.
    looked_at: Trusted,
    /// Folders that lead elsewhere than their path says, and where.
    links: BTreeMap<PathBuf, Option<PathBuf>>,
}

/// One key, now and with trust.
#[derive(Debug, Serialize)]
struct KeyChange {
    key: String,
    now: Option<Value>,
    then: Option<Value>,
}

impl Change {
    pub(super) fn of(
        file: &ProjectFile,
        store: &TrustStore,
        here: &Path,
        now_ms: u64,
    ) -> Result<Self, CliError> {
        // What is granted depends on where one works: here, or else where the file holds.
        let holds_here = Project::around(here).file.as_ref() == Some(&file.path);
        let beside = file.path.parent().unwrap_or(here);
        let folder = if holds_here { here } else { beside };
        let now = Config::with_project(folder, Some(file), false)?;
        let then = Config::with_project(folder, Some(file), true)?;
        let version = store.version_of(&file.path);
        let lines = version.map(|version| difference(&version.text, &file.text));
        let looked_at = Trusted::of(file, now_ms);
        let mut links = looked_at.places.clone();
        links.retain(|path, real| real.as_ref() != Some(path));
        Ok(Self {
            file: file.clone(),
            looked_at,
            links,
            keys: keys(&now.values, &then.values),
            denied: then.passed_over.denied,
            lines: lines.filter(|lines| !lines.is_empty()),
        })
    }

    pub(super) fn looked_at(&self) -> &Trusted {
        &self.looked_at
    }

    pub(super) fn file(&self) -> &Path {
        &self.file.path
    }

    /// The change for a person.
    pub(super) fn text(&self, paint: Paint) -> String {
        let mut lines = vec![paint.bold(&visible(&self.file.path.display().to_string()))];
        if let Some(changed) = &self.lines {
            lines.push("changed since it was trusted:".to_owned());
            lines.extend(changed.lines().map(|line| painted(&visible(line), paint)));
        }
        if !self.keys.is_empty() {
            lines.push("what would change:".to_owned());
        }
        for KeyChange { key, now, then } in &self.keys {
            lines.push(format!("  {}", visible(key)));
            let sides = [("-", now), ("+", then)];
            let sides = sides
                .iter()
                .filter_map(|(sign, value)| Some((sign, value.as_ref()?)));
            for (sign, value) in sides {
                let line = format!("{sign} {}", visible(&value.to_string()));
                lines.push(format!("    {}", painted(&line, paint)));
            }
        }
        for (path, real) in &self.links {
            let path = visible(&path.display().to_string());
            lines.push(match real {
                Some(real) => format!("{path} leads to {}", visible(&real.display().to_string())),
                None => format!("{path} leads nowhere now"),
            });
        }
        if !self.denied.is_empty() {
            let denied = visible(&self.denied.join(", "));
            lines.push(format!(
                "your own configuration denies, so it stays: {denied}"
            ));
        }
        lines.push(format!("digest {}", self.file.digest()));
        lines.push(self.summary());
        lines.join("\n")
    }

    /// How many keys of which tables change. It stands last, where a long list before it cannot
    /// push it out of sight.
    fn summary(&self) -> String {
        let mut tables: BTreeMap<&str, usize> = BTreeMap::new();
        for change in &self.keys {
            let table = change.key.split('.').next().unwrap_or_default();
            *tables.entry(table).or_default() += 1;
        }
        let tables = tables.iter().map(|(table, keys)| {
            let keys = units::count(*keys, "key");
            format!("[{table}] {keys}")
        });
        let tables: Vec<String> = tables.collect();
        match tables.as_slice() {
            [] => "in all: nothing changes in this folder".to_owned(),
            tables => format!("in all: {}", visible(&tables.join(", "))),
        }
    }

    /// The change for programs.
    pub(super) fn data(&self, is_trusted: bool) -> Value {
        json!({
            "file": self.file.path,
            "digest": self.file.digest(),
            "trusted": is_trusted,
            "changes": self.keys,
            "denied": self.denied,
            "difference": self.lines,
            "leads_to": self.links,
        })
    }
}

fn painted(line: &str, paint: Paint) -> String {
    match line.chars().next() {
        Some('+') => paint.green(line),
        Some('-') => paint.red(line),
        _ => line.to_owned(),
    }
}

fn keys(now: &[Origin], then: &[Origin]) -> Vec<KeyChange> {
    // As JSON, because that stays on one line whatever is in it.
    let value = |values: &[Origin], key: &str| {
        let found = values.iter().find(|value| value.key == key)?;
        serde_json::to_value(&found.value).ok()
    };
    let mut names: Vec<&String> = now.iter().chain(then).map(|value| &value.key).collect();
    names.sort();
    names.dedup();
    let change = |key: &String| KeyChange {
        key: key.clone(),
        now: value(now, key),
        then: value(then, key),
    };
    let all = names.into_iter().map(change);
    all.filter(|change| change.now != change.then).collect()
}

fn difference(before: &str, after: &str) -> String {
    let difference = TextDiff::from_lines(before, after);
    let mut lines = difference.unified_diff();
    lines.context_radius(AROUND).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_that_change_are_told() {
        let value = |key: &str, value: &str| Origin {
            key: key.to_owned(),
            value: toml::Value::from(value),
            from: String::new(),
        };
        let now = [value("a", "1"), value("b", "1"), value("c", "1")];
        let then = [value("b", "2\n+ x"), value("c", "1"), value("d", "1")];
        let told: Vec<String> = keys(&now, &then)
            .iter()
            .map(|change| format!("{} {:?} {:?}", change.key, change.now, change.then))
            .collect();
        assert_eq!(
            told,
            [
                "a Some(String(\"1\")) None",
                "b Some(String(\"1\")) Some(String(\"2\\n+ x\"))",
                "d None Some(String(\"1\"))"
            ]
        );
    }
}
