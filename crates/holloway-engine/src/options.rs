//! How is a run to be carried out? Everything a caller may choose; written into
//! the first journal entry, so that a resumed run goes on under the same terms.

use std::collections::BTreeMap;

use holloway_plan::size::VALUE_BYTES;
use holloway_plan::tool::{Effect, ToolId};
use serde::{Deserialize, Serialize};

/// How much of the results is held in memory, unless the configuration says otherwise.
const RETAINED_BYTES: u64 = 32 << 20;

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
    /// The same for tools of one source, such as `model`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub source_timeouts: BTreeMap<String, u64>,
    /// Call nothing that writes.
    pub dry_run: bool,
    pub approvals: ApprovalPolicy,
    /// Read-only results may come from memory even if the step does not ask for it.
    pub memoize: bool,
    /// How large one value may be, in bytes.
    pub max_value_bytes: u64,
    /// How much of the results is held in memory, in bytes; the rest is read back when needed.
    pub max_retained_bytes: u64,
    /// What the tools can reach; results are only remembered for the same reach.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub memory_scope: String,
    /// Makes retry jitter reproducible.
    pub seed: u64,
}

impl RunOptions {
    /// Time limit for a call of a tool, unless its step says otherwise.
    pub fn timeout_ms(&self, tool: &ToolId) -> u64 {
        let of_source = self.source_timeouts.get(tool.source());
        of_source.copied().unwrap_or(self.default_timeout_ms)
    }

    /// How large one value may be.
    pub fn room(&self) -> usize {
        usize::try_from(self.max_value_bytes).unwrap_or(usize::MAX)
    }
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            concurrency: 4,
            source_limits: BTreeMap::new(),
            max_retries: 2,
            default_timeout_ms: 30_000,
            source_timeouts: BTreeMap::new(),
            dry_run: false,
            approvals: ApprovalPolicy::default(),
            memoize: false,
            max_value_bytes: VALUE_BYTES as u64,
            max_retained_bytes: RETAINED_BYTES,
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
    /// Nothing is asked, because what would be asked was allowed beforehand. What is denied
    /// stays denied.
    pub fn without_questions(self) -> Self {
        self.each(Self::default(), |own, _| match own {
            Consent::Ask => Consent::Allow,
            other => other,
        })
    }

    /// Of each word of both policies the stricter one.
    pub fn stricter_of(self, other: Self) -> Self {
        self.each(other, Consent::max)
    }

    /// Every word with its name.
    pub fn named(self) -> [(&'static str, Consent); 7] {
        [
            ("read", self.read),
            ("idempotent", self.idempotent),
            ("write", self.write),
            ("destructive", self.destructive),
            ("replace", self.replace),
            ("sensitive", self.sensitive),
            ("steps", self.steps),
        ]
    }

    fn each(self, other: Self, join: impl Fn(Consent, Consent) -> Consent) -> Self {
        Self {
            read: join(self.read, other.read),
            idempotent: join(self.idempotent, other.idempotent),
            write: join(self.write, other.write),
            destructive: join(self.destructive, other.destructive),
            replace: join(self.replace, other.replace),
            sensitive: join(self.sensitive, other.sensitive),
            steps: join(self.steps, other.steps),
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

/// Whether a call may simply be made; the later, the stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Consent {
    Allow,
    Ask,
    /// Never; the step fails as `Denied`.
    Deny,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_outlasts_every_yes() {
        let policy = ApprovalPolicy {
            write: Consent::Deny,
            ..ApprovalPolicy::default()
        };
        let yes = policy.without_questions();
        assert_eq!(yes.write, Consent::Deny);
        assert_eq!(yes.destructive, Consent::Allow);
        assert_eq!(yes.steps, Consent::Allow);
    }

    #[test]
    fn the_stricter_word_of_two_policies_counts() {
        let stricter = ApprovalPolicy {
            read: Consent::Deny,
            write: Consent::Allow,
            ..ApprovalPolicy::default()
        };
        let both = ApprovalPolicy::default().stricter_of(stricter);
        assert_eq!(both.read, Consent::Deny);
        assert_eq!(both.write, Consent::Ask);
        assert_eq!(both, stricter.stricter_of(ApprovalPolicy::default()));
    }
}
