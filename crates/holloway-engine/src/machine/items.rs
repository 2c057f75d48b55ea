//! How does a loop go through its items? So many at a time, each in a frame of
//! its own; results in the order of the items, or one value carried along.

use std::sync::Arc;

use holloway_plan::dag::{Bound, Fold, Work};
use holloway_plan::template::Template;
use serde_json::{Value, json};

use super::Machine;
use super::finish::Stop;
use super::state::{Inside, Items};
use crate::entry::Origin;
use crate::failure::ToolFailure;
use crate::retained::Retained;

impl Machine {
    pub(super) fn open_items(
        &mut self,
        n: u32,
        over: &Bound<Template>,
        max_items: usize,
        fold: Option<&Fold>,
    ) {
        let opened = self.items_of(n, over, max_items, fold);
        match opened {
            Ok(items) => {
                self.instance_mut(n).inside = Some(Box::new(Inside {
                    frames: Vec::new(),
                    items: Some(items),
                    phase: None,
                }));
                self.start_items(n);
            }
            Err(failure) => self.give_up(n, failure),
        }
    }

    fn items_of(
        &self,
        n: u32,
        over: &Bound<Template>,
        max_items: usize,
        fold: Option<&Fold>,
    ) -> Result<Items, ToolFailure> {
        let missing = |error| super::activate::missing(&error);
        let list = self.fill(n, over).map_err(missing)?;
        let Value::Array(items) = &*list else {
            let found = holloway_plan::read::kind_of(&list);
            return Err(ToolFailure::invalid(format!(
                "a loop goes over a list, found {found}"
            )));
        };
        if items.len() > max_items {
            return Err(ToolFailure::limit(format!(
                "the list has {} items, at most {max_items} are allowed",
                items.len()
            ))
            .with_hint("raise `max_items` if this is meant"));
        }
        let carry = fold
            .map(|fold| self.fill(n, &fold.initial))
            .transpose()
            .map_err(missing)?;
        let results = vec![Retained::default(); items.len()];
        Ok(Items {
            results,
            next: 0,
            active: 0,
            carry,
            failure: None,
            refusal: None,
            list,
        })
    }

    /// Starts items up to the loop's limit; ends the loop after the last one.
    fn start_items(&mut self, n: u32) {
        let dag = Arc::clone(&self.dag);
        let instance = self.instance(n);
        let body = self.frame(instance.frame).body;
        let node = dag
            .body(body)
            .and_then(|body| body.nodes.get(instance.node as usize));
        let Some(Work::Each {
            variable,
            body,
            concurrency,
            fold,
            ..
        }) = node.map(|node| &node.work)
        else {
            return;
        };
        let limit = concurrency.unwrap_or(self.state.options.concurrency).max(1);
        while let Some((index, item, carry)) = self.next_item(n, limit) {
            let frame = self.open_frame(*body, Some(n), index);
            let mut variables = vec![
                (Arc::clone(variable), item),
                (Arc::from("index"), Arc::new(json!(index))),
            ];
            if let (Some(fold), Some(carry)) = (fold, carry) {
                variables.push((Arc::clone(&fold.variable), carry));
            }
            self.frame_mut(frame).variables = variables;
            if let Some(inside) = &mut self.instance_mut(n).inside {
                inside.frames.push(frame);
            }
            self.start_frame(frame);
        }
        self.end_items_if_all_done(n);
    }

    fn next_item(
        &mut self,
        n: u32,
        limit: usize,
    ) -> Option<(usize, Arc<Value>, Option<Arc<Value>>)> {
        let items = self.instance_mut(n).inside.as_mut()?.items.as_mut()?;
        if items.failure.is_some() || items.active >= limit {
            return None;
        }
        let item = items.list.get(items.next)?.clone();
        items.next += 1;
        items.active += 1;
        Some((items.next - 1, Arc::new(item), items.carry.clone()))
    }

    fn end_items_if_all_done(&mut self, n: u32) {
        let Some(items) = self
            .instance_mut(n)
            .inside
            .as_mut()
            .and_then(|inside| inside.items.as_mut())
        else {
            return;
        };
        if items.active > 0 {
            return;
        }
        if let Some(failure) = items.failure.clone() {
            return self.give_up(n, failure);
        }
        if items.next < items.results.len() {
            return;
        }
        if let Some(refusal) = items.refusal.clone() {
            return self.refuse(n, refusal);
        }
        if let Some(carry) = items.carry.clone() {
            return self.complete(n, Retained::new(carry), Origin::Inner);
        }
        let results = std::mem::take(&mut items.results);
        if let Err(failure) = self.refuse_large_sum(results.iter()) {
            return self.give_up(n, failure);
        }
        let results = results.into_iter().map(Retained::into_value);
        let output = Value::Array(results.collect());
        self.complete(n, Retained::new(Arc::new(output)), Origin::Inner);
    }

    pub(super) fn item_closed(&mut self, owner: u32, frame: u32, failure: Option<ToolFailure>) {
        let item = self.frame(frame).item;
        let stopped = self.frame(frame).stopping;
        let result = if stopped {
            Ok(Retained::default())
        } else {
            self.frame_result(frame)
        };
        self.forget(frame);
        let carries = |items: &Items| items.carry.is_some();
        let inside = self.instance(owner).inside.as_ref();
        let inside = inside.and_then(|inside| inside.items.as_ref());
        // What is carried along would be missing for the items after it.
        let goes_on = !stopped && !inside.is_some_and(carries);
        let (failure, refusal) = if goes_on {
            (None, failure)
        } else {
            (failure, None)
        };
        let (result, failure) = match result {
            Ok(result) => (result, failure),
            Err(too_large) => (Retained::default(), failure.or(Some(too_large))),
        };
        let failed_first = failure.is_some();
        if let Some(inside) = &mut self.instance_mut(owner).inside {
            inside.frames.retain(|open| *open != frame);
            if let Some(items) = &mut inside.items {
                items.active -= 1;
                items.failure = items.failure.take().or(failure);
                items.refusal = items.refusal.take().or(refusal);
                if items.carry.is_some() {
                    items.carry = Some(result.get());
                }
                if let Some(slot) = items.results.get_mut(item) {
                    *slot = result;
                }
            }
        }
        if failed_first {
            let others = self
                .instance(owner)
                .inside
                .as_ref()
                .map(|inside| inside.frames.clone())
                .unwrap_or_default();
            for other in others {
                self.stop_frame(other, Stop::DropReads);
            }
        }
        let active = self
            .instance(owner)
            .inside
            .as_ref()
            .and_then(|i| i.items.as_ref())
            .map_or(0, |items| items.active);
        if self.frame(self.instance(owner).frame).stopping {
            if active == 0 {
                self.cancel_instance(owner);
            }
            return;
        }
        self.start_items(owner);
    }

    /// Lets go of what only the steps of a finished item could read.
    fn forget(&mut self, frame: u32) {
        for n in self.frame(frame).latest.clone() {
            if n != u32::MAX {
                let instance = self.instance_mut(n);
                instance.output = None;
                instance.arguments = None;
            }
        }
        let frame = self.frame_mut(frame);
        frame.variables = Vec::new();
        frame.latest = Vec::new();
    }
}
