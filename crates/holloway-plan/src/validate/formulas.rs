//! Are there more expressions than can be read in reasonable time? Paths are cheap;
//! everything else has to be compiled.

use serde_json::Value;

use super::{Surroundings, problem_at};
use crate::draft::Draft;
use crate::path::Path;
use crate::problem::{Code, Problems};
use crate::step::{Expectation, Step};

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    let most = around.limits.formulas;
    let mut formulas: usize = 0;
    draft.walk(&mut |step| {
        let before = formulas;
        formulas = formulas.saturating_add(formulas_of(step));
        // Told once, where it is too much.
        if before <= most && formulas > most {
            let message = format!(
                "with this step the plan has more than {most} expressions that are not plain paths"
            );
            let problem = problem_at(Code::PlanTooLarge, step, "input", message);
            problems.push(
                problem.with_hint("use a `loop` for what is repeated, or let a tool do the work"),
            );
        }
    });
}

fn formulas_of(step: &Step) -> usize {
    let conditions = [&step.when, &step.condition, &step.until];
    let conditions = conditions
        .into_iter()
        .flatten()
        .filter(|text| Path::parse(text).is_none());
    let edges = step.next.iter().filter(|edge| edge.when.is_some());
    let expectations = step
        .expect
        .iter()
        .filter(|held| matches!(held, Expectation::That(_)));
    let values = [
        step.input.as_ref(),
        step.over.as_deref(),
        step.initial.as_deref(),
        step.show.as_deref(),
    ];
    let texts = step
        .ask
        .iter()
        .chain(step.cache.as_ref().and_then(|cache| cache.key.as_ref()));
    conditions.count()
        + edges.count()
        + expectations.count()
        + values.into_iter().flatten().map(formulas_in).sum::<usize>()
        + texts.map(|text| formulas_in_text(text)).sum::<usize>()
}

fn formulas_in(value: &Value) -> usize {
    match value {
        Value::String(text) => formulas_in_text(text),
        Value::Array(items) => items.iter().map(formulas_in).sum(),
        Value::Object(fields) => fields.values().map(formulas_in).sum(),
        _ => 0,
    }
}

fn formulas_in_text(text: &str) -> usize {
    let references = text.split("{{").skip(1);
    let is_path = |part: &&str| {
        part.split_once("}}")
            .is_some_and(|(inside, _)| Path::parse(inside).is_some())
    };
    references.filter(|part| !is_path(part)).count() + text.matches("{%").count()
}
