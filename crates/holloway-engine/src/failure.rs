//! How does a call fail? A tool's failure is data: named, told apart by whether
//! a repeat may help and whether something may have happened anyway.

use serde::{Deserialize, Serialize};

use crate::ports::Usage;

/// The failure names people see in traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureName {
    /// The tool reported that it failed.
    #[serde(rename = "Tool failed")]
    ToolFailed,
    #[serde(rename = "Timeout")]
    Timeout,
    /// Input or output does not fit the tool's schema.
    #[serde(rename = "Validation failed")]
    ValidationFailed,
    #[serde(rename = "Unknown tool")]
    UnknownTool,
    /// Not granted, or a person said no.
    #[serde(rename = "Denied")]
    Denied,
    #[serde(rename = "Expectation unmet")]
    ExpectationUnmet,
    /// A reference in the step's input had no value.
    #[serde(rename = "Missing value")]
    MissingValue,
    #[serde(rename = "Deadlock detected")]
    Deadlock,
    /// Something a limit forbids: too many items, visits, bytes.
    #[serde(rename = "Limit exceeded")]
    LimitExceeded,
}

impl FailureName {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ToolFailed => "Tool failed",
            Self::Timeout => "Timeout",
            Self::ValidationFailed => "Validation failed",
            Self::UnknownTool => "Unknown tool",
            Self::Denied => "Denied",
            Self::ExpectationUnmet => "Expectation unmet",
            Self::MissingValue => "Missing value",
            Self::Deadlock => "Deadlock detected",
            Self::LimitExceeded => "Limit exceeded",
        }
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{}: {message}", name.as_str())]
pub struct ToolFailure {
    pub name: FailureName,
    pub message: String,
    /// May the same call succeed a moment later?
    #[serde(default)]
    pub retryable: bool,
    /// The call may have had its effect although it failed (time-out, lost connection).
    #[serde(default)]
    pub uncertain: bool,
    /// The call did have its effect, but not with a usable answer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub happened: bool,
    /// Nothing was done, because the call would change this file and nobody has allowed it.
    /// The path is resolved: no link is on the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<String>,
    /// That file is in a sensitive place, so that a person is always asked.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sensitive: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What the call consumed all the same; the entry has it in a field of its own.
    #[serde(skip)]
    pub used: Option<Box<Usage>>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature serde asks for
fn is_false(flag: &bool) -> bool {
    !flag
}

/// What to do about a value that is too large.
pub const TOO_LARGE_HINT: &str =
    "make less of it, write it to a file, or raise `max_value_bytes` in `[run]`";

impl ToolFailure {
    fn of(name: FailureName, message: impl Into<String>) -> Self {
        Self {
            name,
            message: message.into(),
            retryable: false,
            uncertain: false,
            happened: false,
            replaces: None,
            sensitive: false,
            hint: None,
            used: None,
        }
    }

    /// The tool did not do it, and trying again will not help.
    pub fn permanent(message: impl Into<String>) -> Self {
        Self::of(FailureName::ToolFailed, message)
    }

    /// The tool did not do it, but may a moment later.
    pub fn transient(message: impl Into<String>) -> Self {
        Self {
            retryable: true,
            ..Self::of(FailureName::ToolFailed, message)
        }
    }

    pub fn timeout(limit_ms: u64) -> Self {
        Self {
            retryable: true,
            uncertain: true,
            ..Self::of(
                FailureName::Timeout,
                format!("no answer within {limit_ms} ms"),
            )
        }
    }

    /// The arguments or the result do not fit the schema.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::of(FailureName::ValidationFailed, message)
    }

    pub fn denied(message: impl Into<String>) -> Self {
        Self::of(FailureName::Denied, message)
    }

    /// The call would change a file that the run did not make.
    pub fn would_replace(file: impl Into<String>) -> Self {
        let file = file.into();
        let message = format!("`{file}` is there already, and this run did not make it");
        Self {
            replaces: Some(file),
            ..Self::denied(message)
        }
    }

    /// The call would write to a sensitive place, which `what` describes.
    pub fn would_touch_sensitive(file: impl Into<String>, what: &str) -> Self {
        let file = file.into();
        let message = format!("`{file}` is in a sensitive place ({what})");
        Self {
            replaces: Some(file),
            sensitive: true,
            ..Self::denied(message)
        }
    }

    pub fn unknown_tool(message: impl Into<String>) -> Self {
        Self::of(FailureName::UnknownTool, message)
    }

    pub fn unmet(message: impl Into<String>) -> Self {
        Self {
            retryable: true,
            happened: true,
            ..Self::of(FailureName::ExpectationUnmet, message)
        }
    }

    pub fn missing_value(message: impl Into<String>) -> Self {
        Self::of(FailureName::MissingValue, message)
    }

    pub fn limit(message: impl Into<String>) -> Self {
        Self::of(FailureName::LimitExceeded, message)
    }

    /// A value is larger than the run allows.
    pub fn too_large(what: &str, limit: usize) -> Self {
        Self::limit(format!("{what} more than {limit} bytes")).with_hint(TOO_LARGE_HINT)
    }

    /// The effect may have happened all the same.
    pub fn uncertain(mut self) -> Self {
        self.uncertain = true;
        self
    }

    /// The effect has happened; only the answer is of no use.
    pub fn happened(mut self) -> Self {
        self.happened = true;
        self
    }

    /// What the call consumed all the same.
    pub fn having_used(mut self, usage: Usage) -> Self {
        self.used = Some(Box::new(usage));
        self
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
