//! Of which parts is a context made? What changes least stands first, so that a provider that keeps
//! the beginning of prompts finds it again.

use serde::{Deserialize, Serialize};

/// A stretch of a context.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub kind: PartKind,
    /// A tool, a section, a step.
    pub name: String,
    pub text: String,
    pub tokens: usize,
}

/// The kinds of parts, in the order in which they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// What the run is for.
    Objective,
    /// The steps around this one, and how they stand.
    Outline,
    /// The tool in use, with its parameters.
    Tool,
    /// A section of a skill.
    Skill,
    /// A tool that is probably next, with its parameters.
    Next,
    /// Steps that come after, by name and purpose.
    Upcoming,
    /// A result that the step reads, shortened.
    Result,
}

impl PartKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Objective => "objective",
            Self::Outline => "outline",
            Self::Tool => "tool",
            Self::Skill => "skill",
            Self::Next => "next",
            Self::Upcoming => "upcoming",
            Self::Result => "result",
        }
    }
}
