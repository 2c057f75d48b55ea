//! Do the paths of `answer` lead to steps of the plan?

use super::Surroundings;
use crate::draft::Draft;
use crate::path::Path;
use crate::place::Place;
use crate::problem::{Code, Problem, Problems, did_you_mean};

pub(super) fn check(draft: &Draft, _: &Surroundings<'_>, problems: &mut Problems) {
    let steps = || draft.steps.iter().map(|step| step.id.as_str());
    for (number, text) in draft.answer.iter().enumerate() {
        let path = Path::parse(text);
        let name = path.as_ref().map_or("", |path| path.root.as_str());
        let message = match &path {
            None => format!("`{text}` is not a path"),
            Some(_) if !steps().any(|step| step == name) => format!("no step is called `{name}`"),
            Some(_) => continue,
        };
        let place = Place::default().field("answer").item(number);
        let problem = Problem::new(Code::UnboundReference, place, message);
        problems.push(
            problem
                .at_step("", "answer")
                .with_some_hint(did_you_mean(name, steps())),
        );
    }
}
