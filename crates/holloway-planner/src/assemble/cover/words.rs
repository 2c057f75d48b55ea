//! What is said about a goal that several tools cover? A title, how much was looked at, and which
//! result is the answer.

use holloway_plan::tool::does::Serves;
use serde_json::{Map, Value, json};

use super::{Cover, Op};
use crate::frame::acts::Act;

impl Cover<'_, '_> {
    /// A title where nobody said one: what was done, and to what; and how much was looked at.
    pub(super) fn entitle(&self, op: Op<'_>, input: &mut Map<String, Value>) {
        let argument_of = |wanted: &str| {
            op.does.slots.iter().find_map(|serves| match serves {
                Serves::Argument { slot, argument, .. } if slot == wanted => Some(argument),
                _ => None,
            })
        };
        if let Some(argument) = argument_of("depth") {
            input.insert(argument.clone(), json!(self.breadth.name()));
        }
        let titled = argument_of("title");
        let source = self.results.first().map_or("", |source| &source.path);
        if let Some(argument) = titled {
            let mut act = self.goal.act.chars();
            let first = act.next().map(|letter| letter.to_ascii_uppercase());
            let title: String = first.into_iter().chain(act).collect();
            input.insert(argument.clone(), json!(format!("{title} {source}")));
        }
    }

    /// What a tool that was called says in words.
    fn concluded(&self, act: &Act, ops: &[Op<'_>]) -> Option<String> {
        let wanted = act.concludes.as_deref()?;
        let mut concluding = ops.iter().filter(|op| op.does.act == wanted);
        concluding.find_map(|op| {
            let mut called = self.called.iter().rev();
            let (_, step) = called.find(|(tool, _)| tool == op.name)?;
            let field = &op.does.gives.as_ref()?.field;
            Some(format!("{step}.{field}"))
        })
    }

    /// What was said in words, what is to be mended first, or what was found, is the answer.
    pub(super) fn answer(&mut self, act: &Act, ops: &[Op<'_>]) {
        if let Some(path) = self.concluded(act, ops) {
            self.laid.answer(self.number, path);
            return;
        }
        let mut acts = act.follows.iter().rev();
        let made = acts.find_map(|follow| {
            let mut of_act = ops.iter().filter(|op| op.does.act == *follow);
            let kind = of_act.find_map(|op| op.does.gives.as_ref()?.kinds.first())?;
            let mut results = self.results.iter().rev();
            results
                .find(|result| result.kind == *kind && *kind != "report")
                .map(|result| result.path.clone())
        });
        let found = self.results.last().map(|result| result.path.clone());
        if let Some(path) = made.or(found) {
            self.laid.answer(self.number, path);
        }
    }
}
