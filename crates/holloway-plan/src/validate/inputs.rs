//! Can the input of every call satisfy the schema of the tool it calls?

use super::fit::Fit;
use super::{Surroundings, call_input};
use crate::draft::Draft;
use crate::problem::{Code, Problems};
use crate::tool::Lookup;

pub(super) fn check(draft: &Draft, around: &Surroundings<'_>, problems: &mut Problems) {
    let mut fit = Fit::default();
    draft.walk(&mut |step| {
        let Some(name) = step.called_tool() else {
            return;
        };
        let Lookup::Found(tool) = around.tools.find(name) else {
            return;
        };
        let input = call_input(step);
        for misfit in fit.misfits(tool.id.as_str(), &tool.input_schema, &input) {
            problems.push(misfit.problem(
                Code::InvalidInput,
                step,
                "input",
                &format!("`{}`", tool.id),
            ));
        }
    });
}
