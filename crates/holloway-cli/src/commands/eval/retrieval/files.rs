//! Which files does a measurement read and write? Catalogue, requests, remembered
//! requests, a table; a line that is wrong is named with its file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;

use aws_lc_rs::digest::{SHA256, digest};
use holloway_search::entry::Entry;
use holloway_search::index::Index;
use holloway_search::lines::{self, LineError, Request};
use holloway_search::measure::{Places, wanted};
use holloway_search::memory::Memory;
use holloway_search::table::Table;
use serde_json::json;

use super::Split;
use crate::error::CliError;
use crate::from_here::from_here;
use crate::input::text_of;
use crate::session::Session;

pub(in crate::commands::eval) fn tools(
    file: &str,
    session: &Session,
) -> Result<Vec<Entry>, CliError> {
    let text = text_of(file, &session.folder)?;
    let tools = lines::tools(&text).map_err(|error| {
        wrong(
            file,
            &error,
            "a tool has an id: {\"id\": …, \"name\": …, \"description\": …}",
        )
    })?;
    if tools.is_empty() {
        let message = format!("{file} has no tools");
        return Err(CliError::usage("input-invalid", message).hint("give one tool per line"));
    }
    Ok(tools)
}

pub(super) fn requests(file: &str, session: &Session) -> Result<Vec<Request>, CliError> {
    let text = text_of(file, &session.folder)?;
    let hint = "a request looks so: {\"id\": …, \"query\": …, \"tools\": [id, …]}";
    lines::requests(&text).map_err(|error| wrong(file, &error, hint))
}

fn wrong(file: &str, error: &LineError, hint: &'static str) -> CliError {
    let message = format!("{file}:{}: {}", error.line, error.what);
    CliError::usage("input-invalid", message).hint(hint)
}

/// A set is called what its folder is called, however the way to it was typed.
pub(in crate::commands::eval) fn set_of(file: &str, session: &Session) -> String {
    let path = from_here(&session.folder, file);
    let path = path.canonicalize().unwrap_or(path);
    let folder = path.parent().and_then(Path::file_name);
    folder.unwrap_or_default().to_string_lossy().into_owned()
}

/// Every fourth request or so, by a hash of its set and id, so that it stays the same for ever.
pub(super) fn is_in(split: Split, set: &str, id: &str) -> bool {
    let name = format!("{set}/{id}");
    let hash = digest(&SHA256, name.as_bytes());
    let is_validation = hash.as_ref().first().is_some_and(|first| *first < 64);
    match split {
        Split::All => true,
        Split::Validation => is_validation,
        Split::Training => !is_validation,
    }
}

pub(super) fn table(file: &str, session: &Session) -> Result<Table, CliError> {
    let bytes = std::fs::read(from_here(&session.folder, file)).map_err(|error| {
        CliError::usage("file-unreadable", format!("{file} cannot be read: {error}"))
            .hint("check that it is there and may be read")
    })?;
    Table::read(Cow::Owned(bytes)).map_err(|error| {
        let message = format!("{file} is no table of meanings: {error}");
        CliError::usage("input-invalid", message).hint("docs/search.md tells how a table is made")
    })
}

/// What is measured is not remembered: that would be answering from the answers.
pub(super) fn memory(
    file: &str,
    measured: &[Request],
    index: &Index,
    session: &Session,
) -> Result<Memory, CliError> {
    let learned = requests(file, session)?;
    let known: HashSet<&str> = measured
        .iter()
        .map(|request| request.query.as_str())
        .collect();
    let places = Places::of(index.entries());
    let mut memory = Memory::new(index.table());
    for request in learned
        .iter()
        .filter(|request| !known.contains(request.query.as_str()))
    {
        let tools = wanted(request, &places).into_iter().flatten().collect();
        memory.remember(&request.query, tools);
    }
    Ok(memory)
}

/// What was measured from must not be lost to what came out.
pub(in crate::commands::eval) fn refuse_to_overwrite<'a>(
    file: &str,
    mut inputs: impl Iterator<Item = &'a String>,
    session: &Session,
) -> Result<(), CliError> {
    let real = |file: &str| from_here(&session.folder, file).canonicalize().ok();
    let Some(target) = real(file) else {
        return Ok(());
    };
    if inputs.all(|input| real(input).is_none_or(|input| input != target)) {
        return Ok(());
    }
    let message = format!("{file} is read by this command, and --out would overwrite it");
    Err(CliError::usage("input-invalid", message).hint("write to another file"))
}

/// One line per request, in the order of the requests.
pub(super) fn write(
    file: &str,
    requests: &[Request],
    index: &Index,
    best: impl Fn(&Request) -> Vec<usize>,
    session: &Session,
) -> Result<(), CliError> {
    let mut text = Vec::new();
    for request in requests {
        let found = best(request)
            .into_iter()
            .filter_map(|place| index.entry(place));
        let ids: Vec<&str> = found.map(|entry| entry.id.as_str()).collect();
        let line = json!({"id": request.id, "tools": ids});
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
