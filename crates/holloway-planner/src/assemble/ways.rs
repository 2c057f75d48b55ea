//! Which way leads from what is there to what a goal wants? The one with the fewest steps that
//! serves every part, found by looking at all short ways, the shortest first.

use std::collections::VecDeque;

use holloway_plan::tool::does::{Serves, Takes};
use rustc_hash::FxHashSet;

use super::serving::{can_serve, form_of, has_argument, helps, required};
use super::things::Thing;
use super::{Op, places};
use crate::frame::acts::{Act, Acts};
use crate::frame::{Goal, Part};

/// Steps that one goal may take.
const LONGEST: usize = 7;
/// Stands for the act itself among the parts that are served.
const CORE: u64 = 1 << 63;
/// Parts that one goal may have.
const MOST_PARTS: usize = 60;
/// Ways that are looked at for one goal.
const MOST_WAYS: usize = 40_000;

/// A way that a goal could be reached, as far as it was followed.
#[derive(Clone, Debug)]
pub(super) struct Way<'a> {
    pub(super) thing: Thing,
    /// The last thing that is no file: what the next goal goes on with.
    pub(super) carried: Thing,
    /// Parts of the goal that are served, by place.
    pub(super) served: u64,
    pub(super) core: bool,
    pub(super) taken: Vec<Taken<'a>>,
    /// One of its tools was inferred to do its step; a second guess would be too much.
    guessed: bool,
}

/// A step on a way.
#[derive(Clone, Debug)]
pub(super) struct Taken<'a> {
    pub(super) op: Op<'a>,
    pub(super) from: Vec<Thing>,
    pub(super) serves: Vec<usize>,
}

impl<'a> Way<'a> {
    fn at(thing: Thing) -> Self {
        Self {
            carried: thing.clone(),
            thing,
            served: 0,
            core: false,
            taken: Vec::new(),
            guessed: false,
        }
    }

    fn on(mut self, op: Op<'a>, serves: Vec<usize>, form: Option<String>) -> Self {
        let thing = self.thing.through(op.does, form.as_deref());
        self.served |= serves.iter().fold(0, |mask, place| mask | 1 << place);
        self.guessed |= op.inferred;
        self.taken.push(Taken {
            op,
            from: vec![self.thing],
            serves,
        });
        if !thing.is_file() && !thing.is_nothing() {
            self.carried = thing.clone();
        }
        self.thing = thing;
        self
    }
}

/// The way with the fewest steps that serves all parts of a goal but those left out.
pub(super) fn shortest<'a>(
    goal: &Goal,
    left_out: &[usize],
    things: &[Thing],
    ops: &[Op<'a>],
) -> Option<Way<'a>> {
    let table = Acts::table();
    let act = table
        .act(&goal.act)
        .filter(|_| goal.parts.len() <= MOST_PARTS)?;
    let wanted = places(goal, |part| part.slot != "sources")
        .into_iter()
        .filter(|place| !left_out.contains(place))
        .fold(0_u64, |mask, place| mask | 1 << place);
    let quest = Quest {
        goal,
        act,
        wanted,
        ops,
    };
    let mut queue: VecDeque<Way<'a>> = quest.beginnings(things).into();
    let mut seen: FxHashSet<(String, bool, u64, bool, bool)> = FxHashSet::default();
    let mut looked_at = 0;
    while let Some(way) = queue.pop_front() {
        if quest.is_done(&way) {
            return Some(way);
        }
        looked_at += 1;
        if way.taken.len() >= LONGEST || looked_at > MOST_WAYS {
            continue;
        }
        for op in ops {
            let Some(next) = quest.step(&way, *op) else {
                continue;
            };
            let key = (
                next.thing.kind.clone(),
                next.thing.many,
                next.served,
                next.core,
                next.guessed,
            );
            if seen.insert(key) {
                queue.push_back(next);
            }
        }
    }
    None
}

/// What is looked for.
struct Quest<'q, 'a> {
    goal: &'q Goal,
    act: &'q Act,
    wanted: u64,
    ops: &'q [Op<'a>],
}

impl<'a> Quest<'_, 'a> {
    fn is_done(&self, way: &Way<'_>) -> bool {
        let shown = way.thing.is_shown();
        way.served == self.wanted
            && (way.core || !self.act.core)
            && shown
            && !(way.taken.is_empty())
    }

    /// From one thing; from several, where a tool of the act takes them together.
    fn beginnings(&self, things: &[Thing]) -> Vec<Way<'a>> {
        match things {
            [] => vec![Way::at(Thing::nothing())],
            [only] => vec![Way::at(only.clone())],
            several => {
                let ops = self.ops.iter().filter(|op| op.does.act == self.goal.act);
                let mut ways: Vec<Way<'a>> =
                    ops.filter_map(|op| self.together(several, *op)).collect();
                ways.sort_by_key(|way| {
                    way.taken
                        .iter()
                        .filter(|taken| taken.op.is_detour())
                        .count()
                });
                if ways.is_empty() && self.act.core {
                    ways.extend(Thing::each_of(several).map(Way::at));
                }
                ways
            }
        }
    }

    /// Brings each thing to the kind that the tool takes, and takes them together.
    fn together(&self, things: &[Thing], op: Op<'a>) -> Option<Way<'a>> {
        let takes = &op.does.takes;
        let slots: Vec<&Takes> = match takes.as_slice() {
            [one] if one.many => things.iter().map(|_| one).collect(),
            several if several.len() == things.len() => several.iter().collect(),
            _ => return None,
        };
        let mut taken = Vec::new();
        let mut from = Vec::new();
        for (thing, slot) in things.iter().zip(slots) {
            let way = self.brought(thing, slot)?;
            taken.extend(way.taken);
            from.push(way.thing);
        }
        let first = from.first()?.clone();
        let serves = self.served_by(op, &first, 0)?;
        if !self.is_complete(op, &serves) {
            return None;
        }
        let thing = first.through(op.does, self.form(op, &first).as_deref());
        taken.push(Taken {
            op,
            from,
            serves: serves.clone(),
        });
        Some(Way {
            carried: thing.clone(),
            thing,
            served: serves.iter().fold(0, |mask, place| mask | 1 << place),
            core: true,
            taken,
            guessed: op.inferred,
        })
    }

    /// The shortest way from a thing to one that can be taken, by helping tools alone.
    fn brought(&self, thing: &Thing, slot: &Takes) -> Option<Way<'a>> {
        let mut queue = VecDeque::from([Way::at(thing.clone())]);
        let mut seen: FxHashSet<String> = FxHashSet::default();
        while let Some(way) = queue.pop_front() {
            if way.thing.fits(slot) {
                return Some(way);
            }
            if way.taken.len() >= 3 {
                continue;
            }
            let declared = self.ops.iter().filter(|op| !op.inferred);
            for op in declared.filter(|op| helps(op.does)) {
                let [only] = op.does.takes.as_slice() else {
                    continue;
                };
                if !way.thing.fits(only) || op.does.gives.is_none() {
                    continue;
                }
                let next = way.clone().on(*op, Vec::new(), None);
                if seen.insert(next.thing.kind.clone()) {
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// The way one step further, where that brings anything.
    fn step(&self, way: &Way<'a>, op: Op<'a>) -> Option<Way<'a>> {
        let is_core = op.does.act == self.goal.act && self.act.core;
        if !is_core && !helps(op.does) || is_core && way.core || op.inferred && way.guessed {
            return None;
        }
        match op.does.takes.as_slice() {
            [] if way.thing.is_nothing() => {}
            // One thing needs no putting together.
            [only] if only.many && !way.thing.many && !is_core => return None,
            [only] if way.thing.fits(only) => {}
            _ => return None,
        }
        let done = way.served | if way.core { CORE } else { 0 };
        let serves = self.served_by(op, &way.thing, done)?;
        if !self.is_asked_for(op, &serves)
            || self.would_repeat(op, &way.thing, &serves)
            || !self.is_complete(op, &serves)
        {
            return None;
        }
        let next = way
            .clone()
            .on(op, serves.clone(), self.form(op, &way.thing));
        // A file is where a way ends.
        let saves = next.thing.is_file() && !next.thing.many && !way.thing.is_file();
        let turns = next.thing.kind != way.thing.kind || next.thing.many != way.thing.many;
        let brings = !serves.is_empty() || is_core || turns && !saves;
        brings.then(|| Way {
            core: way.core || is_core,
            ..next
        })
    }

    /// The parts that a tool serves now; nothing where it would come too early or too late.
    fn served_by(&self, op: Op<'a>, thing: &Thing, done: u64) -> Option<Vec<usize>> {
        let table = Acts::table();
        let core_done = done & CORE != 0;
        let is_core = op.does.act == self.goal.act && self.act.core;
        let open: Vec<(usize, &Part)> = self
            .goal
            .parts
            .iter()
            .enumerate()
            .filter(|(place, _)| self.wanted & !done & (1 << place) != 0)
            .collect();
        let can = |part: &Part| can_serve(op, thing, part);
        let blocking = open
            .iter()
            .filter(|(_, part)| !can(part))
            .map(|(_, part)| table.phase(&part.slot))
            .chain((self.act.core && !core_done && !is_core).then_some(self.act.phase))
            .min()
            .unwrap_or(u32::MAX);
        if is_core && blocking < self.act.phase {
            return None;
        }
        let served = open
            .iter()
            .filter(|(_, part)| can(part) && table.phase(&part.slot) < blocking);
        Some(served.map(|(place, _)| *place).collect())
    }

    /// Whether every argument that the tool needs is there.
    fn is_complete(&self, op: Op<'a>, serves: &[usize]) -> bool {
        let parts = serves
            .iter()
            .filter_map(|place| self.goal.parts.get(*place));
        let parts: Vec<&Part> = parts.collect();
        required(op.tool).all(|name| has_argument(op.does, name, &parts))
    }

    /// A tool that always serves a part is for those who ask for it.
    fn is_asked_for(&self, op: Op<'a>, serves: &[usize]) -> bool {
        let mut always = op.does.slots.iter().filter_map(|serves| match serves {
            Serves::Always { slot, .. } => Some(slot),
            _ => None,
        });
        let asked = |slot: &String| {
            let mut parts = serves
                .iter()
                .filter_map(|place| self.goal.parts.get(*place));
            parts.any(|part| part.slot == *slot)
        };
        always.all(asked)
    }

    /// Many things cannot go into one file one after the other.
    fn would_repeat(&self, op: Op<'a>, thing: &Thing, serves: &[usize]) -> bool {
        let mut parts = serves
            .iter()
            .filter_map(|place| self.goal.parts.get(*place));
        thing.is_looped(op.does) && parts.any(|part| part.slot == "target")
    }

    /// The kind of the file that is wanted of a tool that can write several.
    fn form(&self, op: Op<'a>, thing: &Thing) -> Option<String> {
        let target = self.goal.parts.iter().enumerate().find(|(place, part)| {
            part.slot == "target" && self.wanted & (1 << place) != 0 && can_serve(op, thing, part)
        });
        form_of(target?.1)
    }
}
