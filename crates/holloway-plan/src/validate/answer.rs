//! Does the answer of a plan stand in the result of one of its steps?

use super::Surroundings;
use crate::draft::Draft;
use crate::path::Path;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems, did_you_mean};

pub(super) fn check(draft: &Draft, _around: &Surroundings<'_>, problems: &mut Problems) {
    for (number, written) in draft.answer.iter().enumerate() {
        let place = Place::default().field("answer").item(number);
        let Some(path) = Path::parse(written) else {
            let message = format!("`{written}` is no path to a result");
            let problem = Problem::new(Code::BadExpression, place, message);
            problems
                .push(problem.with_hint("write the name of a step and its fields: `totals.rows`"));
            continue;
        };
        let names = || {
            let steps = draft.steps.iter();
            steps.flat_map(|step| [Some(step.id.as_str()), step.output.as_deref()])
        };
        if names().flatten().any(|name| name == path.root) {
            continue;
        }
        let message = format!("no step is called `{}`", path.root);
        let hint = did_you_mean(&path.root, names().flatten());
        let problem = Problem::new(Code::UnboundReference, place, message);
        problems.push(
            problem.with_hint(hint.unwrap_or_else(|| "name a step of the plan itself".to_owned())),
        );
    }
}
