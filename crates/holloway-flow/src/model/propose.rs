//! How does a model's proposal become one of ours? It is asked, its answer is read, mended
//! and checked; what is wrong is told to it, a few times; then the embedded planner takes
//! over and says why. The model proposes, the planner disposes.

mod course;
pub mod frame;
pub mod plans;

use std::time::Duration;

use holloway_planner::frame::constraints::Constraints;
use serde::Serialize;

use super::spend::{Allowance, Spent};
use holloway_engine::model::ask::{self, Reply};

/// Under which terms a model is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    pub attempts: u32,
    pub temperature: f64,
    /// Of one answer.
    pub max_tokens: u32,
    /// For one answer.
    pub timeout: Duration,
    /// For all answers together, waiting included, where the request limits the time.
    pub deadline: Option<Duration>,
    /// For all attempts together.
    pub allowance: Allowance,
    /// Whether first steps may begin while the plan is still being written.
    pub early_start: bool,
    /// Whether columns and values of tables are told.
    pub share_tables: bool,
    /// A small model reads requests; plans are made from its frame by the embedded planner.
    pub small: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            attempts: 3,
            temperature: ask::TEMPERATURE,
            max_tokens: ask::MAX_TOKENS,
            timeout: ask::TIMEOUT,
            deadline: None,
            allowance: Allowance::default(),
            early_start: false,
            share_tables: true,
            small: false,
        }
    }
}

impl Terms {
    /// The same within what the request allows: planning is part of the work.
    pub fn within(&self, limits: &Constraints) -> Self {
        let mut terms = *self;
        let mut allowed = Constraints {
            money: self.allowance.money,
            ..Constraints::default()
        };
        allowed.tighten(limits);
        terms.allowance.money = allowed.money;
        if let Some(seconds) = limits.seconds {
            let most = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            terms.deadline = Some(self.deadline.map_or(most, |known| known.min(most)));
        }
        terms
    }

    /// How long the next answer may take after so much was spent; nothing where no time is left.
    pub fn time_left(&self, spent: &Spent) -> Option<Duration> {
        let Some(deadline) = self.deadline else {
            return Some(self.timeout);
        };
        let used = Duration::try_from_secs_f64(spent.seconds).unwrap_or(Duration::MAX);
        let left = deadline.saturating_sub(used).min(self.timeout);
        (!left.is_zero()).then_some(left)
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal<T> {
    pub value: T,
    pub made_by: MadeBy,
    /// What was changed in what the model said.
    pub notes: Vec<String>,
}

/// Who made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeBy {
    Model {
        name: String,
    },
    /// The embedded planner, and the model found nothing to change.
    Kept {
        name: String,
    },
    /// The embedded planner, since the model gave nothing of use.
    Embedded {
        reason: String,
    },
}

/// One exchange with a model: what came of it, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange<T> {
    pub value: T,
    /// What happened to each answer, in order.
    pub attempts: Vec<Attempt>,
    pub spent: Spent,
    /// Whether asking the same model anything else makes no sense.
    pub ends_asking: bool,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    pub number: usize,
    /// `None` when it could be used.
    pub problem: Option<String>,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// US dollars.
    pub money: f64,
}

impl Attempt {
    fn of(reply: Option<&Reply>, before: usize) -> Self {
        Self {
            number: before + 1,
            problem: None,
            tokens_in: reply.map_or(0, |reply| reply.tokens_in),
            tokens_out: reply.map_or(0, |reply| reply.tokens_out),
            money: reply.map_or(0.0, |reply| reply.money),
        }
    }
}

fn of_no_help(model: &str, why: &str) -> MadeBy {
    MadeBy::Embedded {
        reason: format!("{model} was of no help: {why}"),
    }
}

#[cfg(test)]
mod tests;
