//! How do catalogues and requests stand in files? One JSON object per line; a line
//! that is wrong is named by its number.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::entry::Entry;

/// Catalogues larger than this are refused.
const LINES_AT_MOST: usize = 1_000_000;
/// Where packages come from; it says nothing about what they do.
const REGISTRIES: [&str; 2] = ["npm:", "pypi:"];

/// A request whose right tools are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub id: String,
    pub query: String,
    /// Each is one thing that is needed; any tool of its list does it.
    pub tools: Vec<Vec<String>>,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct LineError {
    pub line: usize,
    pub what: String,
}

#[derive(Deserialize)]
struct ToolLine {
    id: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    server: Option<String>,
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    input_schema: Value,
}

#[derive(Deserialize)]
struct RequestLine {
    id: Value,
    query: String,
    #[serde(default)]
    tools: Vec<OneOrMore>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a tool id, or a list of ids of which any will do"
)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// The tools of a catalogue: `{id, name, description, input_schema?, server?, category?}`.
/// A tool that is listed twice is one tool, with all that both lines say.
pub fn tools(text: &str) -> Result<Vec<Entry>, LineError> {
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    let mut entries: Vec<Entry> = Vec::new();
    for (_, tool) in parsed::<ToolLine>(text, "a tool")? {
        let entry = entry(tool);
        let place = places.get(&entry.id).copied();
        if let Some(first) = place.and_then(|place| entries.get_mut(place)) {
            first.join(entry);
            continue;
        }
        places.insert(entry.id.clone(), entries.len());
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(tool: ToolLine) -> Entry {
    let server = tool.server.unwrap_or_default();
    let bare = REGISTRIES
        .iter()
        .find_map(|registry| server.strip_prefix(registry));
    let entry = Entry {
        name: tool.name.unwrap_or_default(),
        server: bare.unwrap_or(&server).to_owned(),
        description: tool.description.unwrap_or_default(),
        category: tool.category.unwrap_or_default(),
        id: tool.id,
        parameters: Vec::new(),
    };
    entry.with_schema(&tool.input_schema).shortened()
}

/// Requests with the tools they need: `{id, query, tools: [id or [id, id]]}`.
pub fn requests(text: &str) -> Result<Vec<Request>, LineError> {
    let lines = parsed::<RequestLine>(text, "a request")?;
    Ok(lines.into_iter().map(|(_, line)| request(line)).collect())
}

fn request(line: RequestLine) -> Request {
    let several = |tool| match tool {
        OneOrMore::One(id) => vec![id],
        OneOrMore::More(ids) => ids,
    };
    Request {
        id: match line.id {
            Value::String(id) => id,
            other => other.to_string(),
        },
        query: line.query,
        tools: line.tools.into_iter().map(several).collect(),
    }
}

/// Every line that is not blank, with its number.
fn parsed<T: for<'de> Deserialize<'de>>(
    text: &str,
    kind: &str,
) -> Result<Vec<(usize, T)>, LineError> {
    let mut found = Vec::new();
    for (at, text) in text.lines().enumerate() {
        let line = at + 1;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        if found.len() == LINES_AT_MOST {
            let what = format!("more than {LINES_AT_MOST} lines are not taken");
            return Err(LineError { line, what });
        }
        let one = serde_json::from_str(text).map_err(|error| LineError {
            line,
            what: format!("this is not {kind}: {}", without_line(&error)),
        })?;
        found.push((line, one));
    }
    Ok(found)
}

/// The line that serde counts is always the first; the column helps.
fn without_line(error: &serde_json::Error) -> String {
    error
        .to_string()
        .replace(" at line 1 column ", " at column ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_and_requests_are_read() {
        let text = "\u{feff}{\"id\":\"a\",\"server\":\"npm:@x/git\",\"name\":null}\n\n{\"id\":\"b\",\"category\":\"web\"}\n";
        let entries = tools(text).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(
            (entries[0].server.as_str(), entries[1].category.as_str()),
            ("@x/git", "web")
        );
        let read =
            requests("{\"id\":7,\"query\":\"q\",\"tools\":[\"a\",[\"b\",\"c\"]],\"links\":[]}")
                .unwrap();
        assert_eq!(read[0].id, "7");
        assert_eq!(read[0].tools, [vec!["a"], vec!["b", "c"]]);
    }

    #[test]
    fn a_tool_listed_twice_is_one_tool() {
        let one = r#"{"id":"a","description":"One.","input_schema":{"properties":{"x":{}}}}"#;
        let two =
            r#"{"id":"a","description":"Two.","input_schema":{"properties":{"x":{},"y":{}}}}"#;
        let entries = tools(&[one, two, one].join("\n")).unwrap();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].description, "One. Two.");
        assert_eq!(entries[0].parameters.len(), 2);
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let error = tools(text)
            .map(drop)
            .and_then(|()| requests(text).map(drop));
        assert_eq!(error.unwrap_err().to_string(), expected);
    }

    #[test]
    fn a_wrong_line_is_named() {
        check(
            "{\"id\":\"a\"}\n{\"id\":",
            "line 2: this is not a tool: EOF while parsing a value at column 6",
        );
        check(
            "{\"name\":\"a\"}",
            "line 1: this is not a tool: missing field `id` at column 12",
        );
        check(
            "{\"id\":\"a\"}",
            "line 1: this is not a request: missing field `query` at column 10",
        );
        check(
            "{\"id\":\"a\",\"query\":\"q\",\"tools\":[3]}",
            "line 1: this is not a request: a tool id, or a list of ids of which any will do at column 33",
        );
    }
}
