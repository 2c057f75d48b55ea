//! How does a goal become steps? From what is there to what is wanted, over tools that say what
//! they do: each step takes a thing of one kind and gives one of another, serves parts of the
//! goal, or does what the goal is about. The shortest way that serves everything is taken.

use std::collections::VecDeque;
use std::sync::Arc;

use holloway_plan::tool::ToolSpec;
use holloway_plan::tool::does::{Does, Serves, Takes};
use rustc_hash::FxHashSet;
use serde::Serialize;
use serde_json::{Value, json};

use crate::frame::acts::{Act, Acts};
use crate::frame::scene::{Scene, ending};
use crate::frame::{Frame, Goal, Part};

mod cover;
mod goals;
mod steps;
mod things;

pub use goals::{Breadth, Manner};
use goals::{absorbed, with_targets};
use steps::Laid;
pub use steps::Made;
use things::Thing;

/// Steps that one goal may take.
const LONGEST: usize = 7;
/// Stands for the act itself among the parts that are served.
const CORE: u64 = 1 << 63;
/// Parts that one goal may have.
const MOST_PARTS: usize = 60;
/// A mark of names that were made up here.
const CHOSEN: &str = "chosen";
/// Ways that are looked at for one goal.
const MOST_WAYS: usize = 40_000;

/// Something a tool does, ready to be put into a plan.
#[derive(Clone, Copy, Debug)]
struct Op<'a> {
    tool: &'a Arc<ToolSpec>,
    does: &'a Does,
}

impl Op<'_> {
    fn is_detour(&self) -> bool {
        Acts::table()
            .act(&self.does.act)
            .is_some_and(|act| act.detour)
    }
}

/// A part of the request and what serves it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Account {
    pub goal: usize,
    pub slot: String,
    /// The words of the request.
    pub said: String,
    /// What the part was read as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The step that serves it; nothing where none does.
    pub step: Option<String>,
    /// The argument, where it is served by one.
    pub argument: Option<String>,
}

/// A way that a goal could be reached, as far as it was followed.
#[derive(Clone, Debug)]
struct Way<'a> {
    thing: Thing,
    /// The last thing that is no file: what the next goal goes on with.
    carried: Thing,
    /// Parts of the goal that are served, by place.
    served: u64,
    core: bool,
    taken: Vec<Taken<'a>>,
}

/// A step on a way.
#[derive(Clone, Debug)]
struct Taken<'a> {
    op: Op<'a>,
    from: Vec<Thing>,
    serves: Vec<usize>,
}

/// Lays the goals of a frame out as steps. Parts that nothing serves are in the accounts.
pub fn assemble(frame: &Frame, scene: &Scene, tools: &[Arc<ToolSpec>], manner: Manner<'_>) -> Made {
    let ops: Vec<Op<'_>> = tools
        .iter()
        .flat_map(|tool| tool.does.iter().map(move |does| Op { tool, does }))
        .collect();
    let mut laid = Laid::default();
    let mut before: Option<Thing> = scene.before.as_ref().map(Thing::before);
    laid.take_names(scene.before.iter().flat_map(|before| &before.steps));
    let goals = absorbed(&frame.goals);
    for (number, goal) in goals.iter().enumerate() {
        let goal = with_targets(goal, scene, manner);
        let mut things: Vec<Thing> = goal
            .all("sources")
            .filter_map(|part| Thing::of(&part.value))
            .collect();
        if things.is_empty() {
            things.extend(before.clone());
        }
        let goes_on = goals.get(number + 1);
        let goes_on = goes_on.is_some_and(|next| !next.has("sources"));
        let act = Acts::table().act(&goal.act);
        if act.is_some_and(|act| act.covers.is_some()) {
            before = cover::lay(&goal, number, things, &ops, &mut laid, manner).or(before);
            continue;
        }
        before = lay(&goal, number, things, &ops, &mut laid).or(before);
        // What only leads to the next goal is no answer of its own.
        if goes_on && act.is_some_and(|act| !act.core) && !goal.has("target") {
            laid.unsay(number);
        }
    }
    laid.made()
}

/// Lays one goal; the thing that the next goal goes on with.
fn lay(
    goal: &Goal,
    number: usize,
    things: Vec<Thing>,
    ops: &[Op<'_>],
    laid: &mut Laid,
) -> Option<Thing> {
    let targets: Vec<usize> = places(goal, |part| part.slot == "target");
    // Each target is a way of its own; what the ways have in common is laid once.
    let turns: Vec<Vec<usize>> = match targets.len() {
        0 | 1 => vec![Vec::new()],
        _ => targets
            .iter()
            .map(|kept| {
                targets
                    .iter()
                    .filter(|other| *other != kept)
                    .copied()
                    .collect()
            })
            .collect(),
    };
    let mut carried = None;
    for left_out in turns {
        let Some(way) = shortest(goal, &left_out, &things, ops) else {
            laid.unserved(goal, number, &left_out);
            continue;
        };
        carried = Some(laid.lay(goal, number, &way));
    }
    carried
}

fn places(goal: &Goal, fits: impl Fn(&Part) -> bool) -> Vec<usize> {
    let parts = goal.parts.iter().enumerate();
    parts
        .filter(|(_, part)| fits(part))
        .map(|(place, _)| place)
        .collect()
}

/// The way with the fewest steps that serves all parts of a goal but those left out.
fn shortest<'a>(
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
    let mut seen: FxHashSet<(String, bool, u64, bool)> = FxHashSet::default();
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
            for op in self.ops.iter().filter(|op| helps(op.does)) {
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
        if !is_core && !helps(op.does) || is_core && way.core {
            return None;
        }
        match op.does.takes.as_slice() {
            [] if way.thing.is_nothing() => {}
            [only] if way.thing.fits(only) => {}
            _ => return None,
        }
        let done = way.served | if way.core { CORE } else { 0 };
        let serves = self.served_by(op, &way.thing, done)?;
        if !self.is_asked_for(op, &serves) || self.would_repeat(op, &way.thing, &serves) {
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

/// The kind of file that a target is.
fn form_of(target: &Part) -> Option<String> {
    let path = target.text("path")?;
    Some(Acts::table().kind_of_file(ending(path).as_deref()))
}

fn can_serve(op: Op<'_>, thing: &Thing, part: &Part) -> bool {
    let of_slot = op
        .does
        .slots
        .iter()
        .filter(|serves| serves.slot() == part.slot);
    let is_served = |serves: &Serves| match serves {
        Serves::Always { value, .. } => {
            part.value == json!(value) || part.value == json!(value == "true")
        }
        Serves::Argument {
            field: None,
            list: true,
            argument,
            ..
        } => has_required(op.tool, argument, part),
        Serves::Argument { field: None, .. } => !part.value.is_object(),
        Serves::Argument { .. } => every_field(op.does, part),
        Serves::Keyed { key, value, .. } => {
            part.value.get(key).is_some() && part.value.get(value).is_some()
        }
    };
    let fits = of_slot.into_iter().any(is_served);
    if part.slot != "target" || !fits {
        return fits;
    }
    let Some(gives) = &op.does.gives else {
        return true;
    };
    // A tool that takes a file gives one of the same form: it is moved or copied.
    let moves = thing.is_file();
    moves || form_of(part).is_some_and(|form| thing.becomes(gives, &form))
}

/// Whether a part has what each item of an argument must have: rows are sorted by a column, not
/// "in alphabetical order".
fn has_required(tool: &ToolSpec, argument: &str, part: &Part) -> bool {
    let required = |schema: &Value| {
        let item = schema.get("properties")?.get(argument)?.get("items")?;
        item.get("required")?.as_array().cloned()
    };
    let names = required(&tool.input_schema).unwrap_or_default();
    let mut names = names.iter().filter_map(Value::as_str);
    !part.value.is_object() || names.all(|name| part.value.get(name).is_some())
}

/// Whether the arguments of a tool take everything that a part says.
fn every_field(does: &Does, part: &Part) -> bool {
    let taken = |name: &String| {
        does.slots.iter().any(|serves| {
            matches!(serves, Serves::Argument { slot, field: Some(field), .. } if *slot == part.slot && field == name)
        })
    };
    let said = part.value.as_object();
    said.is_some_and(|fields| fields.keys().filter(|name| *name != CHOSEN).all(taken))
}

/// Whether a tool may be put in though nobody asked for it.
fn helps(does: &Does) -> bool {
    Acts::table().act(&does.act).is_some_and(|act| act.helps)
}

impl<'a> Way<'a> {
    fn at(thing: Thing) -> Self {
        Self {
            carried: thing.clone(),
            thing,
            served: 0,
            core: false,
            taken: Vec::new(),
        }
    }

    fn on(mut self, op: Op<'a>, serves: Vec<usize>, form: Option<String>) -> Self {
        let thing = self.thing.through(op.does, form.as_deref());
        self.served |= serves.iter().fold(0, |mask, place| mask | 1 << place);
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

/// What a part says, in the shape that an argument takes.
fn value_for(part: &Part, field: Option<&str>) -> Option<Value> {
    match field {
        Some(field) => part.value.get(field).cloned(),
        None => Some(part.value.clone()),
    }
}
