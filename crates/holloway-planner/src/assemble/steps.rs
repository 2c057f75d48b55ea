//! How does a way become steps of a plan? One step a tool, its arguments from things, parts and
//! what the act always has; steps that are the same are laid once, and a tool that takes one
//! thing is called for each of many.

use holloway_plan::step::{Step, StepType};
use holloway_plan::tool::does::{Does, Serves};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use super::serving::{filtered, form_of, in_braces, value_for};
use super::ways::{Taken, Way};
use super::{Account, Op, Thing};
use crate::frame::{Goal, Part};

/// What the current item of a loop is called.
const ITEM: &str = "item";

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
#[derive(Debug, Default)]
pub(super) struct Laid {
    made: Made,
    /// Steps by tool and arguments.
    known: FxHashMap<String, String>,
    /// Which goal each answer is of.
    answer_of: Vec<usize>,
    /// Names that no step may have.
    taken: Vec<String>,
}

impl Laid {
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
            input: Some(Value::Object(input)),
            ..Step::default()
        };
        let step = match over {
            None => call,
            Some(list) => Step {
                id: id.clone(),
                kind: StepType::Loop,
                over: Some(list),
                variable: Some(ITEM.to_owned()),
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
            self.account(goal, *place, &id, argument.clone());
        }
        id
    }

    fn account(
        &mut self,
        (number, goal): (usize, &Goal),
        place: usize,
        step: &str,
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
            step: Some(step.to_owned()),
            argument,
        });
    }

    pub(super) fn answer(&mut self, number: usize, path: String) {
        if !self.made.answers.contains(&path) {
            self.made.answers.push(path);
            self.answer_of.push(number);
        }
    }

    /// A part that no step serves.
    pub(super) fn unserved_part(&mut self, goal: &Goal, number: usize, place: usize) {
        let Some(part) = goal.parts.get(place) else {
            return;
        };
        self.made.accounts.push(Account {
            goal: number,
            slot: part.slot.clone(),
            said: part.said.text.clone(),
            value: Some(part.value.clone()),
            step: None,
            argument: None,
        });
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

/// The arguments that things and the act give.
fn arguments(does: &Does, from: &[Thing], given: &[Thing], looped: bool) -> Map<String, Value> {
    let mut input = Map::new();
    match does.takes.as_slice() {
        [one] if looped => {
            let item = from
                .first()
                .and_then(|thing| known(thing, given).item.as_deref());
            let path = item.map_or_else(|| ITEM.to_owned(), |item| format!("{ITEM}.{item}"));
            input.insert(one.argument.clone(), filtered(json!(in_braces(&path)), one));
        }
        [one] if one.many => {
            let list = match from {
                [only] if only.many => all_of(only, given),
                several => Value::Array(one_by_one(several, given)),
            };
            input.insert(one.argument.clone(), filtered(list, one));
        }
        several => {
            for (takes, value) in several.iter().zip(one_by_one(from, given)) {
                input.insert(takes.argument.clone(), filtered(value, takes));
            }
        }
    }
    input.extend(does.fixed.iter().cloned());
    input
}

/// Puts a part where the tool takes it; the argument, where there is one.
fn put_in(input: &mut Map<String, Value>, does: &Does, part: &Part) -> Option<String> {
    let mut used = None;
    for serves in does
        .slots
        .iter()
        .filter(|serves| serves.slot() == part.slot)
    {
        let (argument, list, value) = match serves {
            Serves::Argument {
                argument,
                field,
                list,
                ..
            } => (argument, *list, value_for(part, field.as_deref())),
            Serves::Keyed {
                argument,
                key,
                value,
                ..
            } => {
                let entry = input.entry(argument.clone()).or_insert_with(|| json!({}));
                let known = entry.as_object_mut().zip(part.text(key));
                if let Some((fields, (name, value))) =
                    known.and_then(|(fields, name)| Some((fields, (name, part.value.get(value)?))))
                {
                    fields.insert(name.to_owned(), value.clone());
                    used = Some(argument.clone());
                }
                continue;
            }
            Serves::Always { .. } => continue,
        };
        let Some(value) = value else { continue };
        used = Some(argument.clone());
        if !list {
            input.insert(argument.clone(), value);
            continue;
        }
        let entry = input.entry(argument.clone()).or_insert_with(|| json!([]));
        if let Some(items) = entry.as_array_mut() {
            items.push(value);
        }
    }
    used
}

/// Several things in their order: the n-th of a kind is the n-th that was given.
fn one_by_one(things: &[Thing], given: &[Thing]) -> Vec<Value> {
    let mut used: Vec<usize> = Vec::new();
    let values = things.iter().map(|thing| {
        if let Some(value) = &thing.given {
            return value.clone();
        }
        if let Some(path) = &thing.reference {
            return json!(in_braces(path));
        }
        let fits = |place: &usize| {
            given
                .get(*place)
                .is_some_and(|known| known.kind == thing.kind)
        };
        let mut fitting = (0..given.len()).filter(fits);
        let place = if things.len() == 1 {
            fitting.next_back()
        } else {
            fitting.find(|place| !used.contains(place))
        };
        used.extend(place);
        let path = place.and_then(|place| given.get(place)?.reference.as_ref());
        path.map_or(Value::Null, |path| json!(in_braces(path)))
    });
    values.collect()
}

/// What a loop goes through.
fn list_of(thing: &Thing, given: &[Thing]) -> Value {
    let path = || json!(path_of(thing, given));
    thing.given.clone().unwrap_or_else(path)
}

/// A list of things, each as it is itself.
fn all_of(thing: &Thing, given: &[Thing]) -> Value {
    let path = path_of(thing, given);
    match &known(thing, given).item {
        None => json!(in_braces(&path)),
        Some(item) => json!(in_braces(&format!(
            "{path} | map(attribute='{item}') | list"
        ))),
    }
}

fn path_of(thing: &Thing, given: &[Thing]) -> String {
    known(thing, given).reference.clone().unwrap_or_default()
}

/// The thing as it was laid last; itself, where it came from before.
fn known<'t>(thing: &'t Thing, given: &'t [Thing]) -> &'t Thing {
    if thing.given.is_some() || thing.reference.is_some() {
        return thing;
    }
    let mut laid = given.iter().rev();
    laid.find(|known| known.kind == thing.kind && known.many == thing.many)
        .unwrap_or(thing)
}
