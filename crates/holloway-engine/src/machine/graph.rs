//! What follows when a step has ended? The steps that waited for it, or in
//! graph execution the steps its edges lead to.

use std::sync::Arc;

use holloway_plan::dag::{Body, BoundEdge, Flow, Parent};

use super::finish::Stop;
use super::state::{Instance, Phase};
use super::{Job, Machine};
use crate::failure::ToolFailure;

impl Machine {
    pub(super) fn after_end(&mut self, n: u32) {
        let dag = Arc::clone(&self.dag);
        let (frame, node) = (self.instance(n).frame, self.instance(n).node);
        self.free_place(n, frame);
        let Some(body) = dag.body(self.frame(frame).body) else {
            return;
        };
        if body.flow == Flow::Edges {
            self.show_result(n, frame, node);
        }
        if !self.frame(frame).stopping {
            match body.flow {
                Flow::Waiting => self.release_children(n, frame, body, node),
                Flow::Edges => self.follow_edges(frame, body, node),
                Flow::Guided => self.chosen_ended(n, frame),
            }
        }
        let frame_state = self.frame_mut(frame);
        frame_state.last = Some(n);
        frame_state.open -= 1;
        if frame_state.open == 0 {
            self.agenda.push_back(Job::Closed(frame));
        }
    }

    /// Gives the instance's place in its list to one that is parked.
    fn free_place(&mut self, n: u32, frame: u32) {
        if !self.instance(n).counted {
            return;
        }
        self.instance_mut(n).counted = false;
        let frame = self.frame_mut(frame);
        frame.active -= 1;
        if let Some(parked) = frame.parked.pop_front() {
            self.agenda.push_back(Job::Ready(parked));
        }
    }

    fn release_children(&mut self, n: u32, frame: u32, body: &Body, node: u32) {
        let Some(children) = body.nodes.get(node as usize).map(|node| &node.children) else {
            return;
        };
        if self.instance(n).phase == Phase::Skipped {
            self.frame_mut(frame).has_skips = true;
            if self.instance(n).spoiled {
                self.spoil_readers(frame, body, node);
            }
        }
        if self.instance(n).refused {
            self.refuse_followers(frame, children);
        }
        for child in children {
            let Some(waiting) = self.frame_mut(frame).waiting.get_mut(*child as usize) else {
                continue;
            };
            *waiting -= 1;
            if *waiting == 0 {
                self.release(frame, body, *child);
            }
        }
    }

    fn refuse_followers(&mut self, frame: u32, children: &[u32]) {
        for child in children {
            if let Some(child) = self.frame(frame).latest.get(*child as usize).copied() {
                self.instance_mut(child).refused = true;
            }
        }
    }

    /// Those that read the result of a step skipped after a failure cannot run either.
    fn spoil_readers(&mut self, frame: u32, body: &Body, node: u32) {
        let reads = |child: &&u32| {
            let child = body.nodes.get(**child as usize);
            let mut parents = child.into_iter().flat_map(|child| &child.parents);
            parents.any(|parent| parent.node == node && parent.data)
        };
        let children = body.nodes.get(node as usize).map(|node| &node.children);
        for child in children.into_iter().flatten().filter(reads) {
            if let Some(child) = self.frame(frame).latest.get(*child as usize).copied() {
                self.instance_mut(child).spoiled = true;
            }
        }
    }

    /// All parents have ended: the child's turn, unless there is nothing left for it to read.
    fn release(&mut self, frame: u32, body: &Body, child_node: u32) {
        let Some(child) = self.frame(frame).latest.get(child_node as usize).copied() else {
            return;
        };
        if self.instance(child).phase != Phase::Waiting {
            return;
        }
        if self.instance(child).refused {
            return self.cancel_instance(child);
        }
        if self.instance(child).spoiled {
            return self.skip(child, "a step it reads was skipped after a failure", true);
        }
        if self.frame(frame).has_skips && self.all_it_reads_was_skipped(frame, body, child_node) {
            return self.skip(child, "everything it reads was skipped", false);
        }
        self.agenda.push_back(Job::Ready(child));
    }

    fn all_it_reads_was_skipped(&self, frame: u32, body: &Body, node: u32) -> bool {
        let parents = body
            .nodes
            .get(node as usize)
            .map(|node| node.parents.as_slice());
        let mut read = parents
            .into_iter()
            .flatten()
            .filter(|parent| parent.data)
            .peekable();
        let reads_any = read.peek().is_some();
        let is_skipped = |parent: &Parent| {
            let parent = self.frame(frame).latest.get(parent.node as usize);
            parent.is_some_and(|parent| self.instance(*parent).phase == Phase::Skipped)
        };
        reads_any && read.all(is_skipped)
    }

    fn follow_edges(&mut self, frame: u32, body: &Body, node: u32) {
        let Some(node) = body.nodes.get(node as usize) else {
            return;
        };
        let mut taken = Vec::new();
        for edge in &node.edges {
            match self.is_taken(frame, edge, taken.is_empty()) {
                Ok(true) => taken.push(edge.to),
                Ok(false) => {}
                Err(failure) => {
                    let message = format!("after step `{}`: {}", node.step, failure.message);
                    return self.fail_frame(frame, ToolFailure { message, ..failure });
                }
            }
        }
        for target in taken {
            self.visit(frame, target);
        }
    }

    /// An edge without a condition is the way out when no edge before it was taken.
    fn is_taken(
        &self,
        frame: u32,
        edge: &BoundEdge,
        none_before: bool,
    ) -> Result<bool, ToolFailure> {
        match &edge.when {
            None => Ok(none_before),
            Some(when) => when
                .form
                .holds(&self.view(frame, when))
                .map_err(|error| super::activate::missing(&error)),
        }
    }

    /// Reaches a node of a graph, once more.
    pub(super) fn visit(&mut self, frame: u32, node: u32) -> Option<u32> {
        let visits = self.frame(frame).visits.get(node as usize);
        let count = visits.copied().unwrap_or(0) + 1;
        let most = self.node_of(self.frame(frame), node).max_visits;
        if count > most {
            let step = &self.node_of(self.frame(frame), node).step;
            let message = format!("step `{step}` was reached more than {most} times");
            let hint = "raise `max_visits`, or check the conditions of the edges that lead here";
            self.fail_frame(frame, ToolFailure::limit(message).with_hint(hint));
            return None;
        }
        let n = self.state.instances.len() as u32;
        self.state.instances.push(Instance::new(frame, node, count));
        let state = self.frame_mut(frame);
        if let Some(visits) = state.visits.get_mut(node as usize) {
            *visits = count;
        }
        state.open += 1;
        self.agenda.push_back(Job::Ready(n));
        Some(n)
    }

    /// Steps read the result of the last visit that has ended; a step its own of the visit before.
    fn show_result(&mut self, n: u32, frame: u32, node: u32) {
        if self.instance(n).output.is_some()
            && let Some(latest) = self.frame_mut(frame).latest.get_mut(node as usize)
        {
            *latest = n;
        }
    }

    /// The list fails without any of its steps having failed.
    pub(super) fn fail_frame(&mut self, frame: u32, failure: ToolFailure) {
        self.frame_mut(frame).failure.get_or_insert(failure);
        self.stop_frame(frame, Stop::DropReads);
    }
}
