//! What does one entry of a client's file say? Every client has its own words for
//! command, environment, address and headers.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::secret::Taker;
use super::{Imported, McpConfig};

/// What became of an entry.
pub(super) enum Entry {
    Server(Box<Imported>),
    /// Not taken over, and why.
    Skipped(String),
}

/// Reads one entry. `name` is safe already.
pub(super) fn read(name: &str, entry: &Value, inputs: Option<&Value>) -> Entry {
    let Some(entry) = entry.as_object() else {
        return Entry::Skipped(format!("`{name}` is not an object"));
    };
    if flag(entry, "disabled") == Some(true) || flag(entry, "enabled") == Some(false) {
        return Entry::Skipped(format!("`{name}` is disabled there and was left out"));
    }
    let mut taker = Taker::new(name, inputs);
    let address = address(entry);
    let config = match (program(entry), address) {
        (Some(program), _) => of_program(program, entry, &mut taker),
        (None, Some(address)) if is_old(entry, &address) => {
            return Entry::Skipped(format!(
                "`{name}` uses the old SSE transport, which is not supported; if it has a streamable address (often ending in /mcp), add that"
            ));
        }
        (None, Some(address)) => of_address(&address, entry, &mut taker),
        (None, None) => {
            return Entry::Skipped(format!("`{name}` has neither a command nor an address"));
        }
    };
    note_the_rest(entry, &mut taker);
    Entry::Server(Box::new(Imported {
        name: name.to_owned(),
        config,
        secrets: taker.secrets,
        notes: taker.notes,
    }))
}

fn of_program(
    (command, mut args): (String, Vec<String>),
    entry: &Map<String, Value>,
    taker: &mut Taker<'_>,
) -> McpConfig {
    let mut command = command;
    if args.is_empty() && command.contains(' ') && !command.starts_with(['/', '.', '"']) {
        let mut words = command.split_whitespace().map(str::to_owned);
        let first = words.next().unwrap_or_default();
        args = words.collect();
        command = first;
        taker.note("the command was cut at its blanks".to_owned());
    }
    let shell = command.eq_ignore_ascii_case("cmd") || command.eq_ignore_ascii_case("cmd.exe");
    if shell
        && args
            .first()
            .is_some_and(|first| first.eq_ignore_ascii_case("/c"))
        && args.len() > 1
    {
        command = args.drain(..2).nth(1).unwrap_or_default();
        taker.note("`cmd /c`, which only Windows needs, was left out".to_owned());
    }
    let environment = nested(entry, "env").or_else(|| nested(entry, "environment"));
    let env = texts(environment)
        .into_iter()
        .map(|(name, value)| {
            let value = taker.text(&name, &value);
            (name, value)
        })
        .collect();
    McpConfig {
        command: taker.text("command", &command),
        args: taker.arguments(&args),
        env,
        cwd: taker.text("cwd", text(entry, "cwd").unwrap_or_default()),
        start_timeout_ms: start_timeout(entry),
        ..McpConfig::default()
    }
}

fn of_address(address: &str, entry: &Map<String, Value>, taker: &mut Taker<'_>) -> McpConfig {
    let mut headers = BTreeMap::new();
    let given = nested(entry, "headers")
        .or_else(|| nested(entry, "http_headers"))
        .or_else(|| {
            nested(
                entry.get("requestOptions").and_then(Value::as_object)?,
                "headers",
            )
        });
    for (name, value) in texts(given) {
        let value = taker.text(&name, &value);
        headers.insert(name, value);
    }
    for (name, variable) in texts(nested(entry, "env_http_headers")) {
        headers.insert(name, format!("${{{variable}}}"));
    }
    if let Some(variable) = text(entry, "bearer_token_env_var") {
        headers.insert(
            "Authorization".to_owned(),
            format!("Bearer ${{{variable}}}"),
        );
    }
    if text(entry, "type") == Some("sse") {
        taker.note(
            "listed as SSE; its address looks like a streamable one and is used as such".to_owned(),
        );
    }
    McpConfig {
        url: taker.address(address),
        headers,
        start_timeout_ms: start_timeout(entry),
        ..McpConfig::default()
    }
}

/// The program and its arguments: one text, a list, or an object with a path.
fn program(entry: &Map<String, Value>) -> Option<(String, Vec<String>)> {
    let args = |fields: &Map<String, Value>| list(fields.get("args"));
    match entry.get("command")? {
        Value::String(command) if !command.trim().is_empty() => {
            Some((command.trim().to_owned(), args(entry)))
        }
        Value::Array(_) => {
            let mut words = list(entry.get("command")).into_iter();
            let first = words.next()?;
            Some((first, words.chain(args(entry)).collect()))
        }
        Value::Object(fields) => Some((text(fields, "path")?.to_owned(), args(fields))),
        _ => None,
    }
}

fn address(entry: &Map<String, Value>) -> Option<String> {
    ["httpUrl", "url", "serverUrl"]
        .into_iter()
        .find_map(|name| text(entry, name))
        .map(str::to_owned)
}

/// Does it speak the transport that streamable HTTP replaced?
fn is_old(entry: &Map<String, Value>, address: &str) -> bool {
    let path = address.split('?').next().unwrap_or_default();
    let path = path.trim_end_matches('/');
    let sse_path = path.ends_with("/sse");
    match text(entry, "type").or_else(|| text(entry, "transport")) {
        Some("sse") => !path.ends_with("/mcp"),
        Some(_) => false,
        None => sse_path && !entry.contains_key("httpUrl"),
    }
}

/// Things a person should know that have no place in our configuration.
fn note_the_rest(entry: &Map<String, Value>, taker: &mut Taker<'_>) {
    for (field, note) in [
        (
            "envFile",
            "its `envFile` is not read; set the variables as secrets",
        ),
        (
            "oauth",
            "it logs in with OAuth, which is not supported; give a token in `headers`",
        ),
        (
            "auth",
            "it logs in by itself there; give a token in `headers` if it needs one",
        ),
        ("autoApprove", "approvals are not taken over"),
        ("alwaysAllow", "approvals are not taken over"),
        ("trust", "approvals are not taken over"),
    ] {
        let set = entry.get(field).is_some_and(|value| {
            !matches!(value, Value::Null | Value::Bool(false))
                && value.as_array().is_none_or(|items| !items.is_empty())
        });
        if set {
            taker.note(note.to_owned());
        }
    }
    if entry
        .get("command")
        .is_some_and(|command| command.get("env").is_some())
    {
        taker.note("the environment inside `command` was taken over".to_owned());
    }
}

fn start_timeout(entry: &Map<String, Value>) -> Option<u64> {
    let seconds = entry.get("startup_timeout_sec").and_then(Value::as_f64);
    seconds
        .filter(|seconds| seconds.is_finite() && *seconds > 0.0)
        .map(|seconds| (seconds * 1_000.0) as u64)
        .or_else(|| entry.get("startup_timeout_ms").and_then(Value::as_u64))
}

/// A map inside the entry, or inside its `command` object.
fn nested<'a>(entry: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    entry
        .get(name)
        .or_else(|| entry.get("command")?.get(name))
        .and_then(Value::as_object)
}

/// Numbers and switches become the texts a program sees.
fn texts(fields: Option<&Map<String, Value>>) -> Vec<(String, String)> {
    let fields = fields.into_iter().flatten();
    let texts = fields.filter_map(|(name, value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Some((name.clone(), value.to_string())),
        _ => None,
    });
    texts.collect()
}

fn list(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    let texts = items.filter_map(|item| match item {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(item.to_string()),
        _ => None,
    });
    texts.collect()
}

fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str)
}

fn flag(fields: &Map<String, Value>, name: &str) -> Option<bool> {
    fields.get(name).and_then(Value::as_bool)
}
