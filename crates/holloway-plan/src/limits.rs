//! How large may a plan be? Bounds that keep hostile or generated documents from
//! taking the machine with them; callers with a reason may raise them.

/// The bounds of a plan document.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of text.
    pub text_bytes: usize,
    /// Levels of lists and mappings in the document.
    pub nesting: usize,
    /// Values in the document, aliases counted as often as they are used.
    pub values: usize,
    /// Steps, inner ones included.
    pub steps: usize,
    /// Levels of steps inside steps.
    pub step_depth: usize,
    /// Items of a loop that does not set `max_items`.
    pub loop_items: usize,
    /// The largest `max_items`, `concurrency`, `max_visits` or `max_calls` a plan may ask for.
    pub asked: usize,
    /// Bytes of one expression or template.
    pub expression_bytes: usize,
    /// Expressions that are more than a path, in the whole plan; each has to be compiled.
    pub formulas: usize,
    /// Plans inside plans.
    pub plan_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text_bytes: 4 << 20,
            nesting: 96,
            values: 150_000,
            steps: 10_000,
            step_depth: 16,
            loop_items: 10_000,
            asked: 1_000_000,
            expression_bytes: 64 << 10,
            formulas: 15_000,
            plan_depth: 8,
        }
    }
}

impl Limits {
    /// For plans made by a program that knows what it does.
    pub fn generous() -> Self {
        Self {
            text_bytes: 1 << 30,
            values: 100_000_000,
            steps: 10_000_000,
            formulas: 10_000_000,
            ..Self::default()
        }
    }
}
