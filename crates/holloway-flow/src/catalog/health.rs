//! Does a tool work? Judged from what calls and checks showed. A missing key or
//! a bad input says nothing against the tool.

mod read;

use holloway_engine::failure::{FailureName, ToolFailure};
use serde::{Deserialize, Serialize};

use read::Cause;

/// What one call or check showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum Sign {
    Worked {
        duration_ms: u64,
    },
    /// The tool or its source is at fault.
    Broke {
        reason: String,
    },
    /// It failed, but says nothing about the tool: a key is missing, the input was bad.
    Unclear {
        reason: String,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    #[default]
    Unknown,
    Healthy,
    Broken,
}

/// How a tool is doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Health {
    pub status: Status,
    /// Why, when it is broken or unclear.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Of the signs looked at.
    pub worked: u32,
    pub broke: u32,
    /// Median of calls that worked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_ms: Option<u64>,
}

/// What the failure of a call shows about the tool.
pub fn sign_of(failure: &ToolFailure) -> Sign {
    let said = read::shortened(&failure.message);
    match cause_of(failure) {
        Cause::Broken => Sign::Broke { reason: said },
        Cause::Key => Sign::Unclear {
            reason: format!("a key is missing or was refused: {said}"),
        },
        Cause::TooMany => Sign::Unclear {
            reason: format!("it was called too often: {said}"),
        },
        Cause::Caller | Cause::Unknown => Sign::Unclear { reason: said },
    }
}

fn cause_of(failure: &ToolFailure) -> Cause {
    match failure.name {
        FailureName::Timeout => Cause::Broken,
        FailureName::ToolFailed => match read::cause_of(&failure.message) {
            // Nobody knows how it ended: the connection was lost on the way.
            Cause::Unknown if failure.uncertain => Cause::Broken,
            cause => cause,
        },
        // The plan, a person or a limit of ours was in the way.
        FailureName::ValidationFailed
        | FailureName::UnknownTool
        | FailureName::Denied
        | FailureName::ExpectationUnmet
        | FailureName::MissingValue
        | FailureName::Deadlock
        | FailureName::LimitExceeded => Cause::Caller,
    }
}

/// The health that signs add up to; newest first. The newest clear sign decides.
pub fn health_of(signs: &[(u64, Sign)]) -> Health {
    let status = signs
        .iter()
        .find_map(|(_, sign)| status_by(sign))
        .unwrap_or_default();
    let count = |status| {
        let of_status = signs
            .iter()
            .filter(|(_, sign)| status_by(sign) == Some(status));
        u32::try_from(of_status.count()).unwrap_or(u32::MAX)
    };
    Health {
        status,
        reason: reason(signs, status).to_owned(),
        worked: count(Status::Healthy),
        broke: count(Status::Broken),
        latency_ms: median(signs),
        checked_ms: signs.first().map(|(at_ms, _)| *at_ms),
    }
}

fn status_by(sign: &Sign) -> Option<Status> {
    match sign {
        Sign::Worked { .. } => Some(Status::Healthy),
        Sign::Broke { .. } => Some(Status::Broken),
        Sign::Unclear { .. } => None,
    }
}

/// Why it broke; or, while that is not so, what was last in the way.
fn reason(signs: &[(u64, Sign)], status: Status) -> &str {
    if status == Status::Broken {
        let broke = signs.iter().find_map(|(_, sign)| match sign {
            Sign::Broke { reason } => Some(reason.as_str()),
            _ => None,
        });
        return broke.unwrap_or_default();
    }
    match signs.first() {
        Some((_, Sign::Unclear { reason })) => reason,
        _ => "",
    }
}

fn median(signs: &[(u64, Sign)]) -> Option<u64> {
    let mut durations: Vec<u64> = signs
        .iter()
        .filter_map(|(_, sign)| match sign {
            Sign::Worked { duration_ms } => Some(*duration_ms),
            _ => None,
        })
        .collect();
    durations.sort_unstable();
    durations.get(durations.len() / 2).copied()
}

#[cfg(test)]
mod tests;
