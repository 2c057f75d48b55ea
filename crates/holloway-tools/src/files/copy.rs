//! `file-copy`: the same bytes under another path. The copy appears at once or not at all, and a
//! repeat finds what it would write.

use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::{File, MetadataExt as _, OpenOptions, PermissionsExt as _};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::replacement::{Replacement, SAFE_MODE};
use super::{Access, Place, locate, locate_target};

/// How much is held in memory at a time.
const PIECE: usize = 64 * 1024;

pub(crate) struct Copy {
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl Copy {
    pub(crate) fn new(grants: &Arc<Grants>, made: &Arc<Made>) -> Self {
        Self {
            grants: Arc::clone(grants),
            made: Arc::clone(made),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub(super) from: String,
    pub(super) to: String,
}

#[async_trait]
impl Tool for Copy {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-copy",
            title: "Copy a file",
            category: "files",
            description: "Copies one file byte by byte from a granted folder to a granted, writable folder, and creates missing \
                folders on the way. Use it to keep a file before it is changed, or to put it somewhere else as well. The \
                copy appears at once or not at all, and can be used in the same way as the file. Folders are not copied. \
                Returns the path of the copy, where it came from, and its size in bytes.",
            effect: Effect::Idempotent,
            latency_ms: 20,
            input: input(
                &["from", "to"],
                json!({
                    "from": {"type": "string", "minLength": 1, "description": "The file; relative to a granted folder, or absolute inside one"},
                    "to": {"type": "string", "minLength": 1, "description": "The new file, or a folder in which the name is kept; relative to a granted folder, or absolute inside one"}
                }),
            ),
            output: output(
                &["path", "from", "bytes"],
                json!({
                    "path": {"type": "string", "description": "Where the copy is"},
                    "from": {"type": "string"},
                    "bytes": {"type": "integer", "description": "Size of the copy"}
                }),
            ),
            example: json!({"from": "a.txt", "to": "copies/a.txt"}),
            does: &["copy file:from -> file:path with to=target.path to=target.folder"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let call = call.clone();
        blocking(move || copy(&grants, &made, &arguments, &call).map(CallOutput::from)).await
    }
}

fn copy(
    grants: &Grants,
    made: &Arc<Made>,
    arguments: &Arguments,
    call: &CallRequest,
) -> Result<Value, ToolFailure> {
    let from = locate(grants, &arguments.from, Access::Read)?;
    from.refuse_folder()?;
    from.require_file()?;
    let name = Path::new(&arguments.from).file_name();
    let target = locate_target(grants, &arguments.to, name)?;
    let to = &target.place;
    to.refuse_folder()?;
    refuse_same(&from, to)?;
    let source = Source::open(&from, grants.max_bytes)?;
    // What holds that already stays whose it was: a call that is repeated after a crash finds
    // its own copy.
    if !source.is_in(to) {
        to.may_change(call, made, to.exists())?;
        source.copy_beside(to, &call.key)?.finish(made, call)?;
    }
    Ok(json!({ "path": target.path, "from": arguments.from, "bytes": source.bytes }))
}

/// A file cannot be put over itself, under whatever name.
pub(super) fn refuse_same(from: &Place, to: &Place) -> Result<(), ToolFailure> {
    let identity = |place: &Place| {
        let found = place.directory.symlink_metadata(&place.relative);
        found.ok().map(|found| (found.dev(), found.ino()))
    };
    let (one, other) = (identity(from), identity(to));
    if one.is_none() || one != other {
        return Ok(());
    }
    let (from, to) = (from.shown(), to.shown());
    Err(ToolFailure::permanent(format!(
        "`{from}` and `{to}` are the same file"
    )))
}

/// A file that is read from its beginning to its end.
pub(super) struct Source<'a> {
    place: &'a Place,
    file: File,
    mode: u32,
    /// Its size when it was opened.
    pub(super) bytes: u64,
}

impl<'a> Source<'a> {
    /// Refuses what is larger than `limit`.
    pub(super) fn open(place: &'a Place, limit: u64) -> Result<Self, ToolFailure> {
        let failed = |error: io::Error| place.failure(&error);
        let file = place.open(OpenOptions::new().read(true)).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let bytes = metadata.len();
        if bytes > limit {
            let shown = place.shown();
            let message = format!("`{shown}` has {bytes} bytes, more than the granted {limit}");
            return Err(ToolFailure::limit(message).with_hint("raise `[grants] max_bytes`"));
        }
        Ok(Self {
            place,
            file,
            mode: metadata.permissions().mode() & SAFE_MODE,
            bytes,
        })
    }

    /// Whether another file holds the very same.
    fn is_in(&self, other: &Place) -> bool {
        let found = other.directory.symlink_metadata(&other.relative);
        if !found.is_ok_and(|found| found.is_file() && found.len() == self.bytes) {
            return false;
        }
        let other = other.open(OpenOptions::new().read(true));
        other.is_ok_and(|other| is_same(&self.file, other).unwrap_or(false))
    }

    /// Writes the bytes beside a target.
    pub(super) fn copy_beside<'b>(
        &self,
        to: &'b Place,
        key: &str,
    ) -> Result<Replacement<'b>, ToolFailure> {
        let written = Replacement::begin_with_mode(to, key, self.mode);
        let mut written = written.map_err(|error| to.failure(&error))?;
        let copied = pour(&self.file, written.file()).map_err(|error| to.failure(&error))?;
        if copied == self.bytes {
            return Ok(written);
        }
        let shown = self.place.shown();
        Err(ToolFailure::transient(format!(
            "`{shown}` was changed while it was copied"
        )))
    }
}

/// Copies a file from its beginning, no further than it reached when this began.
fn pour(mut from: &File, to: &mut File) -> io::Result<u64> {
    let limit = from.metadata()?.len();
    from.seek(SeekFrom::Start(0))?;
    // One byte more tells that it has grown.
    io::copy(&mut from.take(limit.saturating_add(1)), to)
}

fn is_same(mut one: &File, other: File) -> io::Result<bool> {
    one.seek(SeekFrom::Start(0))?;
    let mut one = BufReader::with_capacity(PIECE, one);
    let mut other = BufReader::with_capacity(PIECE, other);
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        if left.get(..length) != right.get(..length) {
            return Ok(false);
        }
        one.consume(length);
        other.consume(length);
    }
}

#[cfg(test)]
mod tests;
