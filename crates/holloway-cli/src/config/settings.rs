//! What can be set in `holloway.toml`? These tables and nothing else.

use std::collections::BTreeMap;

use holloway_engine::context::Knowledge;
use holloway_engine::options::{ApprovalPolicy, RunOptions};
use holloway_flow::catalog::effect::EffectOverrides;
use holloway_flow::catalog::inference::DoesOverrides;
use holloway_plan::step::MODEL_SOURCE;
use holloway_planner::settings::GenerateSettings;
use holloway_search::rank::Weights;
use holloway_tools::Grants;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Retention;
use crate::model::call_timeout_ms;

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) run: RunSettings,
    pub(crate) approvals: ApprovalPolicy,
    pub(crate) grants: Grants,
    pub(crate) tools: ToolSettings,
    pub(crate) search: SearchSettings,
    pub(crate) planning: GenerateSettings,
    pub(crate) ask: AskSettings,
    /// How long runs are kept.
    pub(crate) retention: Retention,
    pub(crate) context: ContextSettings,
    /// The model that proposes plans; without one the embedded planner makes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<holloway_models::Settings>,
    pub(crate) sandbox: SandboxSettings,
    /// By source, such as `mcp.git`: what is said on top of how it was added.
    pub(crate) sources: BTreeMap<String, Map<String, Value>>,
}

/// The `[run]` table: terms of runs that do not say otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RunSettings {
    /// Calls in flight at once.
    pub(crate) concurrency: usize,
    pub(crate) max_retries: u32,
    pub(crate) default_timeout_ms: u64,
    /// Take read-only results from memory.
    pub(crate) memoize: bool,
    /// How large one value may be, in bytes.
    pub(crate) max_value_bytes: u64,
    /// How much of the results is held in memory, in bytes; the rest is read back when needed.
    pub(crate) max_retained_bytes: u64,
    /// Calls in flight at once, by tool source.
    pub(crate) source_limits: BTreeMap<String, usize>,
}

impl Default for RunSettings {
    fn default() -> Self {
        let options = RunOptions::default();
        Self {
            concurrency: options.concurrency,
            max_retries: options.max_retries,
            default_timeout_ms: options.default_timeout_ms,
            memoize: options.memoize,
            max_value_bytes: options.max_value_bytes,
            max_retained_bytes: options.max_retained_bytes,
            source_limits: options.source_limits,
        }
    }
}

/// The `[tools]` table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ToolSettings {
    /// Offer the offline sample tools.
    pub(crate) samples: bool,
    /// What tools do to the world, by id or `source/*`, in place of what they say themselves.
    pub(crate) effects: EffectOverrides,
    /// What tools do for planning, by id, in place of what was inferred; an empty list for nothing.
    pub(crate) does: DoesOverrides,
    /// Ask sources for their tools again after this many hours; 0 means never by itself.
    pub(crate) refresh_hours: u64,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self {
            samples: false,
            effects: EffectOverrides::new(),
            does: DoesOverrides::new(),
            refresh_hours: 24,
        }
    }
}

/// The `[search]` table: what counts how much when tools are ranked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SearchSettings {
    /// How well a tool's text fits.
    pub(crate) text: f64,
    pub(crate) quality: f64,
    pub(crate) health: f64,
    /// How often it was used.
    pub(crate) usage: f64,
    /// Tools that are shown whatever is searched for.
    pub(crate) always: Vec<String>,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            text: 0.4,
            quality: 0.3,
            health: 0.3,
            usage: 0.05,
            always: Vec::new(),
        }
    }
}

impl SearchSettings {
    pub(crate) fn weights(&self) -> Weights {
        let share = |number: f64| number.clamp(0.0, 1.0) as f32;
        Weights {
            text: share(self.text),
            quality: share(self.quality),
            health: share(self.health),
            usage: share(self.usage),
        }
    }
}

/// The `[ask]` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AskSettings {
    /// Ask at the terminal whether the answer was what was wanted.
    pub(crate) question: bool,
}

impl Default for AskSettings {
    fn default() -> Self {
        Self { question: true }
    }
}

/// The `[context]` table: what steps of a run may see.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ContextSettings {
    /// Whether the journal says what each step may see.
    pub(crate) told: bool,
    /// Tools are shown from this probability of being next on.
    pub(crate) threshold: f64,
    /// Of one step, in tokens.
    pub(crate) tokens: usize,
}

impl Default for ContextSettings {
    fn default() -> Self {
        let known = Knowledge::default();
        Self {
            told: true,
            threshold: known.threshold,
            tokens: known.budget,
        }
    }
}

/// The `[sandbox]` table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SandboxSettings {
    /// Run the code of packages without a sandbox where there is none.
    pub(crate) allow_unsandboxed: bool,
}

impl Settings {
    /// The key of a limit that would let no call be made at all.
    pub(super) fn forbidding(&self) -> Option<String> {
        let run = &self.run;
        let limits = run.source_limits.iter();
        let mut limits =
            limits.map(|(source, limit)| (format!("run.source_limits.{source}"), *limit));
        let plain = [
            ("run.concurrency", run.concurrency),
            ("run.default_timeout_ms", run.default_timeout_ms as usize),
            ("run.max_value_bytes", run.max_value_bytes as usize),
        ];
        let zero = plain.into_iter().find(|(_, limit)| *limit == 0);
        zero.map(|(key, _)| key.to_owned())
            .or_else(|| limits.find(|(_, limit)| *limit == 0).map(|(key, _)| key))
    }

    /// Models take their time.
    fn source_timeouts(&self) -> BTreeMap<String, u64> {
        let of_model = self.model.iter().map(|settings| {
            let limit = call_timeout_ms(settings).max(self.run.default_timeout_ms);
            (MODEL_SOURCE.to_owned(), limit)
        });
        of_model.collect()
    }

    /// The terms of a run as configured.
    pub(crate) fn options(&self) -> RunOptions {
        let run = &self.run;
        RunOptions {
            concurrency: run.concurrency,
            source_limits: run.source_limits.clone(),
            max_retries: run.max_retries,
            default_timeout_ms: run.default_timeout_ms,
            source_timeouts: self.source_timeouts(),
            approvals: self.approvals,
            memoize: run.memoize,
            max_value_bytes: run.max_value_bytes,
            max_retained_bytes: run.max_retained_bytes,
            ..RunOptions::default()
        }
    }
}
