//! How is a goal done that several tools cover together? Each of them looks at the same things
//! for a part of what is asked; what they find is put together by the acts that follow.

use std::collections::BTreeSet;

use holloway_plan::tool::does::{Serves, Takes, is_a};
use serde_json::{Map, Value, json};

mod words;

use super::serving::{fits, form_of, helps, is_one_page, leads, value_for};
use super::steps::Laid;
use super::{Breadth, Manner, Op, Thing};
use crate::frame::Goal;
use crate::frame::acts::Acts;

/// Steps that may lead from a source to what the tools look at.
const WAY: usize = 2;

/// A result that is at hand.
struct Found {
    kind: String,
    many: bool,
    path: String,
}

/// Lays the goal; nothing where no tool covers any of it.
pub(super) fn lay(
    goal: &Goal,
    number: usize,
    things: Vec<Thing>,
    ops: &[Op<'_>],
    laid: &mut Laid<'_>,
    manner: Manner<'_>,
) -> Option<Thing> {
    let act = Acts::table().act(&goal.act)?;
    let slot = act.covers.as_deref()?;
    let chosen = chosen(goal, slot, ops, manner.breadth);
    let Some(source) = things.into_iter().next().filter(|_| !chosen.is_empty()) else {
        laid.unserved(goal, number, &[]);
        return None;
    };
    let mut cover = Cover {
        goal,
        number,
        laid,
        results: Vec::new(),
        called: Vec::new(),
        breadth: manner.breadth,
    };
    cover.start(&source);
    let pages = chosen.iter().flat_map(|op| &op.does.takes);
    let wanted = pages
        .clone()
        .find(|takes| takes.many && !takes.optional)
        .cloned();
    if let Some(wanted) = wanted {
        cover.bring(&wanted, ops, manner.breadth)?;
    }
    if manner.breadth != Breadth::Narrow {
        cover.follow(&act.measures, ops);
    }
    let mut served: BTreeSet<usize> = BTreeSet::new();
    for op in &chosen {
        served.extend(cover.call(*op, slot));
    }
    cover.unserved(slot, &served);
    let last = cover.follow(&act.follows, ops);
    cover.targets(ops, last.as_deref());
    cover.answer(act, ops);
    None
}

/// The tools that cover what is asked, by how much is to be looked at.
fn chosen<'a>(goal: &Goal, slot: &str, ops: &[Op<'a>], breadth: Breadth) -> Vec<Op<'a>> {
    let of_act: Vec<Op<'a>> = ops
        .iter()
        .filter(|op| op.does.act == goal.act)
        .copied()
        .collect();
    let asked: Vec<&str> = goal
        .all(slot)
        .filter_map(|part| part.value.as_str())
        .collect();
    let wanted: BTreeSet<&str> = if asked.is_empty() {
        let all = of_act.iter().flat_map(|op| covered(op, slot));
        all.filter(|value| !value.contains('.')).collect()
    } else {
        asked.into_iter().collect()
    };
    let within = |value: &str| wanted.iter().any(|wanted| is_a(value, wanted));
    let fits = |op: &&Op<'a>| {
        let values = covered(op, slot);
        !values.is_empty() && values.iter().all(|value| within(value))
    };
    let fitting: Vec<Op<'a>> = of_act.iter().filter(fits).copied().collect();
    let whole = |op: &Op<'a>| {
        wanted
            .iter()
            .all(|wanted| covered(op, slot).contains(wanted))
    };
    if breadth == Breadth::Narrow
        && let Some(one) = fitting.iter().find(|op| whole(op))
    {
        return vec![*one];
    }
    // One tool for several domains says less of each than the tools of the domain itself.
    let several = |op: &&Op<'a>| {
        let domains = covered(op, slot);
        domains.iter().filter(|value| !value.contains('.')).count() > 1
    };
    let single: Vec<Op<'a>> = fitting.iter().filter(|op| !several(op)).copied().collect();
    let includes = |wide: &Op<'a>, op: &Op<'a>| {
        let (wide, own) = (covered(wide, slot), covered(op, slot));
        wide.len() > own.len() && own.iter().all(|value| wide.contains(value))
    };
    let needs_more = |op: &Op<'a>| !op.does.takes.iter().any(|takes| takes.many);
    // Some look at more than the things themselves: where links lead, how a browser shows them.
    let goes_beyond = |op: &Op<'a>| {
        let mut slots = op.does.slots.iter();
        slots.any(|serves| matches!(serves, Serves::Always { slot, .. } if slot == "whole"))
    };
    single
        .iter()
        .filter(|op| !single.iter().any(|wide| includes(wide, op)))
        .filter(|op| breadth == Breadth::Wide || !(needs_more(op) || goes_beyond(op)))
        .copied()
        .collect()
}

fn covered<'a>(op: &Op<'a>, slot: &str) -> Vec<&'a str> {
    let values = op.does.slots.iter().filter_map(|serves| match serves {
        Serves::Always { slot: of, value } if of == slot => Some(value.as_str()),
        _ => None,
    });
    values.collect()
}

struct Cover<'c, 'l> {
    goal: &'c Goal,
    number: usize,
    laid: &'c mut Laid<'l>,
    results: Vec<Found>,
    /// The tools that were called, with their steps.
    called: Vec<(String, String)>,
    breadth: Breadth,
}

impl Cover<'_, '_> {
    fn start(&mut self, source: &Thing) {
        let given = source.given.as_ref().and_then(Value::as_str);
        self.results.push(Found {
            kind: source.kind.clone(),
            many: source.many,
            path: given.unwrap_or_default().to_owned(),
        });
    }

    /// Leads from the source to what the tools look at; the longer way sees more.
    fn bring(&mut self, wanted: &Takes, ops: &[Op<'_>], breadth: Breadth) -> Option<()> {
        let source = self.results.first()?.kind.clone();
        if is_one_page(self.goal) {
            let gives_it = |op: &&Op<'_>| {
                let gives = op.does.gives.as_ref().filter(|gives| gives.many);
                gives.is_some_and(|gives| gives.kinds.iter().any(|kind| fits(kind, wanted)))
            };
            let mut one = ops.iter().filter(|op| leads(op, &source, true));
            self.call(*one.find(gives_it)?, "");
            return Some(());
        }
        let mut ways: Vec<Vec<Op<'_>>> = Vec::new();
        for first in ops.iter().filter(|op| leads(op, &source, false)) {
            let given = first.does.gives.as_ref()?;
            let kind = given.kinds.first()?;
            if given.many && fits(kind, wanted) {
                ways.push(vec![*first]);
                continue;
            }
            let second = ops.iter().find(|op| {
                let gives = op.does.gives.as_ref();
                leads(op, kind, given.many)
                    && gives.is_some_and(|gives| {
                        gives.many && gives.kinds.iter().any(|kind| fits(kind, wanted))
                    })
            });
            ways.extend(
                second
                    .filter(|_| given.many)
                    .map(|second| vec![*first, *second]),
            );
        }
        ways.sort_by_key(Vec::len);
        let way = if breadth == Breadth::Narrow {
            ways.into_iter().next()
        } else {
            ways.into_iter().rfind(|way| way.len() <= WAY)
        };
        for op in way? {
            self.call(op, "whole");
        }
        Some(())
    }

    /// Calls a tool with all results that it takes; the parts that it serves.
    fn call(&mut self, op: Op<'_>, slot: &str) -> Vec<usize> {
        let Some(input) = self.input(op) else {
            return Vec::new();
        };
        let values = covered(&op, slot);
        let parts = self.goal.parts.iter().enumerate();
        let served = parts.filter(|(_, part)| {
            let said = part.value.as_str();
            part.slot == slot
                && said.is_some_and(|said| values.iter().any(|value| is_a(value, said)))
        });
        let served: Vec<(usize, Option<String>)> = served.map(|(place, _)| (place, None)).collect();
        let goal = (self.number, self.goal);
        let id = self.laid.lay_step(goal, op, input, &served);
        self.called.push((op.name.to_owned(), id.clone()));
        if let Some(gives) = &op.does.gives {
            let path = match gives.field.as_str() {
                "" => id,
                field => format!("{id}.{field}"),
            };
            self.results.push(Found {
                kind: gives.kinds.first().cloned().unwrap_or_default(),
                many: gives.many,
                path,
            });
        }
        served.into_iter().map(|(place, _)| place).collect()
    }

    /// The arguments of a tool from the results at hand; nothing where one is lacking.
    fn input(&self, op: Op<'_>) -> Option<Map<String, Value>> {
        let mut input = Map::new();
        for takes in &op.does.takes {
            let fitting: Vec<&Found> = self
                .results
                .iter()
                .filter(|result| fits(&result.kind, takes) && (takes.many || !result.many))
                .collect();
            let Some(last) = fitting.last() else {
                if takes.optional {
                    continue;
                }
                return None;
            };
            let filter = takes.filter.as_deref();
            let value = if takes.many && !last.many {
                json!(
                    fitting
                        .iter()
                        .map(|one| one.reference(filter))
                        .collect::<Vec<_>>()
                )
            } else {
                json!(last.reference(filter))
            };
            input.insert(takes.argument.clone(), value);
        }
        input.extend(op.does.fixed.iter().cloned());
        self.entitle(op, &mut input);
        for serves in &op.does.slots {
            let Serves::Argument {
                slot,
                argument,
                field,
                list,
            } = serves
            else {
                continue;
            };
            let parts = self.goal.all(slot).filter(|part| part.slot != "target");
            let mut values: Vec<Value> = Vec::new();
            for value in parts.filter_map(|part| value_for(part, field.as_deref())) {
                // A part of a domain is of that domain.
                let root = value.as_str().and_then(|text| text.split('.').next());
                let value = root.map_or(value.clone(), |root| json!(root));
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            if *list && !values.is_empty() {
                input.insert(argument.clone(), Value::Array(values));
            } else if let Some(value) = values.pop() {
                input.insert(argument.clone(), value);
            }
        }
        Some(input)
    }

    /// Calls the first tool of each act that takes what is there; what the last one gives.
    fn follow(&mut self, acts: &[String], ops: &[Op<'_>]) -> Option<String> {
        let mut last = None;
        for act in acts {
            let mut fitting = ops.iter().filter(|op| op.does.act == *act);
            if let Some(op) = fitting.find(|op| self.input(**op).is_some()) {
                self.call(*op, "");
                last = self.results.last().map(|result| result.kind.clone());
            }
        }
        last
    }

    /// Writes what the last act made into each file that is wanted.
    fn targets(&mut self, ops: &[Op<'_>], kind: Option<&str>) {
        let targets = self.goal.parts.iter().enumerate();
        let targets: Vec<usize> = targets
            .filter(|(_, part)| part.slot == "target")
            .map(|(place, _)| place)
            .collect();
        for place in targets {
            let Some(part) = self.goal.parts.get(place) else {
                continue;
            };
            let form = form_of(part).unwrap_or_default();
            let op = ops.iter().find(|op| {
                let takes = op.does.takes.first();
                let gives = op.does.gives.as_ref();
                helps(op.does)
                    && takes.is_some_and(|takes| kind.is_some_and(|kind| fits(kind, takes)))
                    && gives.is_some_and(|gives| gives.kinds.iter().any(|kind| is_a(&form, kind)))
            });
            let written = op.and_then(|op| {
                let mut input = self.input(*op)?;
                let path = part.value.get("path")?.clone();
                let argument = op.does.slots.iter().find_map(|serves| match serves {
                    Serves::Argument { slot, argument, .. } if slot == "target" => Some(argument),
                    _ => None,
                })?;
                input.insert(argument.clone(), path);
                let serves = [(place, Some(argument.clone()))];
                let goal = (self.number, self.goal);
                Some(self.laid.lay_step(goal, *op, input, &serves))
            });
            if written.is_none() {
                let goal = (self.number, self.goal);
                self.laid.account(goal, place, None, None);
            }
        }
    }

    /// Parts that no tool covers.
    fn unserved(&mut self, slot: &str, served: &BTreeSet<usize>) {
        let parts = self.goal.parts.iter().enumerate();
        let left: Vec<usize> = parts
            .filter(|(place, part)| {
                let known = Acts::table().slot(&part.slot);
                !known.is_some_and(|slot| slot.around)
                    && (part.slot != slot || !served.contains(place))
            })
            .map(|(place, _)| place)
            .collect();
        for place in left {
            let goal = (self.number, self.goal);
            self.laid.account(goal, place, None, None);
        }
    }
}

impl Found {
    /// The source itself, or a reference to what a step gave.
    fn reference(&self, filter: Option<&str>) -> String {
        if self.kind == "url" && !self.many {
            return self.path.clone();
        }
        match filter {
            Some(filter) => format!("{{{{{} | {filter}}}}}", self.path),
            None => format!("{{{{{}}}}}", self.path),
        }
    }
}
