//! Which values are too large for a journal line? They go to the blob folder,
//! and the entry keeps their digest and their beginning.

use std::io;
use std::sync::Arc;

use serde_json::Value;

use crate::entry::{Entry, EntryKind, Stored};
use crate::ports::{Blob, BlobStore, JournalError};

/// Values with a longer JSON form are kept by reference.
pub const INLINE_BYTES: usize = 32 * 1024;

/// How much of a large value people are shown.
const PREVIEW_CHARS: usize = 200;

/// Whether an entry holds a value that has to go to the blob folder.
pub fn is_large(entry: &Entry) -> bool {
    values(&entry.kind).any(|stored| stored.value().is_some_and(exceeds))
}

/// The digests of the values that an entry has in the blob folder.
pub fn blobs_of(entry: &Entry) -> impl Iterator<Item = &str> {
    values(&entry.kind).filter_map(|stored| match stored {
        Stored::Blob { blob, .. } => Some(blob.as_str()),
        Stored::Value(_) => None,
    })
}

/// Moves large values out of an entry.
pub fn spill(entry: &mut Entry, blobs: &dyn BlobStore) -> Result<(), JournalError> {
    match &mut entry.kind {
        EntryKind::StepComplete { output, .. } | EntryKind::ExpectationUnmet { output, .. } => {
            move_out(output, blobs)
        }
        EntryKind::StepStart {
            call: Some(intent), ..
        } => move_out(&mut intent.input, blobs),
        EntryKind::ExecutionComplete { outputs, .. } => outputs
            .values_mut()
            .try_for_each(|output| move_out(output, blobs)),
        EntryKind::ExecutionStart(start) => start
            .reuse
            .values_mut()
            .try_for_each(|output| move_out(output, blobs)),
        _ => Ok(()),
    }
}

fn values(kind: &EntryKind) -> Box<dyn Iterator<Item = &Stored> + '_> {
    match kind {
        EntryKind::StepComplete { output, .. } | EntryKind::ExpectationUnmet { output, .. } => {
            Box::new(std::iter::once(output))
        }
        EntryKind::StepStart {
            call: Some(intent), ..
        } => Box::new(std::iter::once(&intent.input)),
        EntryKind::ExecutionComplete { outputs, .. } => Box::new(outputs.values()),
        EntryKind::ExecutionStart(start) => Box::new(start.reuse.values()),
        _ => Box::new(std::iter::empty()),
    }
}

fn move_out(stored: &mut Stored, blobs: &dyn BlobStore) -> Result<(), JournalError> {
    let Stored::Value(value) = stored else {
        return Ok(());
    };
    if !exceeds(value) {
        return Ok(());
    }
    let preview = beginning(value);
    let Blob { blob, bytes } = blobs.keep(&**value)?;
    *stored = Stored::Blob {
        blob,
        bytes,
        preview,
    };
    Ok(())
}

/// The first characters of the JSON form.
fn beginning(value: &Value) -> String {
    let mut start = Start(Vec::new());
    // It is refused more than it takes, which is meant.
    serde_json::to_writer(&mut start, value).ok();
    let text = String::from_utf8_lossy(&start.0);
    text.chars().take(PREVIEW_CHARS).collect()
}

/// Takes the first bytes and then refuses.
struct Start(Vec<u8>);

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = (PREVIEW_CHARS * 4).saturating_sub(self.0.len());
        let taken = bytes.get(..left).unwrap_or(bytes);
        self.0.extend_from_slice(taken);
        if taken.is_empty() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the JSON form is longer than a line may be, without writing it.
fn exceeds(value: &Arc<Value>) -> bool {
    let mut left = INLINE_BYTES;
    !fits(value, &mut left)
}

fn fits(value: &Value, left: &mut usize) -> bool {
    let own = match value {
        Value::String(text) => text.len() + 2,
        Value::Number(_) => 8,
        _ => 4,
    };
    if own > *left {
        return false;
    }
    *left -= own;
    match value {
        Value::Array(items) => items.iter().all(|item| fits(item, left)),
        Value::Object(fields) => fields.iter().all(|(name, field)| {
            let name = name.len() + 4;
            if name > *left {
                return false;
            }
            *left -= name;
            fits(field, left)
        }),
        _ => true,
    }
}
