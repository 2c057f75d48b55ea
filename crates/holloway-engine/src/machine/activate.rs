//! What happens when a step's turn has come? Its condition is asked, then its
//! work begins: a call, inner steps, or a question.

use std::sync::Arc;

use holloway_plan::dag::{Bound, Work};
use holloway_plan::expression::ExpressionError;
use holloway_plan::template::Template;
use serde_json::{Value, json};

use super::state::Phase;
use super::{Job, Machine};
use crate::entry::{About, EntryKind, Origin};
use crate::failure::{TOO_LARGE_HINT, ToolFailure};
use crate::options::Consent;
use crate::retained::Retained;

impl Machine {
    pub(super) fn activate(&mut self, n: u32) {
        if !matches!(self.instance(n).phase, Phase::Waiting | Phase::Parked) {
            return;
        }
        if !self.takes_a_place(n) {
            return;
        }
        self.instance_mut(n).started_at = self.state.now;
        if self.takes_over(n) {
            return;
        }
        match self.condition_holds(n) {
            Ok(true) => self.begin_work(n),
            Ok(false) => self.skip(n, "its condition does not hold", false),
            Err(error) => self.give_up(n, missing(&error)),
        }
    }

    /// Counts the instance against the limit of its list, or parks it.
    fn takes_a_place(&mut self, n: u32) -> bool {
        let frame = self.instance(n).frame;
        let Some(limit) = self.frame(frame).limit else {
            return true;
        };
        if self.frame(frame).active >= limit {
            self.instance_mut(n).phase = Phase::Parked;
            self.frame_mut(frame).parked.push_back(n);
            return false;
        }
        self.frame_mut(frame).active += 1;
        self.instance_mut(n).counted = true;
        true
    }

    /// Uses the result of the run this one was forked from, if there is one.
    fn takes_over(&mut self, n: u32) -> bool {
        if self.state.reuse.is_empty() {
            return false;
        }
        let Some(output) = self.state.reuse.get(&*self.label(n)).cloned() else {
            return false;
        };
        self.retain(n, output, Origin::Reused);
        true
    }

    fn condition_holds(&self, n: u32) -> Result<bool, ExpressionError> {
        match &self.node(n).when {
            None => Ok(true),
            // What a made-up result decides is unknown; the dry run shows what might happen.
            Some(when) if self.reads_made_up(self.instance(n).frame, when) => Ok(true),
            Some(when) => when.form.holds(&self.view(self.instance(n).frame, when)),
        }
    }

    pub(super) fn begin_work(&mut self, n: u32) {
        let dag = Arc::clone(&self.dag);
        let instance = self.instance(n);
        let body = self.frame(instance.frame).body;
        let Some(node) = dag
            .body(body)
            .and_then(|body| body.nodes.get(instance.node as usize))
        else {
            return;
        };
        match &node.work {
            // A phase gives its calls their arguments when it chooses them.
            Work::Call { .. } if self.is_chosen(n) => {
                let arguments = self.instance(n).arguments.clone().unwrap_or_default();
                self.prepare_call(n, arguments);
            }
            Work::Call { input, .. } => match self.fill(n, input) {
                Ok(arguments) => self.prepare_call(n, arguments),
                Err(error) => self.give_up(n, missing(&error)),
            },
            Work::Each { .. }
            | Work::Group { .. }
            | Work::Branch { .. }
            | Work::Plan { .. }
            | Work::Phase(_) => self.open_inside(n, &node.work),
            Work::Approve { show, ask } => self.begin_approve(n, show, ask),
        }
    }

    pub(super) fn fill(
        &self,
        n: u32,
        template: &Bound<Template>,
    ) -> Result<Arc<Value>, ExpressionError> {
        template
            .form
            .fill(&self.view(self.instance(n).frame, template))
    }

    fn begin_approve(&mut self, n: u32, show: &Bound<Template>, ask: &Bound<Template>) {
        let filled = self
            .fill(n, show)
            .and_then(|shown| Ok((shown, self.fill(n, ask)?)));
        let (shown, text) = match filled {
            Ok(filled) => filled,
            Err(error) => return self.give_up(n, missing(&error)),
        };
        if self.state.options.dry_run {
            return self.complete(
                n,
                Retained::new(Arc::new(json!({"approved": true}))),
                Origin::Synthetic,
            );
        }
        match self.state.options.approvals.steps {
            Consent::Allow => return self.approved_by(n, "policy"),
            Consent::Ask if self.state.all_allowed => return self.approved_by(n, "user (all)"),
            Consent::Deny => {
                return self.give_up(n, ToolFailure::denied("the policy forbids it"));
            }
            Consent::Ask => {}
        }
        self.instance_mut(n).arguments = Some(shown);
        let text = text.as_str().unwrap_or("Go on?").to_owned();
        self.ask(n, About::Step, text);
    }

    /// Nobody has to be asked any more.
    fn approved_by(&mut self, n: u32, by: &str) {
        let yes = json!({"approved": true, "by": by, "note": null});
        self.complete(n, Retained::new(Arc::new(yes)), Origin::Person);
    }

    /// The step is not run, or its failure passed over; `spoiled` if its readers cannot run either.
    pub(super) fn skip(&mut self, n: u32, reason: &str, spoiled: bool) {
        self.instance_mut(n).spoiled = spoiled;
        self.pass_by(n, reason);
        self.agenda.push_back(Job::Ended(n));
    }

    /// Notes that the step is not run, without anything following from it.
    pub(super) fn pass_by(&mut self, n: u32, reason: &str) {
        self.instance_mut(n).phase = Phase::Skipped;
        self.state.statistics.skipped_steps += 1;
        let node = self.node_ref(n);
        self.record(EntryKind::StepSkipped {
            node,
            reason: reason.to_owned(),
        });
    }
}

pub(super) fn missing(error: &ExpressionError) -> ToolFailure {
    match error {
        ExpressionError::Missing(reason) => ToolFailure::missing_value(reason.clone()),
        ExpressionError::TooLarge { .. } | ExpressionError::InputTooLarge { .. } => {
            ToolFailure::limit(error.to_string()).with_hint(TOO_LARGE_HINT)
        }
        ExpressionError::Endless { .. } => ToolFailure::limit(error.to_string()),
        other => ToolFailure::invalid(other.to_string()),
    }
}
