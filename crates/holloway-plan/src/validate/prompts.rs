//! Can the results that a prompt reads be told apart from its instructions? They stand beside them
//! as data, which only plain references allow.

use serde_json::Value;

use super::{Surroundings, call_input, problem_at};
use crate::compile::is_separable;
use crate::draft::Draft;
use crate::problem::{Code, Problems};
use crate::step::{Function, MODEL_ALIAS, MODEL_SOURCE};
use crate::template::Template;

pub(super) fn check(draft: &Draft, _: &Surroundings<'_>, problems: &mut Problems) {
    draft.walk(&mut |step| {
        let asks_model = step.called_tool().is_some_and(|name| {
            name == MODEL_ALIAS || name.split_once('/').is_some_and(|(it, _)| it == MODEL_SOURCE)
        });
        if !asks_model {
            return;
        }
        let input = call_input(step);
        let prompt = input.get("prompt").filter(|prompt| Value::is_string(prompt));
        let prompt = prompt.and_then(|prompt| Template::parse(prompt).ok());
        if prompt.is_some_and(|prompt| !is_separable(&prompt)) {
            let field = if matches!(step.function, Some(Function::Prompt { .. })) {
                "function.prompt"
            } else {
                "input.prompt"
            };
            let message = "a prompt cannot build its instructions from results with `{% … %}`";
            let problem = problem_at(Code::PlanShape, step, field, message);
            problems.push(problem.with_hint(
                "write plain references such as `{{rows}}`; results stand beside the prompt as data",
            ));
        }
    });
}
