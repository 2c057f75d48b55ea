//! Which servers does a person already have? The configuration files of the usual
//! clients, read as they are; secrets in them are taken out and named.

mod entry;
mod plain;
mod secret;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use self::entry::Entry;
use self::secret::Taker;
use super::McpConfig;
use holloway_tools::secrets::SecretText;

/// One server of such a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// Of `a-z`, `0-9`, `_` and `-`.
    pub name: String,
    pub config: McpConfig,
    /// What stood in the file as it is: to be kept under these names.
    pub secrets: Vec<(String, SecretText)>,
    /// What a person should know about it.
    pub notes: Vec<String>,
}

/// All of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    pub servers: Vec<Imported>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ImportError {
    pub message: String,
    pub hint: String,
    /// Line and column, where the text is at fault.
    pub place: Option<(usize, usize)>,
}

/// Reads a file of JSON, comments and commas too many allowed. `file` is its name.
pub fn from_json(file: &str, text: &str) -> Result<Import, ImportError> {
    let value: Value = serde_json::from_str(&plain::json(text)).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        ImportError {
            message: format!("`{file}` line {line}, column {column}: {what}"),
            hint: "correct the file there; it must be JSON (comments are allowed)".to_owned(),
            place: Some((line, column)),
        }
    })?;
    from_value(file, &value)
}

/// The same for what was read from TOML or YAML.
pub fn from_value(file: &str, value: &Value) -> Result<Import, ImportError> {
    let inputs = value.get("inputs").or_else(|| value.pointer("/mcp/inputs"));
    let Some(entries) = entries(value) else {
        return Err(ImportError {
            message: format!("`{file}` names no MCP servers"),
            hint: "expected `mcpServers`, `servers`, `context_servers`, `mcp_servers` or `mcp`"
                .to_owned(),
            place: None,
        });
    };
    let mut import = Import::default();
    let mut names = BTreeSet::new();
    for (name, entry) in entries {
        let safe = unused(&safe_name(&name), &names);
        match entry::read(&safe, &entry, inputs) {
            Entry::Skipped(why) => import.notes.push(why),
            Entry::Server(mut server) => {
                if safe != name {
                    server.notes.push(format!("it is called `{name}` there"));
                }
                names.insert(safe);
                import.servers.push(*server);
            }
        }
    }
    Ok(import)
}

/// The servers, wherever this kind of file has them.
fn entries(value: &Value) -> Option<Vec<(String, Value)>> {
    let known = [
        "mcpServers",
        "mcp_servers",
        "context_servers",
        "mcp.servers",
        "servers",
    ]
    .into_iter()
    .find_map(|name| value.get(name))
    .or_else(|| value.pointer("/mcp/servers"))
    .or_else(|| value.pointer("/amp.mcpServers"))
    .or_else(|| value.get("mcp"));
    match known {
        Some(Value::Object(servers)) => Some(of_map(servers)),
        Some(Value::Array(servers)) => Some(servers.iter().map(of_item).collect()),
        Some(_) => None,
        None => bare(value.as_object()?),
    }
}

fn of_map(servers: &Map<String, Value>) -> Vec<(String, Value)> {
    let pairs = servers
        .iter()
        .map(|(name, entry)| (name.clone(), entry.clone()));
    pairs.collect()
}

fn of_item(item: &Value) -> (String, Value) {
    let name = item.get("name").and_then(Value::as_str);
    (name.unwrap_or("server").to_owned(), item.clone())
}

/// A file that is nothing but servers by name.
fn bare(fields: &Map<String, Value>) -> Option<Vec<(String, Value)>> {
    let is_server = |entry: &Value| {
        ["command", "url", "httpUrl", "serverUrl"]
            .into_iter()
            .any(|name| entry.get(name).is_some())
    };
    (!fields.is_empty() && fields.values().all(is_server)).then(|| of_map(fields))
}

fn safe_name(name: &str) -> String {
    let mut safe = String::new();
    for character in name.to_lowercase().chars() {
        match character {
            'a'..='z' | '0'..='9' | '_' => safe.push(character),
            _ if safe.ends_with('-') => {}
            _ => safe.push('-'),
        }
    }
    match safe.trim_matches('-') {
        "" => "server".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

fn unused(name: &str, taken: &BTreeSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 1;
    while taken.contains(&candidate) {
        number += 1;
        candidate = format!("{name}-{number}");
    }
    candidate
}

/// Takes keys that were typed into a configuration out of it; their names stay.
pub fn take_secrets(source: &str, config: &mut McpConfig) -> Vec<(String, SecretText)> {
    let mut taker = Taker::new(source, None);
    config.args = taker.arguments(&config.args);
    config.url = taker.address(&config.url);
    for texts in [&mut config.env, &mut config.headers] {
        take_texts(&mut taker, texts);
    }
    taker.secrets
}

/// The same for texts by name.
pub fn take_from(source: &str, texts: &mut BTreeMap<String, String>) -> Vec<(String, SecretText)> {
    let mut taker = Taker::new(source, None);
    take_texts(&mut taker, texts);
    taker.secrets
}

fn take_texts(taker: &mut Taker<'_>, texts: &mut BTreeMap<String, String>) {
    for (name, text) in texts {
        *text = taker.text(name, text);
    }
}

#[cfg(test)]
mod tests;
