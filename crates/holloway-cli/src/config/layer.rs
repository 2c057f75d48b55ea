//! What does one file say? Its values by dotted key, or the line that is wrong.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use holloway_plan::problem::did_you_mean;
use holloway_plan::tool::does::BadDoes;
use holloway_tools::{Folder, Protected};
use toml::{Table, Value};

use super::Settings;
use crate::error::CliError;
use crate::from_here::from_here;

/// A file that is larger was not written by hand.
const MOST_BYTES: u64 = 1 << 20;

/// The values one place gives.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) values: Vec<(String, Value)>,
}

impl Layer {
    /// What holds without any file: tools may use the current folder, unless that would be
    /// everything a person has.
    pub(super) fn compiled_in(folder: &Path) -> Self {
        let mut settings = Settings::default();
        if is_granted_by_itself(folder, etcetera::home_dir().ok().as_deref()) {
            settings.grants.folders.push(Folder {
                path: folder.to_owned(),
                writable: true,
            });
        }
        let table = Table::try_from(&settings).unwrap_or_default();
        Self {
            name: "default".to_owned(),
            values: flat(&table),
        }
    }

    /// What a file says.
    pub(super) fn read(file: &Path) -> Result<Self, CliError> {
        Self::parse(file, &text_of(file)?)
    }

    /// What the text of a file says.
    pub(super) fn parse(file: &Path, text: &str) -> Result<Self, CliError> {
        let complain = |error: toml::de::Error| complaint(file, text, &error);
        toml::from_str::<Settings>(text).map_err(complain)?;
        let mut table: Table = toml::from_str(text).map_err(complain)?;
        anchor_folders(&mut table, file)?;
        Ok(Self {
            name: file.display().to_string(),
            values: flat(&table),
        })
    }
}

/// The text of a file, read once, and not more of it than a configuration has.
pub(super) fn text_of(file: &Path) -> Result<String, CliError> {
    let unreadable = |error: io::Error| {
        let message = format!("{} cannot be read: {error}", file.display());
        CliError::usage("config-invalid", message).hint("make the file readable, or move it away")
    };
    let opened = File::open(file).map_err(unreadable)?;
    let mut text = String::new();
    let mut bounded = opened.take(MOST_BYTES + 1);
    bounded.read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MOST_BYTES {
        let message = format!(
            "{} has more than {MOST_BYTES} bytes, which is the most a configuration has",
            file.display()
        );
        return Err(CliError::usage("config-invalid", message)
            .hint("check that it is a configuration, or move it away"));
    }
    Ok(text)
}

/// Whether the current folder is granted unasked. Not the home folder, nor one above it, nor a
/// sensitive place: whoever means one of these says so.
fn is_granted_by_itself(folder: &Path, home: Option<&Path>) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let here = real(folder);
    let holds_home = home.is_some_and(|home| real(home).starts_with(&here));
    let is_root = here.parent().is_none();
    let mut known = Protected::default();
    if let Some(home) = home {
        known = known.with_home(home);
    }
    !holds_home && !is_root && !known.is_sensitive(folder)
}

/// Folders in a file are meant relative to it, wherever the program is started.
fn anchor_folders(table: &mut Table, file: &Path) -> Result<(), CliError> {
    let here = file.parent().unwrap_or(Path::new("."));
    let folders = table
        .get_mut("grants")
        .and_then(|grants| grants.get_mut("folders"))
        .and_then(Value::as_array_mut);
    for folder in folders.into_iter().flatten() {
        if let Some(Value::String(path)) = folder.get_mut("path") {
            let whole = from_here(here, &*path);
            // Written another way, it would be the path of another folder.
            let text = whole.to_str().ok_or_else(|| unwritable(file, path))?;
            *path = text.to_owned();
        }
    }
    Ok(())
}

fn unwritable(file: &Path, folder: &str) -> CliError {
    let message = format!(
        "{}: `grants.folders` names `{folder}`, whose whole path has bytes that are no text",
        file.display()
    );
    CliError::usage("config-invalid", message).hint(
        "move the project to a folder whose name is UTF-8, or grant the folder with --grant-folder",
    )
}

/// Tables with names of the user's choice, which have dots of their own.
const NAMED: [&str; 4] = [
    "run.source_limits.",
    "sources.",
    "tools.effects.",
    "tools.does.",
];

/// Tables become dotted keys; lists stay whole, so that one replaces another, and
/// so does what is said about one source.
pub(super) fn flat(table: &Table) -> Vec<(String, Value)> {
    let mut values = Vec::new();
    flatten(table, "", &mut values);
    values
}

fn flatten(table: &Table, above: &str, values: &mut Vec<(String, Value)>) {
    for (name, value) in table {
        let key = format!("{above}{name}");
        match value {
            Value::Table(inner) if !NAMED.contains(&above) => {
                flatten(inner, &format!("{key}."), values);
            }
            other => values.push((key, other.clone())),
        }
    }
}

/// The opposite of [`flat`].
pub(super) fn insert(table: &mut Table, key: &str, value: Value) {
    let named = NAMED.iter().find(|prefix| key.starts_with(**prefix));
    let (path, name) = match named {
        Some(prefix) => key.split_at(prefix.len()),
        None => key.split_at(key.rfind('.').map_or(0, |dot| dot + 1)),
    };
    let mut inside = table;
    for part in path.split_terminator('.') {
        let entry = inside
            .entry(part)
            .or_insert_with(|| Value::Table(Table::new()));
        let Value::Table(inner) = entry else { return };
        inside = inner;
    }
    inside.insert(name.to_owned(), value);
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
    told.some_hint(suggestion(message).or_else(|| notation(message)))
        .or_hint("docs/cli.md explains every key of holloway.toml")
}

/// For an unknown field, the known one that looks most like it.
fn suggestion(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let wanted = quoted.next().filter(|_| message.starts_with("unknown "))?;
    did_you_mean(wanted, quoted)
}

/// For a line that does not say what a tool does, one that does.
fn notation(message: &str) -> Option<String> {
    let hint =
        "write it like `read file:path -> text:content`; docs/tools.md explains the notation";
    message.contains(BadDoes::SAID).then(|| hint.to_owned())
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
        let text = "[run]\nconcurrency = 2\n[run.source_limits]\n\"mcp.git\" = 1\n[grants]\nshell = true\n\
                    [tools.effects]\n\"mcp.git/a.b\" = \"read\"\n\
                    [tools.does]\n\"mcp.git/a.b\" = [\"diff -> text\"]\n\
                    [sources.\"npm.@scope/name.js\"]\nenv = { KEY = \"x\" }\n";
        let table: Table = toml::from_str(text).unwrap();
        let mut again = Table::new();
        for (key, value) in flat(&table) {
            insert(&mut again, &key, value);
        }
        assert_eq!(again, table);
    }

    #[test]
    fn the_home_folder_and_what_is_above_it_are_not_granted_unasked() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        std::fs::create_dir_all(home.join("work/.ssh")).unwrap();
        std::os::unix::fs::symlink(home, home.join("work/back")).unwrap();
        for folder in [
            home.to_owned(),
            home.join("."),
            home.join("work/.."),
            home.join("work/back"),
            home.join("work/.ssh"),
            home.parent().unwrap().to_owned(),
            "/".into(),
        ] {
            assert!(
                !is_granted_by_itself(&folder, Some(home)),
                "{}",
                folder.display()
            );
        }
        assert!(is_granted_by_itself(&home.join("work"), Some(home)));
        assert!(!is_granted_by_itself(Path::new("/"), None));
    }

    #[test]
    fn a_place_is_a_line_and_a_column() {
        assert_eq!(position("ab\ncé x", 7), (2, 4));
        assert_eq!(position("", 9), (1, 1));
    }
}
