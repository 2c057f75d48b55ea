//! How does a way become steps of a plan? One step a tool, its arguments from things, parts and
//! what the act always has; steps that are the same are laid once, and a tool that takes one
//! thing is called for each of many.

use holloway_plan::step::{Step, StepType};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

use super::arguments::{ITEM, arguments, list_of, put_in};
use super::serving::form_of;
use super::ways::{Taken, Way};
use super::{Account, Manner, Op, Thing};
use crate::frame::Goal;

/// What came of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Made {
    pub steps: Vec<Step>,
    pub accounts: Vec<Account>,
    /// Where in the results the answers are, one for each goal that has one: `group.rows`.
    pub answers: Vec<String>,
    /// The tools in it of which nobody declared what they do.
    pub inferred: Vec<String>,
}

/// Steps as they are laid.
#[derive(Debug)]
pub(super) struct Laid<'a> {
    manner: Manner<'a>,
    /// What tools declare to do: where one fails, another that does the same stands in.
    declared: &'a [Op<'a>],
    made: Made,
    /// Steps by tool and arguments.
    known: FxHashMap<String, String>,
    /// Which goal each answer is of.
    answer_of: Vec<usize>,
    /// Names that no step may have.
    taken: Vec<String>,
}

impl<'a> Laid<'a> {
    pub(super) fn new(manner: Manner<'a>, declared: &'a [Op<'a>]) -> Self {
        Self {
            manner,
            declared,
            made: Made::default(),
            known: FxHashMap::default(),
            answer_of: Vec::new(),
            taken: Vec::new(),
        }
    }

    pub(super) fn made(self) -> Made {
        self.made
    }

    /// Lays a way; the thing that the next goal goes on with.
    pub(super) fn lay(&mut self, goal: &Goal, number: usize, way: &Way<'_>) -> Thing {
        // A way is a chain: what a step takes is there from the beginning, was given to the
        // goal, or comes from the steps just laid.
        let mut given: Vec<Thing> = Vec::new();
        for taken in &way.taken {
            let id = self.step(goal, number, taken, &given);
            given.extend(thing_of(goal, taken, id));
        }
        let last = given.last().and_then(|thing| thing.reference.clone());
        if let Some(last) = last {
            self.answer(number, last);
        }
        let carried = given
            .iter()
            .rev()
            .find(|thing| thing.kind == way.carried.kind && !thing.is_file());
        carried.cloned().unwrap_or_else(|| way.carried.clone())
    }

    /// Lays one step, or finds the one that does the same.
    fn step(&mut self, goal: &Goal, number: usize, taken: &Taken<'_>, given: &[Thing]) -> String {
        let does = taken.op.does;
        let tool = taken.op.name;
        let looped = taken.from.first().filter(|thing| thing.is_looped(does));
        let mut input = arguments(does, &taken.from, given, looped.is_some());
        let mut served = Vec::new();
        for part in taken
            .serves
            .iter()
            .filter_map(|place| goal.parts.get(*place))
        {
            served.push((part, put_in(&mut input, does, part)));
        }
        let over = looped.map(|thing| list_of(thing, given));
        let key = format!("{tool} {over:?} {}", Value::Object(input.clone()));
        let id = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => self.push(taken.op, input, over, key),
        };
        for (part, argument) in served {
            self.made.accounts.push(Account {
                goal: number,
                slot: part.slot.clone(),
                said: part.said.text.clone(),
                value: Some(part.value.clone()),
                step: Some(id.clone()),
                argument,
            });
        }
        id
    }

    fn push(
        &mut self,
        op: Op<'_>,
        input: Map<String, Value>,
        over: Option<Value>,
        key: String,
    ) -> String {
        let id = self.free_id(op.tool.id.name());
        if op.inferred {
            self.made.inferred.push(op.tool.id.to_string());
        }
        let call = Step {
            id: id.clone(),
            tool: Some(op.name.to_owned()),
            purpose: Some(op.tool.title.clone()).filter(|title| !title.is_empty()),
            fallbacks: self.stand_ins(op, &input),
            input: Some(Value::Object(input)),
            ..Step::default()
        };
        let step = match over {
            None => call,
            Some(list) => Step {
                id: id.clone(),
                kind: StepType::Loop,
                over: Some(Box::new(list)),
                variable: Some(ITEM.to_owned()),
                concurrency: self.manner.loop_concurrency,
                max_items: self.manner.loop_items,
                step: Some(Box::new(Step {
                    id: format!("{id}_each"),
                    ..call
                })),
                ..Step::default()
            },
        };
        self.made.steps.push(step);
        self.known.insert(key, id.clone());
        id
    }

    /// The names of tools that stand in where this one fails.
    fn stand_ins(&self, op: Op<'_>, input: &Map<String, Value>) -> Vec<String> {
        let declared = self.declared.iter();
        let same = declared.filter(|other| other.can_stand_in(&op, input));
        let names = same.take(self.manner.fallbacks);
        names.map(|other| other.name.to_owned()).collect()
    }

    pub(super) fn take_names<'n>(&mut self, names: impl Iterator<Item = &'n String>) {
        self.taken.extend(names.cloned());
    }

    /// Takes the answer of a goal back.
    pub(super) fn unsay(&mut self, number: usize) {
        let of_others = self.answer_of.iter().map(|goal| *goal != number);
        let kept: Vec<bool> = of_others.collect();
        let mut kept = kept.into_iter();
        self.made.answers.retain(|_| kept.next().unwrap_or(true));
        self.answer_of.retain(|goal| *goal != number);
    }

    /// Lays a step that was put together elsewhere, and says what it serves.
    pub(super) fn lay_step(
        &mut self,
        goal: (usize, &Goal),
        op: Op<'_>,
        input: Map<String, Value>,
        serves: &[(usize, Option<String>)],
    ) -> String {
        let id = self.push(op, input, None, String::new());
        for (place, argument) in serves {
            self.account(goal, *place, Some(&id), argument.clone());
        }
        id
    }

    /// Writes down which step serves a part, or that none does.
    pub(super) fn account(
        &mut self,
        (number, goal): (usize, &Goal),
        place: usize,
        step: Option<&str>,
        argument: Option<String>,
    ) {
        let Some(part) = goal.parts.get(place) else {
            return;
        };
        self.made.accounts.push(Account {
            goal: number,
            slot: part.slot.clone(),
            said: part.said.text.clone(),
            value: Some(part.value.clone()),
            step: step.map(str::to_owned),
            argument,
        });
    }

    pub(super) fn answer(&mut self, number: usize, path: String) {
        if !self.made.answers.contains(&path) {
            self.made.answers.push(path);
            self.answer_of.push(number);
        }
    }

    /// Parts that no way serves.
    pub(super) fn unserved(&mut self, goal: &Goal, number: usize, left_out: &[usize]) {
        let parts = goal.parts.iter().enumerate();
        let parts =
            parts.filter(|(place, part)| part.slot != "sources" && !left_out.contains(place));
        let slots = parts.map(|(_, part)| (part.slot.as_str(), &part.said));
        for (slot, said) in slots.chain([("act", &goal.said)]) {
            self.made.accounts.push(Account {
                goal: number,
                slot: slot.to_owned(),
                said: said.text.clone(),
                value: None,
                step: None,
                argument: None,
            });
        }
    }

    fn free_id(&self, tool: &str) -> String {
        let base = tool.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let names = std::iter::once(base.clone());
        let mut names = names.chain((2..).map(|number| format!("{base}_{number}")));
        let free = names.find(|name| {
            let known = self.made.steps.iter().any(|step| step.id == *name);
            !known && !self.taken.contains(name)
        });
        free.unwrap_or(base)
    }
}

/// What a laid step gives, with the reference that leads to it.
fn thing_of(goal: &Goal, taken: &Taken<'_>, id: String) -> Option<Thing> {
    let does = taken.op.does;
    let gives = does.gives.as_ref()?;
    let first = taken.from.first().cloned().unwrap_or_else(Thing::nothing);
    let parts = taken
        .serves
        .iter()
        .filter_map(|place| goal.parts.get(*place));
    let form = parts.filter(|part| part.slot == "target").find_map(form_of);
    let mut thing = first.through(does, form.as_deref());
    let field = gives.field.split("[].").next().unwrap_or_default();
    if first.is_looped(does) {
        // The results of a loop are a list; this is where in each of them the thing stands.
        thing.item = Some(field.to_owned()).filter(|field| !field.is_empty());
        thing.reference = Some(id);
    } else if field.is_empty() {
        thing.reference = Some(id);
    } else {
        thing.reference = Some(format!("{id}.{field}"));
    }
    Some(thing)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use holloway_plan::tool::ToolSpec;
    use holloway_plan::tool::does::Does;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_loop_has_the_bounds_of_the_settings() {
        let (tool, does) = (Arc::new(ToolSpec::named("a/look")), Does::default());
        let op = Op {
            tool: &tool,
            name: "look",
            does: &does,
            inferred: false,
        };
        let manner = Manner {
            loop_concurrency: Some(3),
            loop_items: Some(70),
            ..Manner::default()
        };
        let mut laid = Laid::new(manner, &[]);
        laid.push(op, Map::new(), Some(json!("urls")), "loop".to_owned());
        laid.push(op, Map::new(), None, "call".to_owned());
        let made = laid.made();
        let bounds = made.steps.iter();
        let bounds = bounds.map(|step| (step.concurrency, step.max_items));
        let bounds: Vec<_> = bounds.collect();
        assert_eq!(bounds, [(Some(3), Some(70)), (None, None)]);
    }
}
