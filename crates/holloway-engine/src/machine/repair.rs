//! What is done about a failure? The repair ladder, cheapest rung first: the
//! same call again, another tool, then what the step's `on_error` says.

use std::sync::Arc;

use holloway_plan::dag::{Flow, Work};
use holloway_plan::step::{OnError, Retry};
use serde_json::Value;

use super::finish::Stop;
use super::state::Phase;
use super::{Job, Machine};
use crate::entry::{About, EntryKind, RepairDecision};
use crate::event::Action;
use crate::failure::{FailureName, ToolFailure};
use crate::ports::Usage;
use crate::retained::Retained;

impl Machine {
    /// Takes the first rung that holds.
    pub(super) fn climb_down(&mut self, n: u32, failure: ToolFailure) {
        if failure.replaces.is_some() {
            return self.ask_to_replace(n, failure);
        }
        let repeatable = self.effect_in_use(n).is_repeatable();
        if !repeatable && failure.uncertain && !self.is_stopping(n) {
            let text = format!("{failure}. It may have happened all the same. Call it again?");
            return self.ask_about(n, About::Doubt, text, &failure);
        }
        // A writing call that answered has happened; doing it again, or with another tool, would do it twice.
        let happened = !repeatable && failure.happened;
        let may_repair = !happened && failure.name != FailureName::Denied && !self.is_stopping(n);
        if may_repair && failure.retryable && !self.is_pure(n) && self.retries_left(n) {
            return self.retry_later(n, &failure);
        }
        if may_repair && self.next_tool(n) {
            return self.fall_back(n, &failure);
        }
        self.give_up(n, self.exhausted(n, failure));
    }

    pub(super) fn is_stopping(&self, n: u32) -> bool {
        self.state.ending.is_some() || self.frame(self.instance(n).frame).stopping
    }

    /// The same call would give the same result.
    fn is_pure(&self, n: u32) -> bool {
        self.tool_in_use(n).is_some_and(|(_, tool)| tool.pure)
    }

    fn retries_left(&self, n: u32) -> bool {
        let max = self
            .node(n)
            .policy
            .retry
            .max
            .unwrap_or(self.state.options.max_retries);
        self.instance(n).tries <= max
    }

    fn retry_later(&mut self, n: u32, failure: &ToolFailure) {
        let instance = self.instance(n);
        let after_ms = pause_before(
            &self.node(n).policy.retry,
            instance.tries,
            self.state.options.seed ^ u64::from(n),
        );
        let due = self.state.now + after_ms;
        let decision = RepairDecision::Retry {
            attempt: instance.attempt + 1,
            after_ms,
        };
        self.record_repair(n, decision, failure);
        self.instance_mut(n).phase = Phase::BackingOff { due };
        self.state.backing_off += 1;
        self.actions.push(Action::Wake { n, at_ms: due });
    }

    pub(super) fn retry_due(&mut self, n: u32) {
        let known = self.state.instances.get(n as usize);
        if !known.is_some_and(|instance| matches!(instance.phase, Phase::BackingOff { .. })) {
            return;
        }
        let node = self.node_ref(n);
        self.record(EntryKind::RetryDue { node });
        self.state.backing_off -= 1;
        self.enqueue(n);
    }

    /// Moves to the next tool of the step's chain, if there is one.
    fn next_tool(&mut self, n: u32) -> bool {
        let Work::Call { tools, .. } = &self.node(n).work else {
            return false;
        };
        let next = self.instance(n).tool + 1;
        if next as usize >= tools.len() {
            return false;
        }
        let instance = self.instance_mut(n);
        instance.tool = next;
        instance.tries = 0;
        instance.allowed = None;
        true
    }

    fn fall_back(&mut self, n: u32, failure: &ToolFailure) {
        let Some((_, tool)) = self.tool_in_use(n) else {
            return;
        };
        let decision = RepairDecision::Fallback {
            tool: tool.id.clone(),
        };
        self.record_repair(n, decision, failure);
        match self
            .instance(n)
            .arguments
            .clone()
            .map_or_else(|| self.refill(n), Ok)
        {
            Ok(arguments) => self.prepare_call(n, arguments),
            Err(failure) => self.give_up(n, failure),
        }
    }

    fn refill(&self, n: u32) -> Result<Arc<Value>, ToolFailure> {
        let Work::Call { input, .. } = &self.node(n).work else {
            return Ok(Arc::default());
        };
        self.fill(n, input)
            .map_err(|error| super::activate::missing(&error))
    }

    /// Says so when not only one tool has failed.
    fn exhausted(&self, n: u32, failure: ToolFailure) -> ToolFailure {
        let node = self.node(n);
        match &node.work {
            Work::Call { tools, .. } if tools.len() > 1 && self.instance(n).tool > 0 => {
                let message = format!(
                    "all tools failed for step {}: {}",
                    node.step, failure.message
                );
                ToolFailure { message, ..failure }
            }
            _ => failure,
        }
    }

    /// No repair is left: what the step's `on_error` says.
    pub(super) fn give_up(&mut self, n: u32, failure: ToolFailure) {
        let on_error = self.node(n).policy.on_error;
        if self.is_stopping(n) {
            return self.fail(n, failure);
        }
        match on_error {
            OnError::Fail => {
                self.record_repair(n, RepairDecision::Fail, &failure);
                self.fail(n, failure);
            }
            OnError::Skip => {
                self.record_repair(n, RepairDecision::Skip, &failure);
                self.skip(n, &failure.to_string(), true);
            }
            OnError::Continue => {
                self.record_repair(n, RepairDecision::Continue, &failure);
                self.note_for_phase(n, &failure);
                self.end_failed(n, failure);
                self.instance_mut(n).output = Some(Retained::default());
            }
            OnError::Repair | OnError::Ask if self.state.options.dry_run => self.fail(n, failure),
            OnError::Repair | OnError::Ask => {
                let again = match self.node(n).work {
                    Work::Call { .. } | Work::Approve { .. } => "Try again?",
                    _ => "Run it again, with all steps inside it, the completed ones too?",
                };
                let text = format!("{failure}. {again}");
                self.ask_about(n, About::Failure, text, &failure);
            }
        }
    }

    /// A person said no. What waits for the step may not start; the steps beside it go on.
    pub(super) fn refuse(&mut self, n: u32, failure: ToolFailure) {
        let frame = self.instance(n).frame;
        let body = self.dag.body(self.frame(frame).body);
        let waits = body.is_some_and(|body| body.flow == Flow::Waiting);
        let fails = self.node(n).policy.on_error == OnError::Fail;
        if !fails || !waits || self.is_stopping(n) {
            return self.give_up(n, failure);
        }
        self.record_repair(n, RepairDecision::Fail, &failure);
        self.instance_mut(n).refused = true;
        self.end_failed(n, failure.clone());
        self.keep_failure(n, failure);
    }

    fn ask_about(&mut self, n: u32, about: About, text: String, failure: &ToolFailure) {
        self.record_repair(n, RepairDecision::Ask, failure);
        self.ask(n, about, text);
    }

    /// The step has failed and takes its list with it.
    pub(super) fn fail(&mut self, n: u32, failure: ToolFailure) {
        self.end_failed(n, failure.clone());
        self.keep_failure(n, failure);
        self.stop_frame(self.instance(n).frame, Stop::DropReads);
    }

    /// The first failure of a list is told as the failure of the list.
    fn keep_failure(&mut self, n: u32, failure: ToolFailure) {
        let frame = self.instance(n).frame;
        if self.frame(frame).failure.is_none() {
            let step = &self.node(n).step;
            let message = format!("step `{step}`: {}", failure.message);
            self.frame_mut(frame).failure = Some(ToolFailure { message, ..failure });
        }
    }

    fn end_failed(&mut self, n: u32, failure: ToolFailure) {
        self.instance_mut(n).phase = Phase::Failed;
        self.state.statistics.failed_steps += 1;
        let node = self.node_ref(n);
        let duration_ms = self.state.now.saturating_sub(self.instance(n).started_at);
        self.record(EntryKind::StepError {
            node,
            attempt: None,
            error: failure,
            duration_ms,
            usage: Usage::default(),
        });
        self.agenda.push_back(Job::Ended(n));
    }

    fn record_repair(&mut self, n: u32, decision: RepairDecision, failure: &ToolFailure) {
        let node = self.node_ref(n);
        self.record(EntryKind::Repair {
            node,
            decision,
            reason: failure.to_string(),
        });
    }
}

/// How long to wait before the next try: growing, bounded, spread by a share drawn from `seed`.
fn pause_before(retry: &Retry, tries: u32, seed: u64) -> u64 {
    let base = retry.base_ms.unwrap_or(200) as f64;
    let factor = retry.factor.unwrap_or(2.0).max(1.0);
    let longest = retry.max_ms.unwrap_or(30_000) as f64;
    let jitter = retry.jitter.unwrap_or(0.2).clamp(0.0, 1.0);
    let pause = (base * factor.powi(tries.saturating_sub(1).min(64) as i32)).min(longest);
    let drawn = (scramble(seed ^ (u64::from(tries) << 32)) >> 11) as f64 / (1_u64 << 53) as f64;
    (pause * (1.0 - jitter * drawn)).round() as u64
}

/// A fixed mixing of bits (splitmix64), so that jitter is the same in every replay.
fn scramble(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_limit_and_stay_within_their_jitter() {
        let retry = Retry {
            base_ms: Some(100),
            factor: Some(3.0),
            max_ms: Some(2_000),
            jitter: Some(0.5),
            max: None,
        };
        for seed in 0..200 {
            for (tries, full) in [(1, 100), (2, 300), (3, 900), (4, 2_000), (9, 2_000)] {
                let pause = pause_before(&retry, tries, seed);
                assert!(
                    (full / 2..=full).contains(&pause),
                    "try {tries}, seed {seed}: {pause}"
                );
            }
        }
        let fixed = Retry {
            jitter: Some(0.0),
            ..retry
        };
        assert_eq!(pause_before(&fixed, 2, 7), 300);
    }
}
