//! What is wrong with a plan, said so that a person can mend it: which step,
//! which field, one sentence, a hint, and the place in the file.

use std::fmt;

use serde::Serialize;

use crate::place::{Place, Position};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    pub code: Code,
    /// The name people know the error by, such as `Unknown tool`.
    pub name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip)]
    pub place: Place,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
}

/// Names a page in `docs/errors/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    PlanUnreadable,
    PlanShape,
    PlanTooLarge,
    StepId,
    UnknownTool,
    UnknownStep,
    UnknownPlan,
    UnboundReference,
    BadExpression,
    DeadlockDetected,
    InvalidInput,
    IncompatibleFallback,
    BadGraph,
    BadLimit,
}

impl Code {
    pub const ALL: [Self; 14] = [
        Self::PlanUnreadable,
        Self::PlanShape,
        Self::PlanTooLarge,
        Self::StepId,
        Self::UnknownTool,
        Self::UnknownStep,
        Self::UnknownPlan,
        Self::UnboundReference,
        Self::BadExpression,
        Self::DeadlockDetected,
        Self::InvalidInput,
        Self::IncompatibleFallback,
        Self::BadGraph,
        Self::BadLimit,
    ];

    /// The page's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PlanUnreadable => "plan-unreadable",
            Self::PlanShape => "plan-shape",
            Self::PlanTooLarge => "plan-too-large",
            Self::StepId => "step-id",
            Self::UnknownTool => "unknown-tool",
            Self::UnknownStep => "unknown-step",
            Self::UnknownPlan => "unknown-plan",
            Self::UnboundReference => "unbound-reference",
            Self::BadExpression => "bad-expression",
            Self::DeadlockDetected => "deadlock-detected",
            Self::InvalidInput => "invalid-input",
            Self::IncompatibleFallback => "incompatible-fallback",
            Self::BadGraph => "bad-graph",
            Self::BadLimit => "bad-limit",
        }
    }

    /// The name people know the error by.
    pub fn title(self) -> &'static str {
        match self {
            Self::UnknownTool => "Unknown tool",
            Self::DeadlockDetected => "Deadlock detected",
            Self::PlanUnreadable => "Unreadable plan",
            Self::PlanTooLarge => "Plan too large",
            Self::UnknownStep => "Unknown step",
            Self::UnknownPlan => "Unknown plan",
            Self::UnboundReference => "Unbound reference",
            Self::BadExpression => "Bad expression",
            Self::PlanShape
            | Self::StepId
            | Self::InvalidInput
            | Self::IncompatibleFallback
            | Self::BadGraph
            | Self::BadLimit => "Validation failed",
        }
    }
}

/// A text somebody wrote may be megabytes long; a message is read by a person.
fn shortened(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}

impl Problem {
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            code,
            name: code.title(),
            step: None,
            field: None,
            message: shortened(message.into(), 600),
            hint: None,
            place,
            position: None,
        }
    }

    pub fn at_step(mut self, step: &str, field: &str) -> Self {
        self.step = (!step.is_empty()).then(|| shortened(step.to_owned(), 120));
        self.field = (!field.is_empty()).then(|| shortened(field.to_owned(), 120));
        self
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the hint if there is one to give.
    pub fn with_some_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        match (&self.step, &self.field) {
            (Some(step), Some(field)) => write!(f, " in step `{step}`, field `{field}`")?,
            (Some(step), None) => write!(f, " in step `{step}`")?,
            (None, Some(field)) => write!(f, " in field `{field}`")?,
            (None, None) => {}
        }
        write!(f, ": {}", self.message)
    }
}

/// Everything that is wrong with a plan; never empty as an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, thiserror::Error)]
#[serde(transparent)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Nobody reads more; a generated plan may have one for each of its thousand steps.
    pub const MOST: usize = 100;
    /// Looking for similar names takes time; later problems go without.
    const WITH_HINTS: usize = 5;

    /// Adds a problem, unless there are more than enough.
    pub fn push(&mut self, problem: Problem) {
        if !self.is_full() {
            self.0.push(problem);
        }
    }

    /// Whether more would be left out.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= Self::MOST
    }

    /// Whether the next problem is worth a search for what was meant.
    pub(crate) fn wants_hint(&self) -> bool {
        self.0.len() < Self::WITH_HINTS
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// `value` if nothing is wrong.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}

impl Extend<Problem> for Problems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        for problem in problems {
            self.push(problem);
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
            if let Some(hint) = &problem.hint {
                write!(f, "\n  hint: {hint}")?;
            }
        }
        if self.is_full() {
            write!(f, "\n(only the first {} problems are shown)", Self::MOST)?;
        }
        Ok(())
    }
}

/// The known name that looks most like `wanted`, as a hint.
pub fn did_you_mean<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(wanted, known).map(|name| format!("did you mean `{name}`?"))
}

/// Names longer than this are not compared: the work grows with the square of their length.
const LONGEST_COMPARED: usize = 200;
/// So many names are compared at most.
const MOST_COMPARED: usize = 2_000;

/// The name that is most like the wanted one, if any is.
pub fn closest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if wanted.len() > LONGEST_COMPARED {
        return None;
    }
    let lowered = wanted.to_lowercase();
    known
        .into_iter()
        .take(MOST_COMPARED)
        .filter(|name| name.len() <= LONGEST_COMPARED)
        .map(|name| (likeness(&lowered, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// From 0 to 1. Swapped letters of a short word count as one slip.
fn likeness(a: &str, b: &str) -> f64 {
    let alike = strsim::jaro_winkler(a, b);
    if alike <= 0.8 && a.len().max(b.len()) <= 8 && a.len() > 2 && strsim::osa_distance(a, b) == 1 {
        return 0.81;
    }
    alike
}
