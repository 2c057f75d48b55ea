//! Does a tool work? Judged from what calls and checks showed. A missing key or
//! a bad input says nothing against the tool.

use holloway_engine::failure::ToolFailure;
use serde::{Deserialize, Serialize};

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
    Sign::Unclear {
        reason: failure.message.clone(),
    }
}

/// The health that signs add up to; newest first.
pub fn health_of(signs: &[(u64, Sign)]) -> Health {
    let _ = signs;
    Health::default()
}
