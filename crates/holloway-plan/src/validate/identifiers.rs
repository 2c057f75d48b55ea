//! Has every step a name of its own, and does `depends_on` name steps that can be waited for?

use rustc_hash::FxHashMap;

use super::names::{RESERVED, is_given};
use super::{Surroundings, problem_at};
use crate::draft::Draft;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems, did_you_mean};
use crate::step::Step;

const LONGEST: usize = 100;

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    let mut known: FxHashMap<&str, &Step> = FxHashMap::default();
    draft.walk(&mut |step| {
        if problems.is_full() {
            return;
        }
        problems.extend(bad_id(step, around));
        if step.id.is_empty() {
            return;
        }
        match known.get(step.id.as_str()) {
            Some(first) => problems.push(twice(step, first)),
            None => {
                known.insert(&step.id, step);
            }
        }
    });
    check_list(&draft.steps, &known, problems);
}

fn bad_id(step: &Step, around: &Surroundings<'_>) -> Option<Problem> {
    let problem = |message: String| problem_at(Code::StepId, step, "id", message);
    let id = step.id.as_str();
    if id.is_empty() {
        return Some(problem("the step has no `id`".to_owned()).with_hint(suggestion(step)));
    }
    if id.len() > LONGEST {
        let message = format!("the id has {} bytes; at most {LONGEST} are taken", id.len());
        return Some(problem(message).with_hint("shorten it; `purpose` has room for more"));
    }
    let fits = |(at, c): (usize, char)| {
        c.is_ascii_alphabetic() || c == '_' || (at > 0 && (c.is_ascii_digit() || c == '-'))
    };
    if let Some((at, c)) = id.char_indices().find(|found| !fits(*found)) {
        return Some(
            problem(unfit(c, at))
                .with_hint("use the letters A to Z, digits, `_` and `-`, a letter first"),
        );
    }
    if id.ends_with('-') {
        return Some(problem(
            "the id ends with `-`, so no expression could name it".to_owned(),
        ));
    }
    if RESERVED.contains(&id) || is_given(id, around) {
        let message = format!("`{id}` already has a meaning in expressions");
        return Some(problem(message).with_hint(format!("call it `{id}_step`, for example")));
    }
    None
}

/// Look-alike letters are named by number, since they cannot be told apart by eye.
fn unfit(c: char, at: usize) -> String {
    if c.is_ascii_graphic() || c == ' ' {
        format!(
            "`{c}` cannot stand {} an id",
            if at == 0 { "at the start of" } else { "in" }
        )
    } else if c.is_alphabetic() {
        format!(
            "the character U+{:04X} `{c}` at byte {at} only looks like a plain letter, or is none",
            c as u32
        )
    } else {
        format!(
            "the character U+{:04X} at byte {at} cannot stand in an id",
            c as u32
        )
    }
}

fn suggestion(step: &Step) -> String {
    let from = step
        .output
        .as_deref()
        .or(step.called_tool())
        .unwrap_or(step.kind.as_str());
    let name = from.rsplit('/').next().unwrap_or(from);
    let fitting: String = name
        .chars()
        .take(40)
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let digit = fitting.starts_with(|c: char| c.is_ascii_digit());
    format!(
        "add an id, such as `id: {}{fitting}`",
        if digit { "step_" } else { "" }
    )
}

fn twice(step: &Step, first: &Step) -> Problem {
    problem_at(
        Code::StepId,
        step,
        "id",
        format!(
            "the id `{}` is given twice; first at {}",
            step.id, first.place
        ),
    )
    .with_hint("ids are unique in the whole plan, inner steps included")
}

fn check_list(steps: &[Step], known: &FxHashMap<&str, &Step>, problems: &mut Problems) {
    check_outputs(steps, known, problems);
    let beside: FxHashMap<&str, &Step> =
        steps.iter().map(|step| (step.id.as_str(), step)).collect();
    for step in steps {
        for (index, name) in step.depends_on.iter().enumerate() {
            if name == &step.id || !beside.contains_key(name.as_str()) {
                let hints = problems.wants_hint();
                problems.push(bad_dependency(step, index, name, steps, known, hints));
            }
        }
        for (_, inner) in step.inner() {
            check_list(inner, known, problems);
        }
    }
}

fn check_outputs(steps: &[Step], known: &FxHashMap<&str, &Step>, problems: &mut Problems) {
    let mut outputs: FxHashMap<&str, &Step> = FxHashMap::default();
    for step in steps {
        let Some(output) = step.output.as_deref() else {
            continue;
        };
        if known.get(output).is_some_and(|other| other.id != step.id) {
            let message = format!("`{output}` is the id of another step");
            let problem = problem_at(Code::StepId, step, "output", message);
            problems.push(problem.with_hint("give the result a name of its own"));
        } else if let Some(first) = outputs.insert(output, step) {
            let message = format!("`{output}` is already the result of step `{}`", first.id);
            let problem = problem_at(Code::StepId, step, "output", message);
            problems.push(problem.with_hint("give each result a name of its own"));
        }
    }
}

fn bad_dependency(
    step: &Step,
    index: usize,
    name: &str,
    beside: &[Step],
    known: &FxHashMap<&str, &Step>,
    hints: bool,
) -> Problem {
    let field = format!("depends_on[{index}]");
    if name == step.id {
        return problem_at(
            Code::DeadlockDetected,
            step,
            &field,
            "the step waits for itself",
        )
        .with_hint("remove its own id from `depends_on`");
    }
    let shown: String = name.chars().take(LONGEST).collect();
    if let Some(other) = known.get(name) {
        let message = format!(
            "`{shown}` cannot be waited for from here: it stands at {}",
            other.place
        );
        return problem_at(Code::UnknownStep, step, &field, message)
            .with_hint(elsewhere(&step.place, &other.place));
    }
    let hint = hints
        .then(|| did_you_mean(name, beside.iter().map(|step| step.id.as_str())))
        .flatten();
    problem_at(
        Code::UnknownStep,
        step,
        &field,
        format!("there is no step `{shown}`"),
    )
    .with_hint(
        hint.unwrap_or_else(|| "`depends_on` lists the ids of steps in the same list".to_owned()),
    )
}

fn elsewhere(from: &Place, to: &Place) -> String {
    if to.parts().len() > from.parts().len() {
        "it runs inside another step; wait for that step instead".to_owned()
    } else {
        "steps wait for steps of their own list; put the dependency on the step around this one"
            .to_owned()
    }
}
