//! What does a name mean at this place and moment? Follows slots through the
//! frames to the values that steps have left behind.

use std::collections::BTreeMap;
use std::sync::Arc;

use holloway_plan::dag::{Bound, Work};
use holloway_plan::expression::Names;
use holloway_plan::scope::{Slot, Turn};
use serde_json::Value;

use super::Machine;
use super::state::Phase;
use crate::retained::Retained;

/// The names of one expression, seen from one frame.
pub(super) struct View<'a> {
    machine: &'a Machine,
    frame: u32,
    slots: &'a [(Arc<str>, Slot)],
    /// The result under judgement: its fields come before all other names.
    result: Option<&'a Arc<Value>>,
}

impl Names for View<'_> {
    fn value(&self, name: &str) -> Option<Arc<Value>> {
        if let Some(result) = self.result {
            if let Some(field) = result.get(name) {
                return Some(Arc::new(field.clone()));
            }
            if name == "output" {
                return Some(Arc::clone(result));
            }
        }
        let (_, slot) = self.slots.iter().find(|(known, _)| &**known == name)?;
        self.machine.slot_value(self.frame, slot)
    }

    fn room(&self) -> usize {
        self.machine.state.options.room()
    }
}

impl Machine {
    pub(super) fn view<'a, T>(&'a self, frame: u32, bound: &'a Bound<T>) -> View<'a> {
        View {
            machine: self,
            frame,
            slots: &bound.slots,
            result: None,
        }
    }

    /// A view in which the fields of `result` can be named directly.
    pub(super) fn view_with_result<'a>(
        &'a self,
        frame: u32,
        slots: &'a [(Arc<str>, Slot)],
        result: &'a Arc<Value>,
    ) -> View<'a> {
        View {
            machine: self,
            frame,
            slots,
            result: Some(result),
        }
    }

    pub(super) fn slot_value(&self, frame: u32, slot: &Slot) -> Option<Arc<Value>> {
        match slot {
            Slot::Context(name) => self.context_value(frame, name),
            Slot::Variable { up, name } => {
                let frame = self.frame(self.frame_above(frame, *up)?);
                frame
                    .variables
                    .iter()
                    .find(|(known, _)| known == name)
                    .map(|(_, value)| Arc::clone(value))
            }
            Slot::Result { up, way, otherwise } => {
                let frame = self.frame_above(frame, *up)?;
                let other = || self.result_at(frame, otherwise.as_ref()?);
                self.result_at(frame, way).or_else(other)
            }
        }
    }

    pub(super) fn context_value(&self, frame: u32, name: &str) -> Option<Arc<Value>> {
        let mut frame = frame;
        loop {
            if let Some(context) = &self.frame(frame).context {
                return context.get(name).map(|value| Arc::new(value.clone()));
            }
            frame = self.instance(self.frame(frame).owner?).frame;
        }
    }

    fn frame_above(&self, frame: u32, up: usize) -> Option<u32> {
        let mut frame = frame;
        for _ in 0..up {
            frame = self.instance(self.frame(frame).owner?).frame;
        }
        Some(frame)
    }

    /// Follows the way from list to inner list; the value is missing where a branch was not taken.
    fn result_at(&self, frame: u32, way: &[Turn]) -> Option<Arc<Value>> {
        let (first, further) = way.split_first()?;
        let mut n = self.latest(frame, first.node)?;
        for turn in further {
            let Some(inside) = &self.instance(n).inside else {
                return self.taken_over(n, further);
            };
            let frame = *inside.frames.first()?;
            let is_branch = matches!(self.node(n).work, Work::Branch { .. });
            if is_branch && self.frame(frame).item != turn.branch {
                return None;
            }
            n = self.latest(frame, turn.node)?;
        }
        self.instance(n).output.as_ref().map(Retained::get)
    }

    /// Whether a result made up during a dry run is among the values that are read.
    pub(super) fn reads_made_up<T>(&self, frame: u32, bound: &Bound<T>) -> bool {
        self.state.options.dry_run
            && bound.slots.iter().any(|(_, slot)| match slot {
                Slot::Result { up, way, .. } => {
                    let first = way.first().zip(self.frame_above(frame, *up));
                    let n = first.and_then(|(turn, frame)| self.latest(frame, turn.node));
                    n.is_some_and(|n| self.instance(n).made_up)
                }
                _ => false,
            })
    }

    /// The newest instance of a node, unless it was never reached.
    fn latest(&self, frame: u32, node: usize) -> Option<u32> {
        let n = *self.frame(frame).latest.get(node)?;
        (n != u32::MAX).then_some(n)
    }

    /// A group taken over from another run has no inner steps, but its result holds theirs by name.
    fn taken_over(&self, n: u32, further: &[Turn]) -> Option<Arc<Value>> {
        let (Work::Group { body, .. }, [turn]) = (&self.node(n).work, further) else {
            return None;
        };
        let name = &self.dag.body(*body)?.nodes.get(turn.node)?.output;
        let output = self.instance(n).output.as_ref()?.get();
        output.get(&**name).map(|value| Arc::new(value.clone()))
    }

    /// The results of the plan's own steps and of the lists that are open to the outside.
    pub(super) fn collect_outputs(&self) -> BTreeMap<Arc<str>, Retained> {
        let mut outputs = BTreeMap::new();
        if !self.state.frames.is_empty() {
            self.collect_frame(0, &mut outputs);
        }
        outputs
    }

    fn collect_frame(&self, frame: u32, outputs: &mut BTreeMap<Arc<str>, Retained>) {
        let numbers = self
            .frame(frame)
            .latest
            .iter()
            .copied()
            .filter(|n| *n != u32::MAX);
        for n in numbers {
            let instance = self.instance(n);
            let node = self.node(n);
            if let (Phase::Done | Phase::Failed, Some(output)) = (instance.phase, &instance.output)
            {
                outputs.insert(Arc::clone(&node.output), output.clone());
            }
            if let (Work::Group { .. } | Work::Branch { .. }, Some(inside)) =
                (&node.work, &instance.inside)
            {
                for inner in &inside.frames {
                    self.collect_frame(*inner, outputs);
                }
            }
        }
    }
}
