//! Which files does a measurement of plans read and write? Catalogue with schemas,
//! requests with their tools in order, remembered runs.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;

use aws_lc_rs::digest::{SHA256, digest};
use holloway_flow::discover::tools_of_lines;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::recall::{PastRun, Recall};
use holloway_search::index::Index;
use holloway_search::rank::Repute;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::retrieval::{Split, files as shared};
use crate::error::CliError;
use crate::from_here::from_here;
use crate::input::text_of;
use crate::session::Session;

/// A request whose right plan is known.
pub(super) struct Request {
    pub(super) id: String,
    pub(super) run: PastRun,
    has_links: bool,
}

impl Request {
    /// Which result goes into which; nothing if the file does not say.
    pub(super) fn links(&self) -> Option<Vec<(usize, usize)>> {
        self.has_links.then(|| self.run.links.clone())
    }
}

#[derive(Deserialize)]
struct RequestLine {
    id: Value,
    query: String,
    tools: Vec<OneOrMore>,
    #[serde(default)]
    links: Option<Vec<(usize, usize)>>,
    #[serde(default)]
    arguments: Vec<Map<String, Value>>,
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

pub(super) fn catalogue(file: &str, session: &Session) -> Result<Catalogue, CliError> {
    let entries = shared::tools(file, session)?;
    // A line that could be wrong was refused above.
    let tools = tools_of_lines(&text_of(file, &session.folder)?).unwrap_or_default();
    let pairs = tools.into_iter().zip(entries);
    Ok(Catalogue::new(
        pairs.map(|(tool, entry)| (tool, entry, Repute::default())),
    ))
}

pub(super) fn requests(file: &str, session: &Session) -> Result<Vec<Request>, CliError> {
    let text = text_of(file, &session.folder)?;
    let mut requests = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let read: RequestLine = serde_json::from_str(line).map_err(|error| {
            let error = error
                .to_string()
                .replace(" at line 1 column ", " at column ");
            let message = format!("{file}:{}: this is not a request: {error}", at + 1);
            CliError::usage("input-invalid", message)
                .hint("a request looks so: {\"id\": …, \"query\": …, \"tools\": [id, …]}")
        })?;
        requests.push(request(read));
    }
    Ok(requests)
}

fn request(line: RequestLine) -> Request {
    let first = |tool| match tool {
        OneOrMore::One(id) => Some(id),
        // A plan has one tool per step: the first that would do.
        OneOrMore::More(ids) => ids.into_iter().next(),
    };
    Request {
        id: match line.id {
            Value::String(id) => id,
            other => other.to_string(),
        },
        has_links: line.links.is_some(),
        run: PastRun {
            request: line.query,
            tools: line.tools.into_iter().filter_map(first).collect(),
            links: line.links.unwrap_or_default(),
            arguments: line.arguments,
            unchecked: false,
        },
    }
}

/// About an eighth is for validation: of the quarter that the table of meanings was not made
/// from, the other half served to fit the weights of plans.
pub(super) fn is_in(split: Split, set: &str, id: &str) -> bool {
    let hash = digest(&SHA256, format!("{set}/{id}").as_bytes());
    let is_validation = matches!(hash.as_ref(), [0..64, 128..=255, ..]);
    match split {
        Split::All => true,
        Split::Validation => is_validation,
        Split::Training => !is_validation,
    }
}

/// Runs to remember, in an order that is the same every time and has nothing to do with that
/// of the file. What is measured is not remembered: that would be answering from the answers.
pub(super) fn memory(
    file: &str,
    measured: &[Request],
    session: &Session,
) -> Result<Vec<PastRun>, CliError> {
    let known: HashSet<&str> = measured
        .iter()
        .map(|request| request.run.request.as_str())
        .collect();
    let mut learned = requests(file, session)?;
    learned.retain(|request| !known.contains(request.run.request.as_str()));
    learned.sort_by_cached_key(|request| {
        // Its keys are fixed.
        let mut hasher = DefaultHasher::new();
        request.id.hash(&mut hasher);
        (hasher.finish(), request.id.clone())
    });
    Ok(learned.into_iter().map(|request| request.run).collect())
}

/// One line per request, in the order of the requests.
pub(super) fn write(
    file: &str,
    requests: &[Request],
    index: &Index,
    recall: &Recall,
    session: &Session,
) -> Result<(), CliError> {
    let mut text = Vec::new();
    for request in requests {
        let best = recall.propose(&request.run.request, 1).into_iter().next();
        let best = best.unwrap_or_default();
        let entries = best.tools.iter().filter_map(|place| index.entry(*place));
        let ids: Vec<&str> = entries.map(|entry| entry.id.as_str()).collect();
        let line = json!({"id": request.id, "tools": ids, "links": best.links});
        // Writing into memory cannot fail.
        let _ = writeln!(text, "{line}");
    }
    std::fs::write(from_here(&session.folder, file), text).map_err(|error| {
        CliError::failed(
            "output-failed",
            format!("{file} cannot be written: {error}"),
        )
        .hint("check that its folder is there and may be written to")
    })
}
