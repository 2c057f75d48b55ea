//! How does asking a model fail? By what a person can do about it, whoever the provider is.

use std::time::Duration;

use super::ask::Reply;

/// Why there is no answer, or none that can be used. Whoever withdraws a question drops its
/// future and hears nothing more.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelFailure {
    #[error("the model did not answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    #[error("the provider refused the key (status {status}): {message}")]
    Refused { status: u16, message: String },
    /// No key can be sent: the whole sentence, with the name of the secret.
    #[error("{0}")]
    NoKey(String),
    #[error("the provider asks to slow down: {message}")]
    RateLimited {
        retry_after: Option<Duration>,
        message: String,
    },
    #[error("the provider has trouble of its own (status {status}): {message}")]
    Server { status: u16, message: String },
    #[error("the provider cannot be reached: {0}")]
    Unreachable(String),
    #[error("the answer broke off: {0}")]
    Broken(String),
    #[error("the provider does not take the request (status {status}): {message}")]
    BadRequest { status: u16, message: String },
    #[error("the answer ended at its limit of {} tokens", reply.tokens_out)]
    CutOff { reply: Box<Reply> },
    #[error("the model declined to answer: {0}")]
    Declined(String),
    #[error("the provider's response is not in its own format: {0}")]
    Unreadable(String),
    #[error("the answer holds no JSON: {0}")]
    NotJson(String),
}

impl ModelFailure {
    /// Whether the very same question may be answered a moment later.
    pub fn retryable(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. } | Self::Server { .. } | Self::Unreachable(_) | Self::Broken(_)
        )
    }

    /// Whether another attempt, with other words, may fare better.
    pub fn worth_another_attempt(&self) -> bool {
        matches!(
            self,
            Self::CutOff { .. } | Self::Unreadable(_) | Self::Broken(_)
        )
    }

    /// Whether other questions would fare no better: nobody answers, or not to this key.
    pub fn ends_asking(&self) -> bool {
        matches!(
            self,
            Self::TimedOut(_)
                | Self::Unreachable(_)
                | Self::Broken(_)
                | Self::Refused { .. }
                | Self::NoKey(_)
        )
    }

    /// What was spent on it all the same.
    pub fn reply(&self) -> Option<&Reply> {
        match self {
            Self::CutOff { reply } => Some(reply),
            _ => None,
        }
    }

    /// What a person can do.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::TimedOut(_) => "raise `model.timeout_ms`, or choose a faster model",
            Self::Refused { .. } | Self::NoKey(_) => "check the secret that `model.key` names",
            Self::RateLimited { .. } => "wait, or use a plan of the provider that allows more",
            Self::Server { .. } => "try again later",
            Self::Unreachable(_) | Self::Broken(_) => {
                "check `model.base_url` and that the server is running"
            }
            Self::BadRequest { .. } => "check `model.name` and `model.base_url`",
            Self::CutOff { .. } => "raise `model.max_tokens`",
            Self::Declined(_) => "say the request in other words",
            Self::Unreadable(_) => "check `model.provider` and `model.base_url`",
            Self::NotJson(_) => "a larger model keeps to the format more often",
        }
    }
}
