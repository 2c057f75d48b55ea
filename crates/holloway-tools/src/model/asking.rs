//! How does a tool ask the model? One question after another on one account; what was spent counts
//! whether the answer was of use or not.

use std::sync::Mutex;
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use holloway_engine::model::{Ask, ModelFailure, Reply};
use holloway_engine::ports::{CallOutput, ModelUse, Usage};
use holloway_plan::digest;
use serde_json::Value;

use super::ModelAtHand;

/// The model of a toolbox.
pub(super) struct Asking {
    pub(super) at_hand: ModelAtHand,
}

/// What one call of a tool has spent so far.
#[derive(Default)]
pub(super) struct Account {
    spent: Mutex<Usage>,
}

impl Asking {
    pub(super) fn new(at_hand: ModelAtHand) -> Self {
        Self { at_hand }
    }

    /// A question under the terms of the configuration.
    pub(super) fn question(&self, system: String, question: String) -> Ask {
        Ask {
            temperature: self.at_hand.temperature,
            max_tokens: self.at_hand.max_tokens,
            timeout: Duration::from_millis(self.at_hand.timeout_ms),
            ..Ask::new(system, question)
        }
    }

    /// The answer, put on the account.
    pub(super) async fn ask(&self, ask: Ask, account: &Account) -> Result<String, ToolFailure> {
        let prompt = digest::of_json(&ask.to_string());
        match self.at_hand.model.complete(ask).await {
            Ok(reply) => {
                account.add(&reply, prompt, self.at_hand.model.name());
                Ok(reply.text)
            }
            Err(failure) => {
                if let Some(reply) = failure.reply() {
                    account.add(reply, prompt, self.at_hand.model.name());
                }
                Err(account.told(as_failure(&failure)))
            }
        }
    }
}

impl Account {
    fn add(&self, reply: &Reply, prompt: String, asked: &str) {
        let Ok(mut spent) = self.spent.lock() else {
            return;
        };
        spent.money += reply.money;
        spent.tokens += reply.tokens_in.saturating_add(reply.tokens_out);
        let model = spent.model.get_or_insert_with(|| {
            Box::new(ModelUse {
                prompt,
                ..ModelUse::default()
            })
        });
        let name = if reply.model.is_empty() {
            asked
        } else {
            &reply.model
        };
        name.clone_into(&mut model.name);
        model.answers += 1;
        model.tokens_in = model.tokens_in.saturating_add(reply.tokens_in);
        model.tokens_out = model.tokens_out.saturating_add(reply.tokens_out);
        model.cached_tokens = model.cached_tokens.saturating_add(reply.cached_tokens);
    }

    fn usage(&self) -> Usage {
        self.spent.lock().map(|it| it.clone()).unwrap_or_default()
    }

    /// A result with what it took.
    pub(super) fn output(&self, value: Value) -> CallOutput {
        CallOutput {
            value,
            usage: self.usage(),
        }
    }

    /// A failure with what it took.
    pub(super) fn told(&self, failure: ToolFailure) -> ToolFailure {
        let usage = self.usage();
        if usage.is_empty() {
            return failure;
        }
        failure.having_used(usage)
    }
}

/// What the failure of a model means for the call.
fn as_failure(failure: &ModelFailure) -> ToolFailure {
    let told = match failure {
        ModelFailure::TimedOut(limit) => {
            let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
            ToolFailure {
                message: failure.to_string(),
                ..ToolFailure::timeout(limit)
            }
        }
        other if other.retryable() || other.worth_another_attempt() => {
            ToolFailure::transient(other.to_string())
        }
        other => ToolFailure::permanent(other.to_string()),
    };
    told.with_hint(failure.hint())
}
