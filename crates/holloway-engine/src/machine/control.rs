//! How does a run begin, pause, go on and get cancelled?

use std::sync::Arc;

use holloway_plan::dag::BodyId;
use serde_json::{Value, json};

use super::Machine;
use super::finish::Stop;
use super::state::{Phase, State};
use crate::checks::with_defaults;
use crate::entry::{About, EndStatus, EntryKind, ExecutionStart};
use crate::event::Action;
use crate::options::{ApprovalPolicy, Consent};
use crate::retained::Retained;

impl Machine {
    pub(super) fn begin(&mut self, start: ExecutionStart) {
        let shelf = self.shelf.clone();
        let reuse = start.reuse.iter().filter_map(|(node, stored)| {
            let retained = Retained::of_stored(stored, shelf.as_ref())?;
            Some((node.clone(), retained))
        });
        self.state = State {
            run: start.run.clone(),
            options: start.options.clone(),
            reuse: reuse.collect(),
            issued: start.marks.clone(),
            now: self.state.now,
            started_at: self.state.now,
            active_since: self.state.now,
            ..State::default()
        };
        let context = self.complete_context(&start.context);
        self.record(EntryKind::ExecutionStart(Box::new(start)));
        self.set_time_limit();
        let frame = self.open_frame(BodyId::TOP, None, 0);
        let input = context.get("input").cloned().unwrap_or_default();
        self.frame_mut(frame).context = Some(context);
        if let Some(complaint) = self.checks.plan_input(&input, &self.state.issued) {
            self.state.failure = Some(format!("Validation failed: the plan's input: {complaint}"));
            self.state.ending = Some(EndStatus::Failed);
            return self.stop_frame(frame, Stop::AtOnce);
        }
        self.start_frame(frame);
    }

    fn complete_context(&self, given: &Arc<Value>) -> Arc<Value> {
        let input = Arc::new(given.get("input").cloned().unwrap_or_else(|| json!({})));
        let input = with_defaults(&input, self.dag.input_schema());
        let mut context = given.as_object().cloned().unwrap_or_default();
        context.insert("input".to_owned(), Arc::unwrap_or_clone(input));
        Arc::new(Value::Object(context))
    }

    pub(super) fn pause(&mut self, reason: String) {
        if !self.state.paused {
            self.record(EntryKind::Paused { reason });
            self.state.paused = true;
            self.stop_the_watch(self.state.now);
        }
    }

    pub(super) fn resume(
        &mut self,
        by: String,
        fresh: bool,
        approvals: Option<ApprovalPolicy>,
        all_allowed: bool,
    ) {
        self.record(EntryKind::Resumed {
            by: by.clone(),
            fresh,
            approvals,
            all_allowed,
        });
        if !self.state.paused {
            // The process before this one was at work at least until its last entry.
            self.stop_the_watch(self.state.before);
        }
        self.state.paused = false;
        self.state.active_since = self.state.now;
        self.set_time_limit();
        if let Some(approvals) = approvals {
            self.state.options.approvals = approvals;
        }
        if all_allowed {
            self.allow_all(&by);
        }
        if approvals.is_some() {
            self.hold_to_policy(fresh);
        }
        if fresh {
            self.take_up_calls();
        }
    }

    /// Calls on their way that the policy does not allow any more are refused or asked about.
    fn hold_to_policy(&mut self, fresh: bool) {
        for n in 0..self.state.instances.len() as u32 {
            let effect = self.effect_in_use(n);
            match self.consent(n, effect) {
                Consent::Allow => continue,
                Consent::Ask if self.is_allowed(n) => continue,
                Consent::Ask | Consent::Deny => {}
            }
            match self.instance(n).phase {
                Phase::Queued => {}
                Phase::BackingOff { .. } => self.state.backing_off -= 1,
                // Others have been made, and what became of them is asked.
                Phase::Calling if fresh && effect.is_repeatable() => {
                    self.close_questions(n);
                    self.leave_flight(n);
                }
                _ => continue,
            }
            let arguments = self.instance(n).arguments.clone().unwrap_or_default();
            self.prepare_call(n, arguments);
        }
    }

    /// Calls that were under way when another process stopped: harmless ones
    /// are made again under the same key, the others are asked about.
    fn take_up_calls(&mut self) {
        for n in 0..self.state.instances.len() as u32 {
            if self.instance(n).phase == Phase::Calling {
                // Whoever asked is gone; the call made again asks anew.
                self.close_questions(n);
            }
            match self.instance(n).phase {
                Phase::Calling if self.effect_in_use(n).is_repeatable() => {
                    if let Some(call) = self.call_of(n) {
                        self.actions.push(Action::Call(Box::new(call)));
                    }
                }
                Phase::Calling if self.is_stopping(n) => {
                    self.leave_flight(n);
                    self.end_cancelled(n, true);
                }
                Phase::Calling => {
                    self.leave_flight(n);
                    let text = "The process stopped during this call; it may or may not have happened. Call it again?";
                    self.ask(n, About::Doubt, text.to_owned());
                }
                Phase::BackingOff { due } => self.actions.push(Action::Wake { n, at_ms: due }),
                _ => {}
            }
        }
    }

    pub(super) fn cancel(&mut self, by: String) {
        self.record(EntryKind::Cancelled { by });
        self.state.paused = false;
        self.state.ending = Some(EndStatus::Cancelled);
        self.stop_frame(0, Stop::AtOnce);
    }
}
