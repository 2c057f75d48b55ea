//! What will a plan take, and will it work? Money, duration, effects and risks from what
//! the tools declare; confidence from what is known of them.

use serde::Serialize;

/// What a card shows about a plan before it runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outlook {
    pub steps: usize,
    /// US dollars.
    pub money: f64,
    /// Along the critical path.
    pub duration_ms: u64,
    /// 0 to 1.
    pub confidence: f64,
    /// What the plan does to the world beyond reading, as "writes website-audit.pdf".
    pub effects: Vec<String>,
    pub risks: Vec<Risk>,
}

/// Why a plan deserves a second look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Risk {
    pub code: RiskCode,
    pub sentence: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskCode {
    /// Reads private data, reads what strangers wrote, and sends something out.
    Leak,
    Destructive,
    /// A tool that is known to be broken or of unknown health.
    Health,
    /// Arguments that were guessed.
    Guessed,
    /// A person has to say something first.
    OpenInput,
    OverBudget,
}
