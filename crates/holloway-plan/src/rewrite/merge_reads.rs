//! Makes identical read-only calls once: the later step goes, and all that read
//! its result read the first one's. Only where nothing can change in between.

use rustc_hash::FxHashMap;

use super::lists::{Kind, each_list, each_step, names_read};
use super::nature::only_reads;
use super::rename::Rename;
use super::{Change, Rewritten};
use crate::digest;
use crate::draft::{Draft, Execution};
use crate::place::Place;
use crate::plan::Plan;
use crate::scope::variables_of;
use crate::step::{Step, StepType};

pub(super) const NAME: &str = "merge-reads";

/// Every merge reads the whole plan again; in larger plans that would be felt.
const LARGEST_PLAN: usize = 2_000;

pub(super) fn apply(plan: &Plan) -> Option<Rewritten> {
    let mut steps = 0;
    plan.draft().walk(&mut |_| steps += 1);
    if steps > LARGEST_PLAN {
        return None;
    }
    let mut best: Option<Rewritten> = None;
    // One pair at a time: a merge may make other steps identical, or read each other.
    loop {
        let before = best.as_ref().map_or(plan, |(plan, _)| plan);
        let Some((draft, change)) = pairs(before)
            .iter()
            .find_map(|pair| merge(before.draft(), pair))
        else {
            return best;
        };
        let better = before.with_draft(draft);
        let changes = best.take().map(|(_, changes)| changes).unwrap_or_default();
        best = Some((better, [changes, vec![change]].concat()));
    }
}

/// Two steps of one list that ask the same.
struct Pair {
    first: Step,
    later: Step,
}

fn pairs(plan: &Plan) -> Vec<Pair> {
    let mut found = Vec::new();
    each_list(&mut plan.draft().clone(), &mut |steps, kind| {
        if !kind.all_count && kind.execution != Execution::Graph {
            found.extend(pairs_of_list(plan, steps, kind));
        }
    });
    found
}

fn pairs_of_list(plan: &Plan, steps: &[Step], kind: Kind) -> Vec<Pair> {
    let mut found = Vec::new();
    let mut asked: FxHashMap<String, Vec<&Step>> = FxHashMap::default();
    // The last step is what the list as a whole gives.
    for step in steps.iter().take(steps.len().saturating_sub(1)) {
        let reads = only_reads(plan, step);
        if !reads && kind.execution == Execution::Sequential {
            asked.clear();
        }
        if !reads || step.kind != StepType::Tool {
            continue;
        }
        let same = asked
            .entry(digest::of_json(&(&step.tool, &step.input)))
            .or_default();
        match same.iter().find(|first| asks_the_same(first, step)) {
            Some(first) => found.push(Pair {
                first: (*first).clone(),
                later: step.clone(),
            }),
            None => same.push(step),
        }
    }
    found
}

fn asks_the_same(first: &Step, later: &Step) -> bool {
    let question = |step: &Step| Step {
        id: String::new(),
        output: None,
        purpose: None,
        place: Place::default(),
        ..step.clone()
    };
    question(first) == question(later)
}

fn merge(draft: &Draft, Pair { first, later }: &Pair) -> Option<(Draft, Change)> {
    let read = names_read(draft);
    let is_read = |step: &Step| {
        read.iter()
            .any(|name| *name == step.id || Some(name) == step.output.as_ref())
    };
    let names: Vec<&str> = [first, later].into_iter().flat_map(own_names).collect();
    // A name that only callers may want has to stay; so has one that means several things.
    if later.output.is_some() && !is_read(later)
        || !names.iter().all(|name| means_one_thing(draft, name))
    {
        return None;
    }
    let rename = Rename {
        from: own_names(later),
        to: best_name(first),
    };
    let mut merged = draft.clone();
    let mut safe = true;
    each_list(&mut merged, &mut |steps, _| {
        steps.retain(|step| step.id != later.id);
    });
    each_step(&mut merged.steps, &mut |step| {
        safe &= rename.step(step).is_some();
        redirect(&mut step.depends_on, &later.id, &first.id);
    });
    let sentence = format!(
        "`{}` asks what `{}` asked already; its readers read `{}`",
        later.id, first.id, rename.to
    );
    let change = Change {
        rule: NAME,
        steps: vec![first.id.clone(), later.id.clone()],
        sentence,
    };
    safe.then_some((merged, change))
}

fn own_names(step: &Step) -> Vec<&str> {
    let output = step.output.as_deref().filter(|output| *output != step.id);
    std::iter::once(step.id.as_str()).chain(output).collect()
}

/// A name that can stand in a formula, where a hyphen would mean minus.
fn best_name(step: &Step) -> &str {
    let name = step.result_name();
    if name.contains('-') { &step.id } else { name }
}

/// Whether one step of the whole plan, and nothing else, answers to the name.
fn means_one_thing(draft: &Draft, name: &str) -> bool {
    let mut meanings = 0;
    draft.walk(&mut |step| {
        meanings += own_names(step).iter().filter(|own| **own == name).count();
        meanings += variables_of(step)
            .iter()
            .filter(|variable| **variable == name)
            .count();
    });
    meanings == 1 && name != "input"
}

fn redirect(depends_on: &mut Vec<String>, from: &str, to: &str) {
    if depends_on.iter().any(|name| name == from) {
        depends_on.retain(|name| name != from && name != to);
        depends_on.push(to.to_owned());
    }
}
