//! How are lists of steps opened, run and closed? One frame for each list that
//! is being run: the plan's own, a branch, an item of a loop, another plan.

use std::sync::Arc;

use holloway_plan::dag::{BodyId, Bound, Flow, Work};
use holloway_plan::template::Template;
use serde_json::{Map, Value, json};

use super::state::{Frame, Inside, Instance, Phase};
use super::{Job, Machine};
use crate::checks::with_defaults;
use crate::entry::{EntryKind, Origin};
use crate::failure::ToolFailure;
use crate::retained::Retained;

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
        if dag
            .body(body)
            .is_some_and(|body| body.flow != Flow::Waiting)
        {
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
            self.visit(frame, 0);
            return;
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
                    Ok(true) => self.take_branch(n, (*then, 0), (*otherwise, 1)),
                    Ok(false) => self.take_branch(n, (*otherwise, 1), (*then, 0)),
                    Err(error) => self.give_up(n, super::activate::missing(&error)),
                }
            }
            Work::Plan {
                body,
                input,
                schema,
            } => match self.plan_input(n, input, schema.as_deref()) {
                Ok(input) => {
                    let frame = self.open_only_frame(n, *body, 0);
                    self.frame_mut(frame).context = Some(Arc::new(json!({ "input": *input })));
                    self.start_frame(frame);
                }
                Err(failure) => self.give_up(n, failure),
            },
            Work::Each {
                over,
                max_items,
                fold,
                ..
            } => self.open_items(n, over, *max_items, fold.as_deref()),
            Work::Phase(guided) => self.begin_phase(n, guided),
            Work::Call { .. } | Work::Approve { .. } => {}
        }
    }

    /// What another plan is given: filled in, completed with its defaults, checked.
    fn plan_input(
        &self,
        n: u32,
        input: &Bound<Template>,
        schema: Option<&Value>,
    ) -> Result<Arc<Value>, ToolFailure> {
        let missing = |error| super::activate::missing(&error);
        let mut input = self.fill(n, input).map_err(missing)?;
        if input.is_null() {
            input = Arc::new(json!({}));
        }
        let input = with_defaults(&input, schema);
        let instance = self.instance(n);
        let place = (self.frame(instance.frame).body.0, instance.node);
        match self
            .checks
            .inner_plan_input(place, &input, &self.state.issued)
        {
            None => Ok(input),
            Some(complaint) => Err(ToolFailure::invalid(format!(
                "the plan's input: {complaint}"
            ))),
        }
    }

    pub(super) fn open_only_frame(&mut self, n: u32, body: BodyId, item: usize) -> u32 {
        let frame = self.open_frame(body, Some(n), item);
        self.instance_mut(n).inside = Some(Box::new(Inside {
            frames: vec![frame],
            items: None,
            phase: None,
        }));
        frame
    }

    /// Runs one branch; the steps of the other count as skipped.
    fn take_branch(&mut self, n: u32, taken: (BodyId, usize), other: (BodyId, usize)) {
        let frame = self.open_only_frame(n, taken.0, taken.1);
        let passed_by = self.open_frame(other.0, Some(n), other.1);
        self.frame_mut(passed_by).closed = true;
        for inner in self.frame(passed_by).latest.clone() {
            self.pass_by(inner, "the other branch was taken");
        }
        self.start_frame(frame);
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
        let stopping = self.frame(frame).stopping;
        let cancelled = failure.is_none() && stopping;
        let is_loop = self
            .instance(owner)
            .inside
            .as_ref()
            .is_some_and(|inside| inside.items.is_some());
        if is_loop {
            return self.item_closed(owner, frame, failure);
        }
        match failure {
            Some(failure) if stopping => self.give_up(owner, failure),
            // Nothing else went wrong in it.
            Some(refusal) => self.refuse(owner, refusal),
            None if cancelled => self.cancel_instance(owner),
            None => match self.frame_result(frame) {
                Ok(result) => self.complete(owner, result, Origin::Inner),
                Err(failure) => self.give_up(owner, failure),
            },
        }
    }

    /// What a list gives to the step it belongs to.
    pub(super) fn frame_result(&self, frame: u32) -> Result<Retained, ToolFailure> {
        let frame = self.frame(frame);
        let owner = frame.owner.map(|owner| &self.node(owner).work);
        if let Some(Work::Group { .. }) = owner {
            let done = frame.latest.iter().filter_map(|n| {
                let output = self.instance(*n).output.as_ref()?;
                Some((self.node(*n).output.to_string(), output))
            });
            let done: Vec<(String, &Retained)> = done.collect();
            self.refuse_large_sum(done.iter().map(|(_, output)| *output))?;
            let field = |(name, output): (String, &Retained)| (name, Value::clone(&output.get()));
            let fields = done.into_iter().map(field).collect::<Map<_, _>>();
            return Ok(Retained::new(Arc::new(Value::Object(fields))));
        }
        if let Some(Work::Phase(_)) = owner {
            return Ok(self.phase_result(frame));
        }
        let last = if frame.visits.is_empty() {
            frame.latest.last().copied()
        } else {
            frame.last
        };
        Ok(last
            .and_then(|n| self.instance(n).output.clone())
            .unwrap_or_default())
    }

    /// What is gathered from several results must not be too large; asked before it is gathered.
    pub(super) fn refuse_large_sum<'a>(
        &self,
        parts: impl Iterator<Item = &'a Retained>,
    ) -> Result<(), ToolFailure> {
        let limit = self.state.options.room();
        let sum = parts.fold(0_usize, |sum, part| sum.saturating_add(part.size()));
        if sum > limit {
            return Err(ToolFailure::too_large(
                "the results of its steps have",
                limit,
            ));
        }
        Ok(())
    }
}
