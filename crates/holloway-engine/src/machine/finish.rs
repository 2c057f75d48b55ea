//! How does a list or a run come to its end? Stopping what is left, noticing a
//! standstill, and the last entries.

use holloway_plan::dag::Flow;
use holloway_plan::tool::Effect;

use super::state::{Open, Phase};
use super::{Job, Machine};
use crate::entry::{About, EndStatus, EntryKind};
use crate::event::Action;
use crate::failure::FailureName;

/// What becomes of calls that are under way when a list stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// They may all finish.
    LetFinish,
    /// Those that only read are dropped; their results would be of no use.
    DropReads,
    /// All are dropped.
    AtOnce,
}

impl Machine {
    /// Starts nothing more in this list.
    pub(super) fn stop_frame(&mut self, frame: u32, stop: Stop) {
        if self.frame(frame).stopping && stop != Stop::AtOnce {
            return;
        }
        self.frame_mut(frame).stopping = true;
        for n in self.instances_of(frame) {
            self.stop_instance(n, stop);
        }
        // A list whose instances all ended without an end of their own closes here.
        if self.frame(frame).open == 0 {
            self.agenda.push_back(Job::Closed(frame));
        }
    }

    fn instances_of(&self, frame: u32) -> Vec<u32> {
        let is_graph = self
            .dag
            .body(self.frame(frame).body)
            .is_some_and(|body| body.flow != Flow::Waiting);
        if is_graph {
            let all = self.state.instances.iter().enumerate();
            return all
                .filter(|(_, instance)| instance.frame == frame)
                .map(|(n, _)| n as u32)
                .collect();
        }
        self.frame(frame).latest.clone()
    }

    fn stop_instance(&mut self, n: u32, stop: Stop) {
        match self.instance(n).phase {
            Phase::Waiting | Phase::Parked | Phase::Queued => self.cancel_instance(n),
            Phase::Asking => {
                let about = |open: &Open| open.n == n && open.question.about == About::Doubt;
                let in_doubt = self.state.approvals.values().any(about);
                self.state.approvals.retain(|_, open| open.n != n);
                self.end_cancelled(n, in_doubt);
            }
            Phase::BackingOff { .. } => {
                self.state.backing_off -= 1;
                self.cancel_instance(n);
            }
            Phase::Calling if self.is_dropped(n, stop) => {
                let in_doubt = !self.effect_in_use(n).is_repeatable();
                self.actions.push(Action::StopCall { n });
                self.leave_flight(n);
                self.close_questions(n);
                self.end_cancelled(n, in_doubt);
            }
            Phase::Inside => {
                let frames = self
                    .instance(n)
                    .inside
                    .as_ref()
                    .map(|inside| inside.frames.clone())
                    .unwrap_or_default();
                for frame in frames {
                    self.stop_frame(frame, stop);
                }
            }
            Phase::Calling | Phase::Done | Phase::Failed | Phase::Skipped | Phase::Cancelled => {}
        }
    }

    fn is_dropped(&self, n: u32, stop: Stop) -> bool {
        match stop {
            Stop::LetFinish => false,
            Stop::DropReads => self.effect_in_use(n) == Effect::Read,
            Stop::AtOnce => true,
        }
    }

    pub(super) fn cancel_instance(&mut self, n: u32) {
        self.end_cancelled(n, false);
    }

    pub(super) fn end_cancelled(&mut self, n: u32, in_doubt: bool) {
        self.instance_mut(n).phase = Phase::Cancelled;
        self.state.statistics.cancelled_steps += 1;
        let node = self.node_ref(n);
        self.record(EntryKind::StepCancelled { node, in_doubt });
        self.agenda.push_back(Job::Ended(n));
    }

    /// The plan's own list has closed.
    pub(super) fn end_run(&mut self) {
        if self.state.ended.is_some() {
            return;
        }
        let failure = self.frame(0).failure.clone();
        if let Some(failure) = &failure {
            self.state.failure.get_or_insert(failure.to_string());
        }
        let status = match (self.state.ending, failure) {
            (Some(status), _) => status,
            (None, Some(_)) => EndStatus::Failed,
            (None, None) => EndStatus::Succeeded,
        };
        self.close_run(status);
    }

    fn close_run(&mut self, status: EndStatus) {
        self.state.ended = Some(status);
        let statistics = &mut self.state.statistics;
        statistics.total_steps = statistics.successful_steps
            + statistics.failed_steps
            + statistics.skipped_steps
            + statistics.cancelled_steps;
        let statistics = *statistics;
        self.record(EntryKind::PlanComplete { statistics });
        if let (EndStatus::Failed, Some(error)) = (status, self.state.failure.clone()) {
            self.record(EntryKind::ExecutionError { error });
        }
        let outputs = self
            .collect_outputs()
            .into_iter()
            .map(|(name, retained)| (name, retained.stored()))
            .collect();
        let success = status == EndStatus::Succeeded;
        self.record(EntryKind::ExecutionComplete {
            success,
            status,
            outputs,
        });
        self.actions.push(Action::Finished(status));
    }

    /// Tells the driver when nothing is left to wait for.
    pub(super) fn notice_standstill(&mut self) {
        let state = &self.state;
        if state.ended.is_some() || state.in_flight > 0 {
            return;
        }
        if state.paused {
            return self.actions.push(Action::Halted);
        }
        // What waits in the queue of a run that is ending will never start.
        let queued = state.ending.is_none() && !state.queue.is_empty();
        let something_left = state.backing_off > 0 || !state.approvals.is_empty() || queued;
        if !something_left && !state.frames.is_empty() {
            // Validation rules this out; if it happens all the same, the run must not hang.
            let reason = "no step can start although some have not ended";
            self.state.failure = Some(format!("{}: {reason}", FailureName::Deadlock.as_str()));
            let status = self.state.ending.unwrap_or(EndStatus::Failed);
            self.close_run(status);
        }
    }
}
