//! How is a run to be carried out? Everything a caller may choose; written into
//! the first journal entry, so that a resumed run goes on under the same terms.

use std::collections::BTreeMap;

use holloway_plan::tool::Effect;
use serde::{Deserialize, Serialize};

/// The terms of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunOptions {
    /// Calls in flight at once.
    pub concurrency: usize,
    /// Calls in flight at once for one tool source, such as `mcp.git`.
    pub source_limits: BTreeMap<String, usize>,
    /// Retries for steps that do not say.
    pub max_retries: u32,
    /// Time limit for steps that do not say.
    pub default_timeout_ms: u64,
    /// Call nothing that writes.
    pub dry_run: bool,
    pub approvals: ApprovalPolicy,
    /// Read-only results may come from memory even if the step does not ask for it.
    pub memoize: bool,
    /// What the tools can reach; results are only remembered for the same reach.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub memory_scope: String,
    /// Makes retry jitter reproducible.
    pub seed: u64,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            concurrency: 4,
            source_limits: BTreeMap::new(),
            max_retries: 2,
            default_timeout_ms: 30_000,
            dry_run: false,
            approvals: ApprovalPolicy::default(),
            memoize: false,
            memory_scope: String::new(),
            seed: 0,
        }
    }
}

/// Which calls need a person's word, by effect class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ApprovalPolicy {
    pub read: Consent,
    pub idempotent: Consent,
    pub write: Consent,
    pub destructive: Consent,
    /// Calls that would write over something the run did not make, whatever their effect.
    pub replace: Consent,
    /// Calls that would write to a sensitive place that is granted by name. A person is always
    /// asked: only what is allowed for this one run, such as with `--yes`, asks nobody.
    pub sensitive: Consent,
    /// The plan's own `approve` steps.
    pub steps: Consent,
}

impl Default for ApprovalPolicy {
    fn default() -> Self {
        Self {
            read: Consent::Allow,
            idempotent: Consent::Allow,
            write: Consent::Ask,
            destructive: Consent::Ask,
            replace: Consent::Ask,
            sensitive: Consent::Ask,
            steps: Consent::Ask,
        }
    }
}

impl ApprovalPolicy {
    /// Nothing is asked, because everything was allowed beforehand.
    pub fn allow_all() -> Self {
        let allow = Consent::Allow;
        Self {
            read: allow,
            idempotent: allow,
            write: allow,
            destructive: allow,
            replace: allow,
            sensitive: allow,
            steps: allow,
        }
    }

    pub fn for_effect(self, effect: Effect) -> Consent {
        match effect {
            Effect::Read => self.read,
            Effect::Idempotent => self.idempotent,
            Effect::Write => self.write,
            Effect::Destructive => self.destructive,
        }
    }
}

/// Whether a call may simply be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Consent {
    Allow,
    Ask,
    /// Never; the step fails as `Denied`.
    Deny,
}
