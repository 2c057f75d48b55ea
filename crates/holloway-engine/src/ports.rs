//! What does the engine need from the outside? The traits that crates above fill:
//! calling tools, keeping the journal, keeping large results, telling the time.

use std::io::{self, Read, Write};
use std::sync::Arc;

use async_trait::async_trait;
use holloway_plan::tool::{Effect, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::{Entry, RunId};
use crate::expected::Expected;
use crate::failure::ToolFailure;
pub use crate::line::{CallLine, CallListener, ToolAnswer, ToolProgress, ToolQuestion};

/// One call of one tool, ready to be made.
#[derive(Clone, Debug)]
pub struct CallRequest {
    pub tool: ToolId,
    pub arguments: Arc<Value>,
    pub effect: Effect,
    /// The same for every repeat of this call, in this process or the next one.
    pub key: Arc<str>,
    pub run: RunId,
    /// The node that asks, such as `pages[3].fetch`.
    pub node: Arc<str>,
    pub attempt: u32,
    /// What it was allowed to change although the run did not make it.
    pub may_replace: MayReplace,
    /// What the plan expects of the result.
    pub expected: Expected,
    /// For what the tool has to say before it is done.
    pub line: CallLine,
}

/// Which files a call may change although the run did not make them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MayReplace {
    /// Any file, because the policy says so.
    pub any: bool,
    /// Also one in a sensitive place, because the person who started the run said yes to all.
    pub sensitive: bool,
    /// None in a sensitive place, whoever says yes, because the policy says so.
    pub never_sensitive: bool,
    /// This one, by its resolved path, because a person was asked about it.
    pub file: Option<String>,
}

impl MayReplace {
    /// Whatever is there.
    pub fn everything() -> Self {
        Self {
            any: true,
            sensitive: true,
            ..Self::default()
        }
    }

    /// Exactly the file at this resolved path.
    pub fn only(file: impl Into<String>) -> Self {
        Self {
            file: Some(file.into()),
            ..Self::default()
        }
    }

    /// Whether the file at this resolved path may be changed.
    pub fn covers(&self, file: &str, is_sensitive: bool) -> bool {
        let by_policy = if is_sensitive {
            self.sensitive
        } else {
            self.any
        };
        let is_forbidden = is_sensitive && self.never_sensitive;
        !is_forbidden && (by_policy || self.file.as_deref() == Some(file))
    }
}

/// What a call gave.
#[derive(Clone, Debug, Default)]
pub struct CallOutput {
    pub value: Value,
    pub usage: Usage,
}

impl From<Value> for CallOutput {
    fn from(value: Value) -> Self {
        Self {
            value,
            usage: Usage::default(),
        }
    }
}

/// What calls consumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// US dollars.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub money: f64,
    #[serde(default, skip_serializing_if = "is_none")]
    pub tokens: u64,
    /// Which model was asked, and what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Box<ModelUse>>,
}

impl Usage {
    pub fn is_empty(&self) -> bool {
        is_zero(&self.money) && is_none(&self.tokens) && self.model.is_none()
    }
}

/// What asking a model took, for one call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUse {
    /// The model that answered last.
    pub name: String,
    /// Digest of the first prompt; the prompt follows from the input of the call.
    pub prompt: String,
    /// How many answers came.
    pub answers: u32,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// How many of `tokens_in` the provider had seen before.
    pub cached_tokens: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
pub(crate) fn is_zero(amount: &f64) -> bool {
    amount.abs() < f64::EPSILON
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
pub(crate) fn is_none(amount: &u64) -> bool {
    *amount == 0
}

/// Calls tools. Dropping the returned future must stop the call and its children.
#[async_trait]
pub trait ToolCaller: Send + Sync {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure>;

    /// The file that a call with these arguments would change as things are now, if a person may
    /// be asked about it: one that is there, or one in a sensitive place.
    fn would_change(&self, _tool: &ToolId, _arguments: &Value) -> Option<Changed> {
        None
    }
}

/// A file that a call would change although it may belong to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The path as it is given to the tool.
    pub path: String,
    /// The resolved path.
    pub file: String,
    /// It is in a sensitive place: a person is asked even if nothing is there.
    pub sensitive: bool,
}

/// Keeps the journal of runs. An append is all or nothing and has reached the
/// disk when it returns.
#[async_trait]
pub trait Journal: Send + Sync {
    async fn append(&self, run: &RunId, entries: Vec<Entry>) -> Result<(), JournalError>;
}

/// Keeps results that are too large for a journal line, by their digest.
pub trait BlobStore: Send + Sync {
    /// Keeps what `write` writes. It has reached the disk when this returns.
    fn put(&self, write: &mut WriteBlob<'_>) -> Result<Blob, JournalError>;
    /// What a digest stands for; damage is noticed at the latest at the end of reading.
    fn open(&self, digest: &str) -> Result<Box<dyn Read + '_>, JournalError>;
}

/// How much room is made for a blob before it is read.
const MOST_RESERVED: u64 = 256 << 20;

/// Writes the bytes of a blob.
pub type WriteBlob<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Bytes that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The digest of the bytes.
    pub blob: String,
    pub bytes: u64,
}

impl dyn BlobStore + '_ {
    /// Keeps the JSON form of a value, without a copy of it in memory.
    pub fn keep(&self, value: &impl Serialize) -> Result<Blob, JournalError> {
        self.put(&mut |out| serde_json::to_writer(out, value).map_err(io::Error::from))
    }

    /// The value that was kept in so many bytes.
    pub fn fetch(&self, digest: &str, length: u64) -> Result<Value, JournalError> {
        let broken = |reason: String| JournalError::Corrupt(format!("blob {digest}: {reason}"));
        // One more than needed, so that the end is noticed without growing. An entry that was
        // tampered with can say anything.
        let mut bytes = Vec::with_capacity(length.min(MOST_RESERVED) as usize + 1);
        let read = self.open(digest)?.read_to_end(&mut bytes);
        read.map_err(|error| broken(error.to_string()))?;
        let value = serde_json::from_slice(&bytes);
        value.map_err(|error| broken(format!("it is not JSON: {error}")))
    }
}

/// Remembers results of read-only calls between runs.
pub trait Memory: Send + Sync {
    /// A result stored under `key` no longer than `ttl_ms` before `now_ms`.
    fn recall(&self, key: &str, now_ms: u64, ttl_ms: u64) -> Option<Value>;
    /// Must not block; losing one is no harm.
    fn remember(&self, key: &str, now_ms: u64, value: &Value);
}

/// Tells the time, in milliseconds since 1970.
pub trait Clock: Send + Sync {
    fn now_ms(&self) -> u64;
}

/// Why the journal could not do its work.
#[derive(Debug, Clone, thiserror::Error)]
pub enum JournalError {
    /// The disk is full or failing: the run pauses and can be resumed later.
    #[error("storage: {0}")]
    Storage(String),
    /// The journal holds something this version cannot read.
    #[error("unreadable journal: {0}")]
    Corrupt(String),
}
