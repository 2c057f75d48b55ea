//! What must a store of runs be able to do? Keep journals and what belongs to
//! them, and carry messages to whichever process carries out a run.

use holloway_engine::entry::{Answer, Entry, RunId};
use holloway_engine::ports::{BlobStore, Journal, Memory};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Keeps runs.
pub trait RunStore: Journal + BlobStore + Memory {
    fn create(&self, new: NewRun) -> Result<(), StoreFailure>;
    /// All entries of a run, in order.
    fn entries(&self, run: &RunId) -> Result<Vec<Entry>, StoreFailure>;
    /// The plan as it was stored when the run began.
    fn plan_of(&self, run: &RunId) -> Result<Value, StoreFailure>;
    /// Leaves a message for the process that carries out the run, now or later.
    fn post(&self, run: &RunId, message: &Message) -> Result<(), StoreFailure>;
    /// Messages nobody has acted on, each with its number, after a number.
    fn messages(&self, run: &RunId, after: i64) -> Result<Vec<(i64, Message)>, StoreFailure>;
    /// These messages have been acted on; what they caused is in the journal.
    fn mark_taken(&self, messages: &[i64]) -> Result<(), StoreFailure>;
    /// A cheap way to notice that there may be new messages.
    fn watch(&self) -> Result<Box<dyn Watch>, StoreFailure>;
}

/// Notices changes.
pub trait Watch: Send {
    /// Whether anything was written since the last time.
    fn changed(&mut self) -> Result<bool, StoreFailure>;
}

/// A run that is about to begin.
#[derive(Clone, Debug)]
pub struct NewRun {
    pub run: RunId,
    pub plan_id: String,
    pub plan_version: String,
    pub objective: Option<String>,
    /// The plan as it will be run, whole, so that its file is not needed again.
    pub plan: Value,
    pub created_ms: u64,
    pub forked_from: Option<RunId>,
}

/// What one process has to say to the one that carries out a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Message {
    Answer(Answer),
    Pause { by: String },
    Cancel { by: String },
}

/// Why the store could not do its work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StoreFailure {
    /// Names a page in `docs/errors/`.
    pub code: &'static str,
    pub message: String,
    pub hint: String,
}
