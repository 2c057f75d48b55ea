//! Is every number within bounds, and every text of a size a person could have meant?

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::{Surroundings, problem_at};
use crate::draft::Draft;
use crate::limits::Limits;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems};
use crate::step::{Expectation, Function, Retry, Step};
use crate::template::is_templated;

/// A day: longer waits belong into an `approve` step or another plan.
const DAY_MS: u64 = 86_400_000;
const YEAR_SECONDS: u64 = 31_536_000;
const RETRIES: u32 = 100;
/// Texts for people, such as `purpose`.
const TEXT_BYTES: usize = 16 << 10;
/// Names of tools and plans.
const NAME_BYTES: usize = 500;

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    check_budget(draft, problems);
    check_plan_texts(draft, problems);
    draft.walk(&mut |step| {
        let mut step = Checked { step, problems };
        step.counts(around.limits);
        step.times();
        step.texts();
        step.expressions(around.limits);
    });
}

fn check_budget(draft: &Draft, problems: &mut Problems) {
    let budget = draft.budget;
    for (name, amount) in [("money", budget.money), ("seconds", budget.seconds)] {
        let Some(amount) = amount else { continue };
        if !amount.is_finite() || amount < 0.0 {
            let place = Place::default().field("budget").field(name);
            let problem = Problem::new(Code::BadLimit, place, format!("{amount} is not an amount"));
            problems.push(
                problem
                    .at_step("", &format!("budget.{name}"))
                    .with_hint("write 0 or more"),
            );
        }
    }
}

fn check_plan_texts(draft: &Draft, problems: &mut Problems) {
    let texts = [
        ("id", &draft.id, NAME_BYTES),
        ("objective", &draft.objective, TEXT_BYTES),
    ];
    for (field, text, most) in texts {
        if let Some(problem) = too_long(text.as_deref(), most) {
            let place = Place::default().field(field);
            problems.push(Problem::new(Code::BadLimit, place, problem).at_step("", field));
        }
    }
}

fn too_long(text: Option<&str>, most: usize) -> Option<String> {
    let bytes = text.map_or(0, str::len);
    (bytes > most).then(|| format!("the text has {bytes} bytes; at most {most} are taken"))
}

/// A step under examination.
struct Checked<'a> {
    step: &'a Step,
    problems: &'a mut Problems,
}

impl Checked<'_> {
    fn within<T: PartialOrd + Display + Copy>(
        &mut self,
        field: &str,
        value: Option<T>,
        bounds: RangeInclusive<T>,
    ) {
        let Some(value) = value else { return };
        if !bounds.contains(&value) {
            let message = format!(
                "{value} is not between {} and {}",
                bounds.start(),
                bounds.end()
            );
            let hint = format!(
                "choose a number from {} to {}",
                bounds.start(),
                bounds.end()
            );
            self.problems
                .push(problem_at(Code::BadLimit, self.step, field, message).with_hint(hint));
        }
    }

    fn counts(&mut self, limits: &Limits) {
        let asked = limits.asked;
        let asked_u32 = u32::try_from(asked).unwrap_or(u32::MAX);
        self.within("concurrency", self.step.concurrency, 1..=asked);
        self.within("max_items", self.step.max_items, 1..=asked);
        self.within("max_visits", self.step.max_visits, 1..=asked_u32);
        self.within("max_calls", self.step.max_calls, 1..=asked_u32);
    }

    fn times(&mut self) {
        self.within("timeout_ms", self.step.timeout_ms, 1..=DAY_MS);
        self.within(
            "cache.ttl",
            self.step.cache.as_ref().map(|cache| cache.ttl),
            0..=YEAR_SECONDS,
        );
        if let Some(Retry {
            max,
            base_ms,
            factor,
            max_ms,
            jitter,
        }) = self.step.retry.as_deref().copied()
        {
            self.within("retry.max", max, 0..=RETRIES);
            self.within("retry.base_ms", base_ms, 0..=DAY_MS);
            self.within("retry.max_ms", max_ms, 0..=DAY_MS);
            self.within("retry.factor", factor, 1.0..=1000.0);
            self.within("retry.jitter", jitter, 0.0..=1.0);
        }
    }

    fn texts(&mut self) {
        let step = self.step;
        let function = match &step.function {
            Some(Function::Named(name)) => Some(name),
            _ => None,
        };
        let texts = [
            ("purpose", step.purpose.as_ref(), TEXT_BYTES),
            ("goal", step.goal.as_ref(), TEXT_BYTES),
            ("tool", step.tool.as_ref(), NAME_BYTES),
            ("plan", step.plan.as_ref(), NAME_BYTES),
            ("function", function, NAME_BYTES),
        ];
        for (field, text, most) in texts {
            self.text(field, text.map(String::as_str), most);
        }
        for (field, names) in [("tools", &step.tools), ("fallbacks", &step.fallbacks)] {
            for (index, name) in names.iter().enumerate() {
                self.text(&format!("{field}[{index}]"), Some(name), NAME_BYTES);
            }
        }
    }

    fn text(&mut self, field: &str, text: Option<&str>, most: usize) {
        if let Some(message) = too_long(text, most) {
            self.problems.push(
                problem_at(Code::BadLimit, self.step, field, message).with_hint("shorten it"),
            );
        }
    }

    /// Too long an expression stops the checks: the later rules would have to read it.
    fn expressions(&mut self, limits: &Limits) {
        let step = self.step;
        let most = limits.expression_bytes;
        for (field, text) in [
            ("when", &step.when),
            ("condition", &step.condition),
            ("until", &step.until),
        ] {
            self.expression(field, text.as_deref(), most);
        }
        for (index, edge) in step.next.iter().enumerate() {
            self.expression(&format!("next[{index}].when"), edge.when.as_deref(), most);
        }
        for (index, expectation) in step.expect.iter().enumerate() {
            if let Expectation::That(text)
            | Expectation::Exists(text)
            | Expectation::Unchanged(text) = expectation
            {
                self.expression(&format!("expect[{index}]"), Some(text), most);
            }
        }
        let prompt = match &step.function {
            Some(Function::Prompt { prompt }) => Some(prompt.as_str()),
            _ => None,
        };
        let key = step.cache.as_ref().and_then(|cache| cache.key.as_deref());
        for (field, text) in [
            ("ask", step.ask.as_deref()),
            ("function.prompt", prompt),
            ("cache.key", key),
        ] {
            self.expression(field, text, most);
        }
        let values = [
            ("input", step.input.as_ref()),
            ("over", step.over.as_deref()),
            ("initial", step.initial.as_deref()),
            ("show", step.show.as_deref()),
        ];
        for (field, value) in values {
            let longest = value.map_or(0, longest_template);
            self.length(field, longest, most);
        }
    }

    fn expression(&mut self, field: &str, text: Option<&str>, most: usize) {
        self.length(field, text.map_or(0, str::len), most);
    }

    fn length(&mut self, field: &str, bytes: usize, most: usize) {
        if bytes > most {
            let message = format!("the expression has {bytes} bytes; at most {most} are read");
            let hint = "let a tool do the work, and read its result";
            self.problems
                .push(problem_at(Code::PlanTooLarge, self.step, field, message).with_hint(hint));
        }
    }
}

/// Literal texts may be long; only those with references in them are expressions.
fn longest_template(value: &Value) -> usize {
    match value {
        Value::String(text) if is_templated(text) => text.len(),
        Value::Array(items) => items.iter().map(longest_template).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(longest_template).max().unwrap_or(0),
        _ => 0,
    }
}
