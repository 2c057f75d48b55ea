//! Could every fallback take the input that was written for the first tool?

use super::fit::Fit;
use super::{Surroundings, call_input, problem_at};
use crate::draft::Draft;
use crate::problem::{Code, Problems};
use crate::tool::Lookup;

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    let mut fit = Fit::default();
    draft.walk(&mut |step| {
        let Some(first) = step.called_tool() else { return };
        let input = call_input(step);
        for (index, name) in step.fallbacks.iter().enumerate() {
            let field = format!("fallbacks[{index}]");
            if name == first {
                let message = format!("`{name}` is the tool the step calls anyway");
                let hint = "name another tool; `retry` calls the same one again";
                problems.push(problem_at(Code::IncompatibleFallback, step, &field, message).with_hint(hint));
                continue;
            }
            let Lookup::Found(tool) = around.tools.find(name) else { continue };
            for misfit in fit.misfits(tool.id.as_str(), &tool.input_schema, &input) {
                let problem = misfit.problem(Code::IncompatibleFallback, step, &field, &format!("`{}`", tool.id));
                let hint = "a fallback takes the same input as the first tool; use a `conditional` step otherwise";
                problems.push(problem.with_hint(hint));
            }
        }
    });
}
