//! What do the files look like that a request names? A glance before planning, through our own
//! tools and no further than their grants: columns and values of tables, and which words are
//! folders. What cannot be read is left out; the run itself will say why.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use holloway_engine::entry::RunId;
use holloway_engine::ports::{CallLine, CallRequest, ToolCaller as _};
use holloway_plan::tool::{Effect, ToolId};
use holloway_planner::request::surroundings::{Column, Holds, Surroundings, Table};
use holloway_planner::request::{EntityKind, named};
use serde_json::{Value, json};

use crate::bench::Bench;
use crate::error::CliError;
use crate::runtime;

/// Larger files are not looked into; requests about them are read by their words alone.
const BYTES: u64 = 8 * 1024 * 1024;
const TABLES: usize = 4;
/// Names of files that are looked at, and words that may belong to one of them.
const NAMES: usize = 8;
const BLANKS: usize = 5;
/// Words that are tried as folders.
const WORDS: usize = 60;
/// Different values that are kept of a column.
const VALUES: usize = 20_000;
/// A longer text is nothing that a request would say.
const LETTERS: usize = 80;

/// What is known of what a request names.
pub(crate) fn surroundings(request: &str, bench: &Bench) -> Result<Surroundings, CliError> {
    let files = tables(request);
    let words = words(request);
    runtime::run(async {
        let mut found = Surroundings::default();
        for file in files {
            found.tables.extend(table(bench, file).await);
        }
        for word in words {
            if is_folder(bench, &word).await {
                found.folders.push(word);
            }
        }
        found
    })
}

/// The request with marks around the names of files that have blanks, where such a file is
/// there and none is called by its last word alone.
pub(crate) fn with_marked_names(request: String, bench: &Bench) -> Result<String, CliError> {
    let files = named(&request);
    let files = files.into_iter().filter(|entity| {
        let before = request.get(..entity.place.start).unwrap_or_default();
        entity.kind == EntityKind::File && before.ends_with(' ')
    });
    let files: Vec<Range<usize>> = files.map(|file| file.place).take(NAMES).collect();
    let names = runtime::run(async {
        let mut names = Vec::new();
        for file in files {
            names.extend(name_with_blanks(bench, &request, file).await);
        }
        names
    })?;
    let mut marked = request;
    for name in names.into_iter().rev() {
        marked.insert(name.end, '"');
        marked.insert(name.start, '"');
    }
    Ok(marked)
}

/// Where the whole name stands of which this is the last word.
async fn name_with_blanks(
    bench: &Bench,
    request: &str,
    last: Range<usize>,
) -> Option<Range<usize>> {
    if is_file(bench, request.get(last.clone())?).await {
        return None;
    }
    let before = request.get(..last.start)?;
    let starts = before.match_indices(' ').rev().map(|(at, _)| at + 1);
    // The first of them is where the last word itself begins.
    for start in starts.chain([0]).skip(1).take(BLANKS) {
        let name = request.get(start..last.end)?;
        if is_file(bench, name).await {
            return Some(start..last.end);
        }
    }
    None
}

fn tables(request: &str) -> Vec<String> {
    const ENDINGS: [&str; 9] = [
        "csv", "tsv", "json", "jsonl", "ndjson", "xlsx", "xlsb", "xls", "ods",
    ];
    let mut files: Vec<String> = Vec::new();
    for entity in named(request) {
        let ending = entity
            .text
            .rsplit_once('.')
            .map(|(_, it)| it.to_lowercase());
        let is_file = matches!(entity.kind, EntityKind::File | EntityKind::Path);
        let is_table = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
        if is_file && is_table && !files.contains(&entity.text) {
            files.push(entity.text);
        }
    }
    files.truncate(TABLES);
    files
}

/// Words that could be the name of a folder.
fn words(request: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in request.split_whitespace() {
        let word = word.trim_matches(|letter: char| "\"'“”‘’`,.;:?!()".contains(letter));
        let is_name = |letter: char| letter.is_alphanumeric() || "_-./".contains(letter);
        let fits = !word.is_empty() && word.chars().all(is_name) && !word.contains("..");
        if fits && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words.truncate(WORDS);
    words
}

async fn call(bench: &Bench, tool: &str, arguments: Value) -> Option<Value> {
    let request = CallRequest {
        tool: ToolId::new(format!("builtin/{tool}")),
        arguments: Arc::new(arguments),
        effect: Effect::Read,
        key: "glance".into(),
        run: RunId::default(),
        node: "glance".into(),
        attempt: 1,
        line: CallLine::default(),
        may_replace: holloway_engine::ports::MayReplace::default(),
        expected: holloway_engine::expected::Expected::default(),
    };
    bench
        .toolbox
        .call(request)
        .await
        .ok()
        .map(|output| output.value)
}

async fn is_folder(bench: &Bench, word: &str) -> bool {
    kind_of(bench, word).await == Some(json!("folder"))
}

async fn is_file(bench: &Bench, name: &str) -> bool {
    kind_of(bench, name).await == Some(json!("file"))
}

async fn kind_of(bench: &Bench, path: &str) -> Option<Value> {
    let looked = call(bench, "file-stat", json!({ "path": path })).await?;
    looked.get("kind").cloned()
}

async fn table(bench: &Bench, file: String) -> Option<Table> {
    let looked = call(bench, "file-stat", json!({ "path": file })).await?;
    let size = looked.get("size").and_then(Value::as_u64)?;
    if size > BYTES || looked.get("kind") != Some(&json!("file")) {
        return None;
    }
    let ending = file
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_lowercase())?;
    let path = json!({ "path": file });
    let typed = match ending.as_str() {
        "csv" | "tsv" => rows(bench, call(bench, "csv-read", path).await?).await?,
        "json" | "jsonl" | "ndjson" => {
            let text = call(bench, "file-read", path).await?;
            call(bench, "data-load", json!({ "text": text.get("content")? })).await?
        }
        _ => rows(bench, call(bench, "xlsx-read", path).await?).await?,
    };
    let columns = columns(&typed);
    (!columns.is_empty()).then_some(Table { file, columns })
}

async fn rows(bench: &Bench, read: Value) -> Option<Value> {
    call(bench, "data-load", json!({ "rows": read.get("rows")? })).await
}

/// What typed rows hold, column by column.
fn columns(typed: &Value) -> Vec<Column> {
    let list = |name: &str| {
        typed
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let profile = list("profile");
    let columns = profile.filter_map(|about| {
        let text = |name: &str| about.get(name).and_then(Value::as_str);
        let name = text("column")?;
        let holds = match text("type")? {
            "number" => Holds::Numbers,
            "date" => Holds::Dates,
            _ => Holds::Texts,
        };
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for row in list("rows") {
            let value = match row.get(name) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Number(number)) => number.to_string(),
                _ => continue,
            };
            if value.len() <= LETTERS && (seen.len() < VALUES || seen.contains_key(&value)) {
                *seen.entry(value).or_default() += 1;
            }
        }
        let repeats = seen.values().any(|count| *count > 1);
        let is_kept = holds != Holds::Numbers;
        Some(Column {
            name: name.to_owned(),
            holds,
            values: seen.into_keys().filter(|_| is_kept).collect(),
            repeats,
        })
    });
    columns.collect()
}
