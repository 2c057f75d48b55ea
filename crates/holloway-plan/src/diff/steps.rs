//! Which steps of two plans belong together? Those of one name; and of the others those
//! that call the same tool with the same input. The rest is added or removed.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

use super::{Difference, Moved, Renamed, Spot, StepChange, StepNote, fields};
use crate::digest;
use crate::draft::Draft;
use crate::step::Step;

/// Fields that hold other steps; these are compared by themselves.
const INNER: [&str; 5] = ["step", "steps", "then", "otherwise", "reducer"];

/// A list of steps: the id of the step around it and the field there; none at the top.
type List<'a> = Option<(&'a str, &'static str)>;

/// A step and where it stands.
struct Placed<'a> {
    step: &'a Step,
    list: List<'a>,
    place: usize,
}

impl Placed<'_> {
    fn spot(&self) -> Spot {
        Spot {
            inside: self.list.map(|(id, field)| match field {
                "then" | "otherwise" => format!("{id}.{field}"),
                _ => id.to_owned(),
            }),
            place: self.place,
        }
    }

    fn note(&self) -> StepNote {
        StepNote {
            step: self.step.id.clone(),
            kind: self.step.kind.as_str(),
            tool: self.step.called_tool().map(str::to_owned),
            spot: self.spot(),
        }
    }
}

pub(super) fn compare(old: &Draft, new: &Draft, difference: &mut Difference) {
    let (old, new) = (placed(&old.steps), placed(&new.steps));
    let pairs = Pairs::of(&old, &new);
    for (step, _) in old
        .iter()
        .zip(&pairs.of_old)
        .filter(|(_, pair)| pair.is_none())
    {
        difference.removed.push(step.note());
    }
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (at, (step, pair)) in new.iter().zip(&pairs.of_new).enumerate() {
        let Some((before, was)) = pair.and_then(|before| Some((before, old.get(before)?))) else {
            difference.added.push(step.note());
            continue;
        };
        kept.push((before, at));
        if was.step.id != step.step.id {
            difference.renamed.push(Renamed {
                old: was.step.id.clone(),
                new: step.step.id.clone(),
            });
        }
        let fields = fields::changes(&own_fields(was.step), &own_fields(step.step));
        if !fields.is_empty() {
            difference.changed.push(StepChange {
                step: step.step.id.clone(),
                fields,
            });
        }
    }
    moves(&old, &new, &pairs, &kept, difference);
}

/// All steps, outer before inner.
fn placed(steps: &[Step]) -> Vec<Placed<'_>> {
    let mut found = Vec::new();
    add(steps, None, &mut found);
    found
}

fn add<'a>(steps: &'a [Step], list: List<'a>, found: &mut Vec<Placed<'a>>) {
    for (index, step) in steps.iter().enumerate() {
        found.push(Placed {
            step,
            list,
            place: index + 1,
        });
        for (field, inner) in step.inner() {
            // One inner step or a list of one is the same.
            let field = if field == "step" { "steps" } else { field };
            add(inner, Some((step.id.as_str(), field)), found);
        }
    }
}

/// What a step says besides its name and the steps inside it.
fn own_fields(step: &Step) -> Map<String, Value> {
    let mut own = fields::of(step);
    own.shift_remove("id");
    for inner in INNER {
        own.shift_remove(inner);
    }
    own
}

/// Which step of one plan is which of the other, by place in their lists.
struct Pairs {
    of_old: Vec<Option<usize>>,
    of_new: Vec<Option<usize>>,
}

impl Pairs {
    fn of(old: &[Placed<'_>], new: &[Placed<'_>]) -> Self {
        let mut pairs = Self {
            of_old: vec![None; old.len()],
            of_new: vec![None; new.len()],
        };
        let mut names: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, step) in old.iter().enumerate() {
            names.entry(step.step.id.as_str()).or_insert(at);
        }
        for (at, step) in new.iter().enumerate() {
            if let Some(before) = names.remove(step.step.id.as_str()) {
                pairs.join(before, at);
            }
        }
        pairs.join_renamed(old, new);
        pairs
    }

    fn join(&mut self, before: usize, at: usize) {
        if let (Some(old), Some(new)) = (self.of_old.get_mut(before), self.of_new.get_mut(at)) {
            *old = Some(at);
            *new = Some(before);
        }
    }

    /// Steps left over that do the same are the same.
    fn join_renamed(&mut self, old: &[Placed<'_>], new: &[Placed<'_>]) {
        let mut waiting: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        // From the back, so that of several equal steps the first is taken first.
        for (at, step) in old.iter().enumerate().rev() {
            if self.of_old.get(at) == Some(&None) {
                waiting.entry(deed(step.step)).or_default().push(at);
            }
        }
        for (at, step) in new.iter().enumerate() {
            if self.of_new.get(at) != Some(&None) {
                continue;
            }
            let same = waiting.get_mut(&deed(step.step));
            if let Some(before) = same.and_then(Vec::pop) {
                self.join(before, at);
            }
        }
    }
}

/// What a step does: its kind and tool with the input; a step around others also which.
fn deed(step: &Step) -> String {
    let inside: Vec<&str> = step
        .inner()
        .into_iter()
        .flat_map(|(_, steps)| steps.iter().map(|inner| inner.id.as_str()))
        .collect();
    let subject = (
        &step.over,
        &step.condition,
        &step.plan,
        &step.goal,
        &step.ask,
    );
    digest::of_json(&(
        step.kind,
        step.called_tool(),
        &step.function,
        &step.input,
        subject,
        inside,
    ))
}

/// Steps in another list, and the fewest that explain another order in the same one.
fn moves(
    old: &[Placed<'_>],
    new: &[Placed<'_>],
    pairs: &Pairs,
    kept: &[(usize, usize)],
    difference: &mut Difference,
) {
    let new_names: FxHashMap<&str, &str> = old
        .iter()
        .zip(&pairs.of_old)
        .filter_map(|(was, pair)| Some((was.step.id.as_str(), new.get((*pair)?)?.step.id.as_str())))
        .collect();
    let mut lists: FxHashMap<List<'_>, Vec<(usize, usize)>> = FxHashMap::default();
    let mut moved: FxHashSet<usize> = FxHashSet::default();
    for (before, at) in kept {
        let (Some(was), Some(is)) = (old.get(*before), new.get(*at)) else {
            continue;
        };
        // The same list, even if the step around it has another name now.
        let list = was
            .list
            .map(|(id, field)| (new_names.get(id).copied().unwrap_or(id), field));
        if list == is.list {
            lists.entry(list).or_default().push((was.place, *at));
        } else {
            moved.insert(*at);
        }
    }
    for list in lists.values() {
        let places: Vec<usize> = list.iter().map(|(place, _)| *place).collect();
        let in_order = longest_rise(&places);
        let out_of_order = list.iter().enumerate();
        moved.extend(
            out_of_order
                .filter(|(index, _)| !in_order.contains(index))
                .map(|(_, (_, at))| *at),
        );
    }
    for (before, at) in kept.iter().filter(|(_, at)| moved.contains(at)) {
        if let (Some(was), Some(is)) = (old.get(*before), new.get(*at)) {
            difference.moved.push(Moved {
                step: is.step.id.clone(),
                old: was.spot(),
                new: is.spot(),
            });
        }
    }
}

/// The places of a longest run of rising numbers: the most that can stay where they are.
fn longest_rise(numbers: &[usize]) -> FxHashSet<usize> {
    // For every length the place where the lowest end of such a run stands.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    let number = |place: usize| numbers.get(place).copied().unwrap_or_default();
    for (place, own) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| number(*end) < *own);
        before.push(
            length
                .checked_sub(1)
                .and_then(|last| ends.get(last).copied()),
        );
        match ends.get_mut(length) {
            Some(end) => *end = place,
            None => ends.push(place),
        }
    }
    let mut run = FxHashSet::default();
    let mut at = ends.last().copied();
    while let Some(place) = at {
        run.insert(place);
        at = before.get(place).copied().flatten();
    }
    run
}
