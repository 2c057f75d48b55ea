//! `jsonl-append`: is this record in the file, once? Each line carries the key of
//! the call that wrote it. Invariant: a kill at any byte and a repeat leave the
//! same file as one undisturbed call.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use cap_std::fs::OpenOptions;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::write::require_size;
use super::{Access, Place, locate};

const LONGEST_WAIT: Duration = Duration::from_secs(10);
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// How every line of ours begins.
const START: &[u8] = br#"{"key":""#;

pub(crate) struct JsonlAppend {
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl JsonlAppend {
    pub(crate) fn new(grants: &Arc<Grants>, made: &Arc<Made>) -> Self {
        Self {
            grants: Arc::clone(grants),
            made: Arc::clone(made),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    record: Map<String, Value>,
}

#[async_trait]
impl Tool for JsonlAppend {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "jsonl-append",
            title: "Append a record once",
            category: "files",
            description: "Adds one record as a line of JSON to a file in a granted, writable folder, together with the call's \
                `key`. A repeat of the same call finds the key and adds nothing, also after a crash. Use it to collect \
                results safely. Returns whether the record was added by this call, and its key.",
            effect: Effect::Idempotent,
            latency_ms: 15,
            input: input(
                &["path", "record"],
                json!({
                    "path": {"type": "string", "minLength": 1, "description": "Relative to a granted folder, or absolute inside one"},
                    "record": {"type": "object", "not": {"required": ["key"]}, "description": "Any fields except `key`, which is added"}
                }),
            ),
            output: output(
                &["path", "key", "added"],
                json!({
                    "path": {"type": "string"},
                    "key": {"type": "string"},
                    "added": {"type": "boolean", "description": "False when the record was there already"}
                }),
            ),
            example: json!({"path": "a.jsonl", "record": {"a": 1}}),
            does: &[],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let call = call.clone();
        blocking(move || append(&grants, &made, arguments, &call).map(CallOutput::from)).await
    }
}

fn append(
    grants: &Grants,
    made: &Arc<Made>,
    arguments: Arguments,
    call: &CallRequest,
) -> Result<Value, ToolFailure> {
    let line = line(&call.key, arguments.record)?;
    require_size(grants, line.len())?;
    let place = locate(grants, &arguments.path, Access::Write)?;
    place.may_change(call, made, false)?;
    place.create_parents()?;
    if place.exists() {
        place.require_file()?;
    }
    let uncertain = |error: io::Error| place.failure(&error).uncertain();
    let file = open(&place).map_err(uncertain)?;
    let scan = scan(&file, call).map_err(uncertain)?;
    if !scan.found {
        place.may_change(call, made, scan.foreign)?;
    }
    let _writing = made.write(&call.run, &place);
    add_once(&place, file, &scan, &line).map_err(uncertain)?;
    Ok(json!({ "path": arguments.path, "key": call.key, "added": !scan.found }))
}

fn line(key: &str, record: Map<String, Value>) -> Result<String, ToolFailure> {
    if record.contains_key("key") {
        let message = "`record` must not have a field `key`: the call's key goes there";
        return Err(ToolFailure::invalid(message));
    }
    let mut fields = Map::new();
    // First in the line, so that a torn line can be recognised as ours.
    fields.insert("key".to_owned(), json!(key));
    fields.extend(record);
    Ok(format!("{}\n", Value::Object(fields)))
}

fn open(place: &Place) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    let file = place.open(&mut options)?.into_std();
    lock(&file)?;
    Ok(file)
}

fn add_once(place: &Place, mut file: File, scan: &Scan, line: &str) -> io::Result<()> {
    if !scan.found {
        file.set_len(scan.keep)?;
        file.seek(SeekFrom::Start(scan.keep))?;
        let separator = if scan.unterminated { "\n" } else { "" };
        file.write_all(format!("{separator}{line}").as_bytes())?;
    }
    // Also when found: the writer may have died before its own sync.
    file.sync_all()?;
    place.sync_parent()
}

/// Held until the file is closed: other calls and other processes wait, but not for
/// ever on one that hangs.
fn lock(file: &File) -> io::Result<()> {
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if started.elapsed() > LONGEST_WAIT => {
                let message = "another process has been holding the file";
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
        }
    }
}

/// What is in the file before appending.
#[derive(Debug, Default, PartialEq)]
struct Scan {
    found: bool,
    /// Where the next line goes; anything after is a torn line.
    keep: u64,
    /// The last line is whole but has no line break.
    unterminated: bool,
    /// A line was not written by this run. A file without one is the run's own, even if the
    /// call that made it was killed.
    foreign: bool,
}

fn scan(file: &File, call: &CallRequest) -> io::Result<Scan> {
    let own = format!("{{\"key\":\"{}:", call.run);
    let mut reader = BufReader::new(file);
    let mut scan = Scan::default();
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        let whole = line.ends_with(b"\n");
        if !whole && is_torn(&line) {
            break;
        }
        scan.keep += line.len() as u64;
        scan.unterminated = !whole;
        scan.found |= has_key(&line, &call.key);
        scan.foreign |= !line.starts_with(own.as_bytes());
        line.clear();
    }
    Ok(scan)
}

/// Only a beginning of one of our own lines is cut off; any other text without a
/// line break belongs to somebody and stays.
fn is_torn(line: &[u8]) -> bool {
    let ours = line.starts_with(START) || START.starts_with(line);
    // After a power cut the file may have its new length but not its contents.
    let zeros = line.ends_with(&[0]);
    zeros || (ours && serde_json::from_slice::<Value>(line).is_err())
}

fn has_key(line: &[u8], key: &str) -> bool {
    #[derive(Deserialize)]
    struct Keyed {
        key: Value,
    }
    // Most lines are ours and have another key, which shows without parsing them.
    let quick = line.strip_prefix(START).and_then(plain_text);
    if quick.is_some_and(|found| found != key.as_bytes()) {
        return false;
    }
    serde_json::from_slice::<Keyed>(line).is_ok_and(|keyed| keyed.key == *key)
}

/// What comes before the closing quote, when no escape is in it.
fn plain_text(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
    let (plain, rest) = text.split_at(end);
    rest.starts_with(b"\"").then_some(plain)
}

#[cfg(test)]
mod tests;
