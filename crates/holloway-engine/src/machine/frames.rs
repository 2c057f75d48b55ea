//! How are lists of steps opened, run and closed? One frame for each list that
//! is being run: the plan's own, a branch, an item of a loop, another plan.

use std::sync::Arc;

use holloway_plan::dag::{BodyId, Bound, Flow, Fold, Work};
use holloway_plan::template::Template;
use serde_json::{Map, Value, json};

use super::state::{Frame, Inside, Instance, Items, Phase};
use super::{Job, Machine};
use crate::entry::{EntryKind, Origin};
use crate::failure::ToolFailure;

impl Machine {
    /// Makes a frame with an instance for each node; nothing starts yet.
    pub(super) fn open_frame(&mut self, body: BodyId, owner: Option<u32>, item: usize) -> u32 {
        let dag = Arc::clone(&self.dag);
        let number = self.state.frames.len() as u32;
        let mut frame = Frame {
            body,
            owner,
            item,
            ..Frame::default()
        };
        let nodes = dag
            .body(body)
            .map(|body| body.nodes.as_slice())
            .unwrap_or_default();
        if dag.body(body).is_some_and(|body| body.flow == Flow::Edges) {
            frame.latest = vec![u32::MAX; nodes.len()];
            frame.visits = vec![0; nodes.len()];
        } else {
            let first = self.state.instances.len() as u32;
            frame.latest = (first..first + nodes.len() as u32).collect();
            frame.open = nodes.len() as u32;
            frame.waiting = nodes.iter().map(|node| node.parents.len() as u32).collect();
            let instances = (0..nodes.len() as u32).map(|node| Instance::new(number, node, 1));
            self.state.instances.extend(instances);
        }
        self.state.frames.push(frame);
        number
    }

    /// Starts what can start at once.
    pub(super) fn start_frame(&mut self, frame: u32) {
        let dag = Arc::clone(&self.dag);
        let Some(body) = dag.body(self.frame(frame).body) else {
            return;
        };
        if body.nodes.is_empty() {
            return self.agenda.push_back(Job::Closed(frame));
        }
        if body.flow == Flow::Edges {
            return self.visit(frame, 0);
        }
        let latest = self.frame(frame).latest.clone();
        for (node, n) in body.nodes.iter().zip(latest) {
            if node.parents.is_empty() {
                self.agenda.push_back(Job::Ready(n));
            }
        }
    }

    /// Begins the inner steps of an instance.
    pub(super) fn open_inside(&mut self, n: u32, work: &Work) {
        self.instance_mut(n).phase = Phase::Inside;
        let node = self.node_ref(n);
        self.record(EntryKind::StepStart { node, call: None });
        match work {
            Work::Group { body, concurrency } => {
                let frame = self.open_only_frame(n, *body, 0);
                self.frame_mut(frame).limit = concurrency.map(|limit| limit.max(1) as u32);
                self.start_frame(frame);
            }
            Work::Branch {
                condition,
                then,
                otherwise,
            } => {
                match condition
                    .form
                    .holds(&self.view(self.instance(n).frame, condition))
                {
                    Ok(true) => self.start_only_frame(n, *then, 0),
                    Ok(false) => self.start_only_frame(n, *otherwise, 1),
                    Err(error) => self.give_up(n, super::activate::missing(&error)),
                }
            }
            Work::Plan { body, input } => match self.fill(n, input) {
                Ok(input) => {
                    let frame = self.open_only_frame(n, *body, 0);
                    let input = if input.is_null() {
                        json!({})
                    } else {
                        Arc::unwrap_or_clone(input)
                    };
                    self.frame_mut(frame).context = Some(Arc::new(json!({ "input": input })));
                    self.start_frame(frame);
                }
                Err(error) => self.give_up(n, super::activate::missing(&error)),
            },
            Work::Each {
                over,
                max_items,
                fold,
                ..
            } => self.open_items(n, over, *max_items, fold.as_ref()),
            Work::Call { .. } | Work::Approve { .. } | Work::Phase => {}
        }
    }

    fn open_only_frame(&mut self, n: u32, body: BodyId, item: usize) -> u32 {
        let frame = self.open_frame(body, Some(n), item);
        self.instance_mut(n).inside = Some(Box::new(Inside {
            frames: vec![frame],
            items: None,
        }));
        frame
    }

    fn start_only_frame(&mut self, n: u32, body: BodyId, item: usize) {
        let frame = self.open_only_frame(n, body, item);
        self.start_frame(frame);
    }

    fn open_items(
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
        let results = vec![Arc::default(); items.len()];
        Ok(Items {
            results,
            next: 0,
            active: 0,
            carry,
            failure: None,
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
        let output = match &items.carry {
            Some(carry) => Arc::clone(carry),
            None => Arc::new(Value::Array(
                std::mem::take(&mut items.results)
                    .into_iter()
                    .map(Arc::unwrap_or_clone)
                    .collect(),
            )),
        };
        self.complete(n, output, Origin::Inner);
    }

    /// All instances of a frame have ended.
    pub(super) fn frame_closed(&mut self, frame: u32) {
        if std::mem::replace(&mut self.frame_mut(frame).closed, true) {
            return;
        }
        let Some(owner) = self.frame(frame).owner else {
            return self.end_run();
        };
        if self.instance(owner).phase != Phase::Inside {
            return;
        }
        let failure = self.frame(frame).failure.clone();
        let cancelled = failure.is_none() && self.frame(frame).stopping;
        let is_loop = self
            .instance(owner)
            .inside
            .as_ref()
            .is_some_and(|inside| inside.items.is_some());
        if is_loop {
            return self.item_closed(owner, frame, failure);
        }
        match failure {
            Some(failure) => self.give_up(owner, failure),
            None if cancelled => self.cancel_instance(owner),
            None => {
                let result = self.frame_result(frame);
                self.complete(owner, result, Origin::Inner);
            }
        }
    }

    fn item_closed(&mut self, owner: u32, frame: u32, failure: Option<ToolFailure>) {
        let item = self.frame(frame).item;
        let stopped = self.frame(frame).stopping;
        let result = if stopped {
            Arc::default()
        } else {
            self.frame_result(frame)
        };
        self.forget(frame);
        let failed_first = failure.is_some();
        if let Some(inside) = &mut self.instance_mut(owner).inside {
            inside.frames.retain(|open| *open != frame);
            if let Some(items) = &mut inside.items {
                items.active -= 1;
                items.failure = items.failure.take().or(failure);
                if items.carry.is_some() {
                    items.carry = Some(Arc::clone(&result));
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
                self.stop_frame(other, false);
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

    /// What a list gives to the step it belongs to.
    fn frame_result(&self, frame: u32) -> Arc<Value> {
        let frame = self.frame(frame);
        let owner = frame.owner.map(|owner| &self.node(owner).work);
        if let Some(Work::Group { .. }) = owner {
            let done = frame
                .latest
                .iter()
                .filter(|n| self.instance(**n).phase == Phase::Done);
            let field = |n: &u32| {
                let output = self.instance(*n).output.clone().unwrap_or_default();
                (
                    self.node(*n).output.to_string(),
                    Arc::unwrap_or_clone(output),
                )
            };
            return Arc::new(Value::Object(done.map(field).collect::<Map<_, _>>()));
        }
        let last = if frame.visits.is_empty() {
            frame.latest.last().copied()
        } else {
            frame.last
        };
        last.and_then(|n| self.instance(n).output.clone())
            .unwrap_or_default()
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
