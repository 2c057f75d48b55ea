//! Can every name that a step gives to a value be used in an expression?

use super::{Surroundings, problem_at};
use crate::compile::CONTEXT_NAMES;
use crate::draft::Draft;
use crate::problem::{Code, Problem, Problems};
use crate::step::{Step, StepType};

/// Words that mean something in expressions already.
pub(super) const RESERVED: [&str; 21] = [
    "true",
    "false",
    "none",
    "null",
    "True",
    "False",
    "None",
    "not",
    "and",
    "or",
    "in",
    "is",
    "if",
    "else",
    "loop",
    "self",
    "super",
    "caller",
    "dict",
    "namespace",
    "range",
];

const LONGEST: usize = 100;

/// Whether a plan is given a value of this name from outside.
pub(super) fn is_given(name: &str, around: &Surroundings<'_>) -> bool {
    CONTEXT_NAMES.contains(&name) || around.context.contains(&name)
}

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    draft.walk(&mut |step| {
        let names = [
            ("output", &step.output),
            ("as", &step.variable),
            ("accumulate", &step.accumulate),
        ];
        for (field, name) in names {
            if let Some(name) = name {
                problems.extend(bad_name(step, field, name, around));
            }
        }
        problems.extend(clash(step));
    });
}

fn bad_name(step: &Step, field: &str, name: &str, around: &Surroundings<'_>) -> Option<Problem> {
    let problem = |message: String| problem_at(Code::StepId, step, field, message);
    if name.len() > LONGEST {
        let message = format!(
            "the name has {} bytes; at most {LONGEST} are taken",
            name.len()
        );
        return Some(problem(message).with_hint("shorten it"));
    }
    if !is_identifier(name) {
        let message = format!(
            "`{}` cannot be used as a name in expressions",
            name.escape_debug()
        );
        return Some(
            problem(message).with_hint("use the letters A to Z, digits and `_`, a letter first"),
        );
    }
    if RESERVED.contains(&name) || is_given(name, around) || (field != "output" && name == "index")
    {
        let message = format!("`{name}` already has a meaning in expressions");
        return Some(problem(message).with_hint(format!("call it `{name}_value`, for example")));
    }
    None
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The item and the carried value of a fold are both visible inside it.
fn clash(step: &Step) -> Option<Problem> {
    let item = step.variable.as_deref().unwrap_or("item");
    (step.kind == StepType::Reduce && step.accumulate.as_deref() == Some(item)).then(|| {
        problem_at(
            Code::StepId,
            step,
            "accumulate",
            format!("`{item}` is the name of the item already"),
        )
        .with_hint("give the carried value another name than `as`")
    })
}
