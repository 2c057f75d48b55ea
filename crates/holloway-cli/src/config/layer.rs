//! What does one file say? Its values by dotted key, or the line that is wrong.

use std::fs;
use std::path::Path;

use holloway_adapters::tools::Folder;
use holloway_plan::problem::did_you_mean;
use toml::{Table, Value};

use super::Settings;
use crate::error::CliError;

/// The values one place gives.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) values: Vec<(String, Value)>,
}

impl Layer {
    /// What holds without any file: tools may use the current folder.
    pub(super) fn compiled_in(folder: &Path) -> Self {
        let mut settings = Settings::default();
        settings.grants.folders.push(Folder {
            path: folder.to_owned(),
            writable: true,
        });
        let table = Table::try_from(&settings).unwrap_or_default();
        Self {
            name: "default".to_owned(),
            values: flat(&table),
        }
    }

    pub(super) fn read(file: &Path) -> Result<Self, CliError> {
        let text = fs::read_to_string(file).map_err(|error| {
            CliError::usage(
                "config-invalid",
                format!("{} cannot be read: {error}", file.display()),
            )
            .hint("make the file readable, or move it away")
        })?;
        let complain = |error: toml::de::Error| complaint(file, &text, &error);
        toml::from_str::<Settings>(&text).map_err(complain)?;
        let mut table: Table = toml::from_str(&text).map_err(complain)?;
        anchor_folders(&mut table, file);
        Ok(Self {
            name: file.display().to_string(),
            values: flat(&table),
        })
    }
}

/// Folders in a file are meant relative to it, wherever the program is started.
fn anchor_folders(table: &mut Table, file: &Path) {
    let here = file.parent().unwrap_or(Path::new("."));
    let folders = table
        .get_mut("grants")
        .and_then(|grants| grants.get_mut("folders"))
        .and_then(Value::as_array_mut);
    for folder in folders.into_iter().flatten() {
        if let Some(Value::String(path)) = folder.get_mut("path") {
            *path = here.join(&path).display().to_string();
        }
    }
}

/// Tables become dotted keys; lists stay whole, so that one replaces another.
fn flat(table: &Table) -> Vec<(String, Value)> {
    let mut values = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => values.extend(
                flat(inner)
                    .into_iter()
                    .map(|(key, value)| (format!("{name}.{key}"), value)),
            ),
            other => values.push((name.clone(), other.clone())),
        }
    }
    values
}

/// The opposite of [`flat`]. Names of tool sources have dots of their own.
pub(super) fn insert(table: &mut Table, key: &str, value: Value) {
    let (head, rest) = match key.split_once('.') {
        Some(("run", rest)) if rest.starts_with("source_limits.") => ("run", rest),
        Some(("source_limits", source)) => {
            return inside(table, "source_limits", |limits| {
                limits.insert(source.to_owned(), value);
            });
        }
        Some(parts) => parts,
        None => {
            table.insert(key.to_owned(), value);
            return;
        }
    };
    inside(table, head, |inner| insert(inner, rest, value));
}

/// Works on the table of this name, making it if it is not there.
fn inside(table: &mut Table, name: &str, work: impl FnOnce(&mut Table)) {
    let entry = table
        .entry(name)
        .or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(inner) = entry {
        work(inner);
    }
}

fn complaint(file: &Path, text: &str, error: &toml::de::Error) -> CliError {
    let place = error
        .span()
        .map(|span| position(text, span.start))
        .map(|(line, column)| format!(":{line}:{column}"))
        .unwrap_or_default();
    let message = error.message().lines().next().unwrap_or_default();
    let told = CliError::usage(
        "config-invalid",
        format!("{}{place}: {message}", file.display()),
    );
    told.some_hint(suggestion(message))
        .or_hint("docs/cli.md explains every key of holloway.toml")
}

/// For an unknown field, the known one that looks most like it.
fn suggestion(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let wanted = quoted.next().filter(|_| message.starts_with("unknown "))?;
    did_you_mean(wanted, quoted)
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_apart_and_together_again() {
        let text = "[run]\nconcurrency = 2\n[run.source_limits]\n\"mcp.git\" = 1\n[grants]\nshell = true\n";
        let table: Table = toml::from_str(text).unwrap();
        let mut again = Table::new();
        for (key, value) in flat(&table) {
            insert(&mut again, &key, value);
        }
        assert_eq!(again, table);
    }

    #[test]
    fn a_place_is_a_line_and_a_column() {
        assert_eq!(position("ab\ncé x", 7), (2, 4));
        assert_eq!(position("", 9), (1, 1));
    }
}
