//! Turns a sequence into a graph: steps that only look wait for the data they
//! read and for the last change before them; every other step is a barrier that
//! waits for all before it. So no read sees another world than it did before.

use super::lists::each_step;
use super::nature::only_reads;
use super::{Change, Rewritten};
use crate::compile::CONTEXT_NAMES;
use crate::dataflow::{inner_execution, parents};
use crate::draft::Execution;
use crate::plan::Plan;
use crate::scope::{Scope, variables_of};
use crate::step::Step;

pub(super) const NAME: &str = "parallelise";

/// Reachability is kept as one bit per pair of steps; longer lists would need too many.
const LONGEST_LIST: usize = 10_000;

pub(super) fn apply(plan: &Plan) -> Option<Rewritten> {
    if plan.draft().execution != Execution::Sequential {
        return None;
    }
    let mut found = Found::default();
    let scope = Scope::top(plan.steps(), &CONTEXT_NAMES);
    list(plan, plan.steps(), &scope, &mut found)?;
    if found.changes.is_empty() {
        return None;
    }
    let mut draft = plan.draft().clone();
    draft.execution = Execution::Dag;
    let mut waits = found.waits.into_iter();
    each_step(&mut draft.steps, &mut |step| {
        if let Some(Some(depends_on)) = waits.next() {
            step.depends_on = depends_on;
        }
    });
    Some((plan.with_draft(draft), found.changes))
}

/// What has been worked out, step by step in the order of [`each_step`].
#[derive(Default)]
struct Found {
    /// The new `depends_on`; none where it stays.
    waits: Vec<Option<Vec<String>>>,
    changes: Vec<Change>,
}

fn list(plan: &Plan, steps: &[Step], scope: &Scope<'_>, found: &mut Found) -> Option<()> {
    let waits = order(plan, steps, scope)?;
    for (index, step) in steps.iter().enumerate() {
        let own = waits.get(index)?;
        let names = own
            .listed
            .iter()
            .filter_map(|parent| steps.get(*parent))
            .map(|parent| parent.id.clone());
        found.waits.push(Some(names.collect()));
        let before = index.checked_sub(1).and_then(|before| steps.get(before));
        if let (Some(before), true) = (before, own.is_free) {
            found.changes.push(change(step, before));
        }
        for (_, inner) in step.inner() {
            let inside = scope.inside(inner, &variables_of(step));
            match inner_execution(step, Execution::Sequential) {
                Execution::Sequential => list(plan, inner, &inside, found)?,
                _ => inner
                    .iter()
                    .for_each(|step| step.walk(&mut |_| found.waits.push(None))),
            }
        }
    }
    Some(())
}

fn change(step: &Step, before: &Step) -> Change {
    let sentence = format!(
        "`{}` no longer waits for `{}`: it reads nothing of it and neither changes anything",
        step.id, before.id
    );
    Change {
        rule: NAME,
        steps: vec![step.id.clone()],
        sentence,
    }
}

/// What a step waits for from now on.
struct Waits {
    /// The steps it has to name, because no data flow and no other wait implies them.
    listed: Vec<usize>,
    /// It may now run beside the step before it.
    is_free: bool,
}

fn order(plan: &Plan, steps: &[Step], scope: &Scope<'_>) -> Option<Vec<Waits>> {
    if steps.len() > LONGEST_LIST {
        return None;
    }
    let data = parents(steps, scope, Execution::Dag);
    let mut before: Vec<Ancestors> = Vec::with_capacity(steps.len());
    let mut all = Vec::with_capacity(steps.len());
    let mut barrier = None;
    for (index, (step, parents)) in steps.iter().zip(data).enumerate() {
        let mut reached = Ancestors::new(steps.len());
        let mut wanted: Vec<usize> = Vec::new();
        for parent in parents {
            let node = parent.node as usize;
            // A sound sequence never waits for what comes later.
            let ancestors = before.get(node)?;
            if parent.data {
                reached.add(node, ancestors);
            } else {
                wanted.push(node);
            }
        }
        let reads = only_reads(plan, step);
        match (reads, barrier) {
            (true, barrier) => wanted.extend(barrier),
            (false, barrier) => wanted.extend(barrier.unwrap_or(0)..index),
        }
        let listed = reduce(wanted, &mut reached, &before);
        let is_free = index > 0 && !reached.contains(index - 1);
        all.push(Waits { listed, is_free });
        before.push(reached);
        barrier = if reads { barrier } else { Some(index) };
    }
    Some(all)
}

/// Keeps of `wanted` what nothing else implies. Ancestors have smaller numbers, so the largest go first.
fn reduce(mut wanted: Vec<usize>, reached: &mut Ancestors, before: &[Ancestors]) -> Vec<usize> {
    wanted.sort_unstable();
    wanted.dedup();
    let mut listed = Vec::new();
    for parent in wanted.into_iter().rev() {
        if let (false, Some(ancestors)) = (reached.contains(parent), before.get(parent)) {
            reached.add(parent, ancestors);
            listed.push(parent);
        }
    }
    listed.reverse();
    listed
}

/// The steps that have ended before a step starts, one bit each.
struct Ancestors(Vec<u64>);

impl Ancestors {
    fn new(steps: usize) -> Self {
        Self(vec![0; steps.div_ceil(64)])
    }

    fn add(&mut self, parent: usize, its: &Self) {
        for (word, more) in self.0.iter_mut().zip(&its.0) {
            *word |= more;
        }
        if let Some(word) = self.0.get_mut(parent / 64) {
            *word |= 1 << (parent % 64);
        }
    }

    fn contains(&self, step: usize) -> bool {
        self.0
            .get(step / 64)
            .is_some_and(|word| word & (1 << (step % 64)) != 0)
    }
}
