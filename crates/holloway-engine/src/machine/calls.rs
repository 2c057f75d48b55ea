//! How are calls made? Arguments are checked, consent is asked, a place is
//! waited for; then the call is described, the same each time.

use std::collections::VecDeque;
use std::sync::Arc;

use holloway_plan::dag::{ToolIndex, Work};
use holloway_plan::digest;
use holloway_plan::step::ApprovalRule;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::Value;

use super::Machine;
use super::state::{Phase, PlannedEffect};
use crate::depth::{is_too_deep, too_deep};
use crate::entry::{About, EntryKind, Intent, Origin, Stored};
use crate::event::{Action, Call, MemoryPlace};
use crate::failure::ToolFailure;
use crate::options::Consent;
use crate::ports::{CallLine, CallRequest};
use crate::retained::Retained;
use crate::synthetic;

impl Machine {
    /// The tool an instance uses at the moment.
    pub(super) fn tool_in_use(&self, n: u32) -> Option<(ToolIndex, &Arc<ToolSpec>)> {
        let Work::Call { tools, .. } = &self.node(n).work else {
            return None;
        };
        let index = *tools.get(self.instance(n).tool as usize)?;
        Some((index, self.dag.tools().get(index.0 as usize)?))
    }

    pub(super) fn effect_in_use(&self, n: u32) -> Effect {
        self.tool_in_use(n)
            .map(|(_, tool)| tool.effect)
            .unwrap_or_default()
    }

    /// Checks the arguments and gets the call on its way.
    pub(super) fn prepare_call(&mut self, n: u32, arguments: Arc<Value>) {
        let Some((index, tool)) = self.tool_in_use(n) else {
            return self.give_up(n, ToolFailure::unknown_tool("the step has no tool left"));
        };
        if let Some(complaint) = self.checks.input(index, &arguments, &self.state.issued) {
            let failure = ToolFailure::invalid(format!("input of `{}`: {complaint}", tool.id));
            return self.climb_down(n, failure);
        }
        if is_too_deep(&arguments) {
            return self.give_up(n, too_deep("the input"));
        }
        let effect = tool.effect;
        self.instance_mut(n).arguments = Some(arguments);
        if self.state.options.dry_run && effect != Effect::Read {
            return self.pretend(n);
        }
        match self.consent(n, effect) {
            Consent::Allow => self.enqueue(n),
            Consent::Ask if self.is_allowed(n) => self.enqueue(n),
            Consent::Deny => self.give_up(
                n,
                ToolFailure::denied(format!("the policy forbids {effect} calls")),
            ),
            Consent::Ask => {
                let tool = self
                    .tool_in_use(n)
                    .map(|(_, tool)| tool.id.to_string())
                    .unwrap_or_default();
                self.ask(
                    n,
                    About::Call,
                    format!("May `{tool}` be called? ({effect})"),
                );
            }
        }
    }

    pub(super) fn consent(&self, n: u32, effect: Effect) -> Consent {
        self.consent_by(n, self.state.options.approvals.for_effect(effect))
    }

    /// What the step itself says goes over the policy, but for what that forbids.
    pub(super) fn consent_by(&self, n: u32, policy: Consent) -> Consent {
        match (self.node(n).policy.approval, policy) {
            (_, Consent::Deny) => Consent::Deny,
            (ApprovalRule::Always, _) => Consent::Ask,
            (ApprovalRule::Never, _) => Consent::Allow,
            (ApprovalRule::Policy, Consent::Ask) if self.state.all_allowed => Consent::Allow,
            (ApprovalRule::Policy, policy) => policy,
        }
    }

    /// Dry run: note what would have happened and go on with a stand-in.
    fn pretend(&mut self, n: u32) {
        let Some((_, tool)) = self.tool_in_use(n) else {
            return;
        };
        let stand_in = synthetic::value_for(&tool.output_schema);
        let planned = PlannedEffect {
            node: self.label(n),
            tool: tool.id.clone(),
            effect: tool.effect,
            arguments: self.instance(n).arguments.clone().unwrap_or_default(),
        };
        self.state.effects.push(planned);
        self.complete(n, Retained::new(Arc::new(stand_in)), Origin::Synthetic);
    }

    pub(super) fn enqueue(&mut self, n: u32) {
        self.instance_mut(n).phase = Phase::Queued;
        self.state.queue.push_back(n);
    }

    /// Starts as many waiting calls as the limits allow.
    pub(super) fn start_calls(&mut self) {
        while !self.state.paused
            && self.state.ending.is_none()
            && (self.state.in_flight as usize) < self.state.options.concurrency.max(1)
        {
            let Some(n) = self.state.queue.pop_front() else {
                break;
            };
            if self.instance(n).phase != Phase::Queued {
                // It was cancelled while it waited; another of its source may go in its place.
                if let Some(source) = self.limited_source(n) {
                    self.release_held(&source);
                }
                continue;
            }
            if self.held_by_source(n) {
                continue;
            }
            if self.over_budget(n) {
                break;
            }
            self.start_call(n);
        }
    }

    /// Sets the call aside while its source has as many as it may.
    fn held_by_source(&mut self, n: u32) -> bool {
        let Some(source) = self.limited_source(n) else {
            return false;
        };
        let limit = self
            .state
            .options
            .source_limits
            .get(&source)
            .copied()
            .unwrap_or(usize::MAX);
        let count = self
            .state
            .in_flight_by_source
            .entry(source.clone())
            .or_default();
        if *count >= limit.max(1) {
            self.state
                .held_by_source
                .entry(source)
                .or_default()
                .push_back(n);
            return true;
        }
        *count += 1;
        false
    }

    fn limited_source(&self, n: u32) -> Option<String> {
        if self.state.options.source_limits.is_empty() {
            return None;
        }
        let (_, tool) = self.tool_in_use(n)?;
        let source = tool.id.source();
        self.state
            .options
            .source_limits
            .contains_key(source)
            .then(|| source.to_owned())
    }

    fn start_call(&mut self, n: u32) {
        if self.tool_in_use(n).is_none() {
            return self.give_up(n, ToolFailure::unknown_tool("the step calls no tool"));
        }
        let instance = self.instance_mut(n);
        instance.attempt += 1;
        instance.tries += 1;
        instance.phase = Phase::Calling;
        self.state.in_flight += 1;
        self.state.spent.calls += 1;
        let Some(call) = self.call_of(n) else { return };
        let intent = Intent {
            tool: call.request.tool.clone(),
            attempt: call.request.attempt,
            effect: call.request.effect,
            input: Stored::of(&call.request.arguments),
            key: Arc::clone(&call.request.key),
        };
        let node = self.node_ref(n);
        self.record(EntryKind::StepStart {
            node,
            call: Some(intent),
        });
        self.tell_context(n);
        self.actions.push(Action::Call(Box::new(call)));
    }

    /// The call an instance is making, the same each time it is asked for.
    pub(super) fn call_of(&self, n: u32) -> Option<Call> {
        let (_, tool) = self.tool_in_use(n)?;
        let instance = self.instance(n);
        let arguments = instance.arguments.clone().unwrap_or_default();
        let label = self.label(n);
        let policy = &self.node(n).policy;
        Some(Call {
            n,
            memory: self.memory_place(n, tool, &arguments),
            timeout_ms: policy
                .timeout_ms
                .unwrap_or_else(|| self.state.options.timeout_ms(&tool.id)),
            max_bytes: self.state.options.room(),
            request: CallRequest {
                tool: tool.id.clone(),
                arguments,
                effect: tool.effect,
                key: self.key_of(n, &label),
                run: self.state.run.clone(),
                node: label,
                attempt: instance.attempt,
                may_replace: self.may_replace(n),
                expected: self.expected(n),
                line: CallLine::default(),
            },
        })
    }

    /// The same for every repeat of a call; another one for other arguments.
    fn key_of(&self, n: u32, label: &str) -> Arc<str> {
        let instance = self.instance(n);
        let key = format!("{}:{label}:{}", self.state.run, instance.tool);
        match instance.edits {
            0 => key.into(),
            edits => format!("{key}:edit{edits}").into(),
        }
    }

    fn memory_place(&self, n: u32, tool: &ToolSpec, arguments: &Value) -> Option<MemoryPlace> {
        const UNASKED_TTL_MS: u64 = 3_600_000;
        // A repeat is made because the last answer was of no use; the same answer again would be too.
        if tool.effect != Effect::Read || self.instance(n).attempt > 1 {
            return None;
        }
        let asked = self.node(n).policy.cache.as_ref();
        if asked.is_none() && !self.state.options.memoize {
            return None;
        }
        let scope = &self.state.options.memory_scope;
        let key = match asked.and_then(|cache| cache.key.as_ref()) {
            // A name that has no value names nothing: the call is simply made.
            Some(key) => digest::of_json(&(scope, "named", &*self.fill(n, key).ok()?)),
            None => digest::of_json(&(scope, tool.pin(), arguments)),
        };
        let ttl_ms = asked.map_or(UNASKED_TTL_MS, |cache| cache.ttl_ms);
        Some(MemoryPlace { key, ttl_ms })
    }

    /// Frees the call's place.
    pub(super) fn leave_flight(&mut self, n: u32) {
        self.state.in_flight -= 1;
        let Some(source) = self.limited_source(n) else {
            return;
        };
        if let Some(count) = self.state.in_flight_by_source.get_mut(&source) {
            *count -= 1;
        }
        self.release_held(&source);
    }

    /// Lets the next call of a source go that still wants to.
    fn release_held(&mut self, source: &str) {
        while let Some(next) = self
            .state
            .held_by_source
            .get_mut(source)
            .and_then(VecDeque::pop_front)
        {
            if self.instance(next).phase == Phase::Queued {
                return self.state.queue.push_front(next);
            }
        }
    }
}
