//! How does a way become steps of a plan? One step a tool, its arguments from things, parts and
//! what the act always has; steps that are the same are laid once.

use holloway_plan::step::Step;
use holloway_plan::tool::does::Serves;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use super::{Account, Taken, Thing, Way, value_for};
use crate::frame::Goal;

/// What came of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Made {
    pub steps: Vec<Step>,
    pub accounts: Vec<Account>,
    /// Where in the results the answer is: `group.rows`.
    pub answer: Option<String>,
}

/// Steps as they are laid.
#[derive(Debug, Default)]
pub struct Laid<'a> {
    steps: Vec<Step>,
    accounts: Vec<Account>,
    answer: Option<String>,
    /// Steps by tool and arguments.
    known: FxHashMap<String, String>,
    tools: std::marker::PhantomData<&'a ()>,
}

impl<'a> Laid<'a> {
    pub(super) fn made(self) -> Made {
        Made {
            steps: self.steps,
            accounts: self.accounts,
            answer: self.answer,
        }
    }

    /// Lays a way; the thing that the next goal goes on with.
    pub(super) fn lay(&mut self, goal: &Goal, number: usize, way: &Way<'a>) -> Thing {
        // Things are known by the step that gives them; a way is a chain, so that each taken
        // thing is either there from the beginning or the last one laid.
        let mut references: Vec<(Thing, String)> = Vec::new();
        let mut carried = way.carried.clone();
        for taken in &way.taken {
            let (id, given) = self.step(goal, number, taken, &references);
            if let Some(thing) = given {
                if thing.kind == way.carried.kind && !thing.kind.starts_with("file") {
                    carried.reference.clone_from(&thing.reference);
                }
                self.answer.clone_from(&thing.reference);
                references.push((Thing { reference: None, ..thing.clone() }, thing.reference.unwrap_or(id)));
            }
        }
        carried
    }

    fn step(
        &mut self,
        goal: &Goal,
        number: usize,
        taken: &Taken<'a>,
        references: &[(Thing, String)],
    ) -> (String, Option<Thing>) {
        let does = taken.op.does;
        let mut input = Map::new();
        let refer = |thing: &Thing| -> Value {
            if let Some(given) = &thing.given {
                return given.clone();
            }
            let path = thing.reference.clone().or_else(|| {
                let found = references.iter().rev().find(|(known, _)| known.kind == thing.kind && known.many == thing.many);
                found.map(|(_, path)| path.clone())
            });
            path.map_or(Value::Null, |path| json!(format!("{{{{{path}}}}}")))
        };
        match does.takes.as_slice() {
            [one] if one.many => {
                let list = match taken.from.as_slice() {
                    [only] if only.many => refer(only),
                    // Each of several tables comes from a step of its own, in their order.
                    several => several_of(several, references, &refer),
                };
                input.insert(one.argument.clone(), list);
            }
            takes => {
                let several = takes.len() > 1;
                let values = several_of(&taken.from, references, &refer);
                for (place, takes) in takes.iter().enumerate() {
                    let value = if several { values.get(place).cloned() } else { taken.from.get(place).map(&refer) };
                    let value = value.unwrap_or_default();
                    input.insert(takes.argument.clone(), filtered(value, takes.filter.as_deref()));
                }
            }
        }
        for (argument, value) in &does.fixed {
            input.insert(argument.clone(), value.clone());
        }
        let mut arguments: Vec<(usize, Option<String>)> = Vec::new();
        for place in &taken.serves {
            let Some(part) = goal.parts.get(*place) else {
                continue;
            };
            let mut used = None;
            for serves in &does.slots {
                let Serves::Argument { slot, argument, field, list } = serves else {
                    continue;
                };
                let Some(value) = (*slot == part.slot).then(|| value_for(part, field.as_deref())).flatten() else {
                    continue;
                };
                used = Some(argument.clone());
                if *list {
                    let entry = input.entry(argument.clone()).or_insert_with(|| json!([]));
                    if let Some(items) = entry.as_array_mut() {
                        items.push(value);
                    }
                } else {
                    input.insert(argument.clone(), value);
                }
            }
            arguments.push((*place, used));
        }
        let tool = taken.op.tool.id.name().to_owned();
        let key = format!("{tool} {}", Value::Object(input.clone()));
        let id = self.known.get(&key).cloned();
        let id = id.unwrap_or_else(|| {
            let id = self.free_id(&tool);
            self.steps.push(Step {
                id: id.clone(),
                tool: Some(tool),
                input: Some(Value::Object(input)),
                ..Step::default()
            });
            self.known.insert(key, id.clone());
            id
        });
        for (place, argument) in arguments {
            if let Some(part) = goal.parts.get(place) {
                self.accounts.push(Account {
                    goal: number,
                    slot: part.slot.clone(),
                    said: part.said.text.clone(),
                    step: Some(id.clone()),
                    argument,
                });
            }
        }
        let given = does.gives.as_ref().and_then(|gives| {
            let first = taken.from.first().cloned().unwrap_or_else(Thing::nothing);
            let form = goal.parts.iter().zip(0..).find(|(part, place)| part.slot == "target" && taken.serves.contains(place));
            let form = form.and_then(|(part, _)| part.text("path")).map(|path| crate::frame::acts::Acts::table().kind_of_file(crate::frame::scene::ending(path).as_deref()));
            let mut thing = first.through(does, form);
            let path = if gives.field.is_empty() { id.clone() } else { format!("{id}.{}", gives.field) };
            thing.reference = Some(path);
            Some(thing)
        });
        (id, given)
    }

    /// Parts that no way serves.
    pub(super) fn unserved(&mut self, goal: &Goal, number: usize, left_out: &[usize]) {
        for (place, part) in goal.parts.iter().enumerate() {
            if part.slot == "sources" || left_out.contains(&place) {
                continue;
            }
            self.accounts.push(Account {
                goal: number,
                slot: part.slot.clone(),
                said: part.said.text.clone(),
                step: None,
                argument: None,
            });
        }
        self.accounts.push(Account {
            goal: number,
            slot: "act".to_owned(),
            said: goal.said.text.clone(),
            step: None,
            argument: None,
        });
    }

    fn free_id(&self, tool: &str) -> String {
        let base = tool.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let names = std::iter::once(base.clone());
        let mut names = names.chain((2..).map(|number| format!("{base}_{number}")));
        let free = names.find(|name| !self.steps.iter().any(|step| step.id == *name));
        free.unwrap_or(base)
    }
}

/// Several things in their order: the n-th of a kind comes from the n-th step that gives it.
fn several_of(things: &[Thing], references: &[(Thing, String)], refer: &dyn Fn(&Thing) -> Value) -> Value {
    let mut used = vec![false; references.len()];
    let values = things.iter().map(|thing| {
        if thing.given.is_some() || thing.reference.is_some() {
            return refer(thing);
        }
        let found = references.iter().enumerate().find(|(place, (known, _))| {
            known.kind == thing.kind && !used.get(*place).copied().unwrap_or(true)
        });
        let Some((place, (_, path))) = found else {
            return refer(thing);
        };
        if let Some(used) = used.get_mut(place) {
            *used = true;
        }
        json!(format!("{{{{{path}}}}}"))
    });
    Value::Array(values.collect())
}

fn filtered(value: Value, filter: Option<&str>) -> Value {
    match (filter, value.as_str().and_then(|text| text.strip_suffix("}}"))) {
        (Some(filter), Some(open)) => json!(format!("{open} | {filter}}}}}")),
        _ => value,
    }
}
