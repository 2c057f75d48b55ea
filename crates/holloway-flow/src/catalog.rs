//! Which tools are there, and which of them may be trusted? One catalogue over
//! all sources: what each offered, what was accepted, how well it works.
//!
//! The files below decide (effect class, quality, health, admission); they do no
//! I/O. A store keeps what they decided, through the port [`Catalog`].

pub mod admit;
pub mod breaker;
pub mod effect;
pub mod health;
pub mod inference;
pub mod inspect;
pub mod known;
pub mod offer;
pub mod quality;

use std::collections::BTreeMap;

use holloway_plan::tool::{ToolId, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run_store::StoreFailure;
use health::{Health, Sign};
use inspect::Finding;
use offer::Package;

/// Where tools come from: `mcp.git`, `npm.@tpmjs/tools-bootstrap-ci`, `openapi.petstore`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SourceId(String);

impl SourceId {
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id of one of its tools.
    pub fn tool(&self, name: &str) -> ToolId {
        ToolId::new(format!("{}/{name}", self.0))
    }
}

impl std::fmt::Display for SourceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A source that was added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceRecord {
    pub id: SourceId,
    /// How it is reached, in the words of the adapter; secrets by name only.
    pub config: Value,
    /// The package it runs, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<Package>,
    pub added_ms: u64,
    /// When its tools were last asked for, successfully.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refreshed_ms: Option<u64>,
    /// Why the last attempt to ask failed; empty when it did not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trouble: String,
}

/// A tool in the catalogue.
///
/// Only a [`Standing::Ready`] tool may be called, searched for or shown to a
/// model: ask [`CatalogTool::ready`]. One that was never accepted has nothing but
/// its id in `spec` (no digest), and `Value::Null` for a definition, so that
/// nothing its source says gets anywhere by mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CatalogTool {
    /// As plans see it: effect decided, digest of the accepted definition set.
    pub spec: ToolSpec,
    /// Why it has this effect class, in words.
    pub effect_reason: String,
    /// The definition as received and accepted.
    pub definition: Value,
    /// The package it was accepted from, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<Package>,
    pub standing: Standing,
    /// 0 to 1, by the registry's formula.
    pub quality: f64,
    #[serde(default)]
    pub health: Health,
    /// Which inference said what it does; 0 for none.
    #[serde(default)]
    pub inference: u32,
}

impl CatalogTool {
    /// The tool as plans may use it; nothing unless it is ready.
    pub fn ready(&self) -> Option<&ToolSpec> {
        (self.standing == Standing::Ready).then_some(&self.spec)
    }

    /// Was any definition of it ever accepted?
    pub fn was_accepted(&self) -> bool {
        !self.spec.definition.is_empty()
    }
}

/// Whether a tool may be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Standing {
    Ready,
    /// Kept back until a person accepts it.
    Held {
        why: HeldBecause,
        /// The definition that waits.
        offered: Value,
        /// What looks wrong about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<Finding>,
        /// What the tool becomes once it is accepted.
        waiting: Box<Waiting>,
    },
    /// Its source does not offer it any more.
    Gone,
}

impl Standing {
    /// Why the tool may not be used, in words; nothing when it may.
    pub fn obstacle(&self) -> Option<&'static str> {
        match self {
            Self::Ready => None,
            Self::Gone => Some("its source does not offer it any more"),
            Self::Held { why, .. } => Some(match why {
                HeldBecause::Changed => "it is not what was accepted",
                HeldBecause::Suspicious => "something about its definition looks wrong",
                HeldBecause::Appeared => "it appeared after its source was added",
            }),
        }
    }
}

/// What goes with a definition that waits to be accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waiting {
    pub spec: ToolSpec,
    pub effect_reason: String,
    pub quality: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<Package>,
}

/// Why a tool is kept back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeldBecause {
    /// Its definition, package version or integrity is not what was accepted.
    Changed,
    /// It was never accepted, and something about it looks wrong.
    Suspicious,
    /// It appeared at a source that was added before without it.
    Appeared,
}

/// How asking a source went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceNote {
    /// It told its tools.
    Refreshed { at_ms: u64 },
    /// It did not; the reason in words.
    Failed { trouble: String },
}

/// Keeps the catalogue.
///
/// Asking a source takes long, and meanwhile another process may remove it or add
/// it anew. So what is noted about it names when the source was added, and
/// nothing that is noted brings back a source or a tool.
pub trait Catalog: Send + Sync {
    fn sources(&self) -> Result<Vec<SourceRecord>, StoreFailure>;
    /// Adds a source, or replaces what is known about it; its tools stay.
    fn put_source(&self, source: &SourceRecord) -> Result<(), StoreFailure>;
    /// Notes how asking a source went, if it is still the one that was added then;
    /// says whether it is.
    fn note_source(
        &self,
        source: &SourceId,
        added_ms: u64,
        note: &SourceNote,
    ) -> Result<bool, StoreFailure>;
    /// Notes that a source is about to be asked by itself, unless that was noted less
    /// than `pause_ms` ago; says whether to ask. Of several processes one is told to.
    fn begin_try(
        &self,
        source: &SourceId,
        added_ms: u64,
        now_ms: u64,
        pause_ms: u64,
    ) -> Result<bool, StoreFailure>;
    /// When sources were last about to be asked by themselves.
    fn tries(&self) -> Result<BTreeMap<SourceId, u64>, StoreFailure>;
    /// Removes a source and its tools; says whether there was one.
    fn remove_source(&self, source: &SourceId) -> Result<bool, StoreFailure>;
    /// All tools of all sources, ordered by id, with their health.
    fn tools(&self) -> Result<Vec<CatalogTool>, StoreFailure>;
    /// Writes those of the tools whose source is there, in place of those of the same
    /// id; all or none.
    fn put_tools(&self, tools: &[CatalogTool]) -> Result<(), StoreFailure>;
    /// Writes the second of each pair in place of the first, provided that every
    /// first, but for its health, is what is kept now; says whether they were written.
    fn replace_tools(&self, pairs: &[(CatalogTool, CatalogTool)]) -> Result<bool, StoreFailure>;
    /// Notes what a call or a check showed. Must not block for long.
    fn note(&self, tool: &ToolId, sign: &Sign, at_ms: u64) -> Result<(), StoreFailure>;
    /// The newest signs of a tool, newest first.
    fn signs(&self, tool: &ToolId, limit: usize) -> Result<Vec<(u64, Sign)>, StoreFailure>;
}
