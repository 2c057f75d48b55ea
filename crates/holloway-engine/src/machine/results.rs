//! What becomes of a result? It is judged by the tool's own schema and by what
//! the plan expects before it counts.

use std::sync::Arc;

use holloway_plan::dag::Check;
use holloway_plan::expression::Names as _;
use holloway_plan::size::exceeds;
use serde_json::Value;

use super::state::Phase;
use super::{Job, Machine};
use crate::checks::Seen;
use crate::depth::{is_too_deep, too_deep};
use crate::entry::{EntryKind, Origin, Stored, Unmet};
use crate::event::CallEnd;
use crate::expected::Expected;
use crate::failure::ToolFailure;
use crate::retained::Retained;

impl Machine {
    pub(super) fn call_ended(&mut self, end: CallEnd) {
        let known = self.state.instances.get(end.n as usize);
        let expected = known.is_some_and(|i| i.phase == Phase::Calling && i.attempt == end.attempt);
        if !expected {
            return;
        }
        self.leave_flight(end.n);
        self.state.spent.money += end.usage.money;
        self.state.spent.tokens += end.usage.tokens;
        match self.judged(&end) {
            Ok(value) => self.judge_expectations(end, value),
            Err(failure) => {
                let node = self.node_ref(end.n);
                let (attempt, duration_ms) = (Some(end.attempt), end.duration_ms);
                self.record(EntryKind::StepError {
                    node,
                    attempt,
                    error: failure.clone(),
                    duration_ms,
                    usage: end.usage,
                });
                self.close_questions(end.n);
                self.climb_down(end.n, failure);
            }
        }
    }

    /// A result that does not fit the tool's own schema is a failure of the tool.
    fn judged(&self, end: &CallEnd) -> Result<Arc<Value>, ToolFailure> {
        let value = end.result.clone()?;
        let Some((index, tool)) = self.tool_in_use(end.n) else {
            return Ok(value);
        };
        match self.checks.output(index, &value, &self.state.issued) {
            None => Ok(value),
            Some(complaint) => {
                let message = format!("output of `{}`: {complaint}", tool.id);
                Err(ToolFailure::invalid(message).happened())
            }
        }
    }

    fn judge_expectations(&mut self, end: CallEnd, value: Arc<Value>) {
        let unmet = self.unmet(end.n, &value, true);
        let node = self.node_ref(end.n);
        let output = Stored::of(&value);
        let CallEnd {
            n,
            attempt,
            duration_ms,
            usage,
            origin,
            ..
        } = end;
        if unmet.is_empty() {
            let attempt = Some(attempt);
            let retained = Retained::new(value);
            let kind = EntryKind::StepComplete {
                node,
                attempt,
                output,
                duration_ms,
                usage,
                origin,
            };
            self.record_result(kind, &retained);
            self.close_questions(n);
            return self.done(n, retained);
        }
        let failure = ToolFailure::unmet(Unmet::sentence(&unmet));
        self.record(EntryKind::ExpectationUnmet {
            node,
            attempt,
            output,
            duration_ms,
            usage,
            unmet,
        });
        self.close_questions(n);
        self.climb_down(n, failure);
    }

    /// What the plan expects of the result and does not find.
    fn unmet(&mut self, n: u32, value: &Arc<Value>, is_judged: bool) -> Vec<Unmet> {
        let checks = self.node(n).policy.expect.len();
        if checks == 0 {
            return Vec::new();
        }
        let instance = self.instance(n);
        let place = (self.frame(instance.frame).body.0, instance.node);
        let mut slots = Vec::new();
        for check in &self.node(n).policy.expect {
            if let Check::That(bound) = check {
                slots.extend(bound.slots.iter().cloned());
            }
        }
        let names = self.view_with_result(instance.frame, &slots, value);
        let seen = Seen {
            output: value,
            arguments: instance.arguments.as_deref(),
            names: &names,
            issued: &self.state.issued,
            is_judged,
            may_be_told: true,
        };
        let unmet = self.checks.unmet(place, &self.node(n).policy.expect, &seen);
        self.state.hypotheses_checked += checks as u64;
        self.state.hypotheses_met += (checks - unmet.len()) as u64;
        unmet
    }

    /// The same for whoever makes the call.
    pub(super) fn expected(&self, n: u32) -> Expected {
        let frame = self.instance(n).frame;
        let checks = &self.node(n).policy.expect;
        let mut expected = Expected {
            checks: checks.clone(),
            names: Vec::new(),
            room: self.state.options.room(),
        };
        // A secret may also be given during the call, so that values are needed in any case.
        for check in checks {
            let Check::That(bound) = check else { continue };
            let view = self.view(frame, bound);
            let names = bound.slots.iter();
            let known = names.filter_map(|(name, _)| Some((Arc::clone(name), view.value(name)?)));
            expected.names.extend(known);
        }
        expected
    }

    pub(super) fn done(&mut self, n: u32, output: Retained) {
        let instance = self.instance_mut(n);
        instance.phase = Phase::Done;
        instance.output = Some(output);
        instance.arguments = None;
        self.state.statistics.successful_steps += 1;
        self.agenda.push_back(Job::Ended(n));
    }

    /// Ends an instance well without a call of its own.
    pub(super) fn complete(&mut self, n: u32, retained: Retained, origin: Origin) {
        let output = retained.get();
        let limit = self.state.options.room();
        if is_too_deep(&output) {
            return self.give_up(n, too_deep("the result"));
        }
        if origin == Origin::Person && exceeds(&output, limit) {
            return self.give_up(n, ToolFailure::too_large("the result has", limit));
        }
        self.instance_mut(n).made_up = origin == Origin::Synthetic;
        let unmet = if origin == Origin::Synthetic {
            Vec::new()
        } else {
            self.unmet(n, &output, false)
        };
        if !unmet.is_empty() {
            return self.give_up(n, ToolFailure::unmet(Unmet::sentence(&unmet)));
        }
        drop(output);
        self.retain(n, retained, origin);
    }

    /// Ends an instance with a result that counts.
    pub(super) fn retain(&mut self, n: u32, retained: Retained, origin: Origin) {
        let kind = EntryKind::StepComplete {
            node: self.node_ref(n),
            attempt: None,
            output: retained.stored(),
            duration_ms: self.state.now.saturating_sub(self.instance(n).started_at),
            usage: crate::ports::Usage::default(),
            origin,
        };
        self.record_result(kind, &retained);
        self.done(n, retained);
    }
}
