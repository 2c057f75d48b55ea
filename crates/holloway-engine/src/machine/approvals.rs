//! Who is asked what, and what does an answer do? Any number of questions can
//! be open at once; each is bound to the exact call it is about.

use std::borrow::Cow;
use std::sync::Arc;

use holloway_plan::digest;
use holloway_plan::step::ApprovalRule;
use serde_json::{Value, json};

use super::Machine;
use super::state::{Open, Phase};
use crate::entry::{About, Answer, Decision, EntryKind, Origin, Question};
use crate::failure::ToolFailure;
use crate::mark::Issued;
use crate::options::Consent;
use crate::ports::MayReplace;
use crate::retained::Retained;

/// Why an answer is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    #[error("there is no open question `{0}`")]
    NotOpen(String),
    #[error("the answer was given to something else: the call of `{0}` has changed since")]
    Changed(String),
    #[error("the step calls no tool, so there are no arguments to change")]
    NoArguments,
    #[error("these arguments do not fit the tool: {0}")]
    BadArguments(String),
    #[error("this is not what the tool asks for: {0}")]
    BadAnswer(String),
    #[error("only a question of a tool can be left without a yes or no")]
    NoDismissal,
}

impl Machine {
    /// Puts a question to a person and lets the instance wait.
    pub(super) fn ask(&mut self, n: u32, about: About, text: String) {
        let question = self.question(n, about, text);
        self.instance_mut(n).phase = Phase::Asking;
        self.put(n, question);
    }

    fn question(&self, n: u32, about: About, text: String) -> Question {
        let tool = self.tool_in_use(n).map(|(_, tool)| Arc::clone(tool));
        let arguments = self.instance(n).arguments.clone().unwrap_or_default();
        Question {
            approval: String::new(),
            about,
            digest: self.call_digest(n, &arguments),
            tool: tool.as_ref().map(|tool| tool.id.clone()),
            effect: tool.as_ref().map(|tool| tool.effect),
            arguments,
            text,
            file: None,
            sensitive: false,
            always: about != About::Step && self.node(n).policy.approval == ApprovalRule::Always,
            schema: None,
            asked: None,
        }
    }

    /// Gives a question its name and opens it.
    pub(super) fn put(&mut self, n: u32, mut question: Question) {
        self.state.approvals_asked += 1;
        let approval = format!("a{}", self.state.approvals_asked);
        question.approval.clone_from(&approval);
        let node = self.node_ref(n);
        self.record(EntryKind::ApprovalRequested {
            node,
            request: Box::new(question.clone()),
        });
        self.state.approvals.insert(approval, Open { n, question });
    }

    /// Takes in which file an open question is about, as it was found and written down with it.
    pub fn bind_file(&mut self, written: &Question) {
        if let Some(open) = self.state.approvals.get_mut(&written.approval) {
            open.question.file.clone_from(&written.file);
            open.question.sensitive = written.sensitive;
        }
    }

    /// What an approval is bound to: the tool as defined, the exact arguments, the plan as it stands.
    pub(super) fn call_digest(&self, n: u32, arguments: &Value) -> String {
        let pin = self
            .tool_in_use(n)
            .map(|(_, tool)| tool.pin())
            .unwrap_or_default();
        digest::of_json(&(pin, arguments, self.dag.plan_version(), &*self.label(n)))
    }

    /// Whether an answer fits an open question.
    pub fn check_answer(&self, answer: &Answer) -> Result<(), AnswerError> {
        let open = self.state.approvals.get(&answer.approval);
        let open = open.ok_or_else(|| AnswerError::NotOpen(answer.approval.clone()))?;
        if open.question.digest != answer.digest {
            return Err(AnswerError::Changed(answer.approval.clone()));
        }
        let issued = self.issued_with(answer);
        if open.question.about == About::Tool {
            return Self::check_tool_answer(&open.question, &answer.decision, &issued);
        }
        if answer.decision == Decision::Dismiss {
            return Err(AnswerError::NoDismissal);
        }
        let (Decision::Edit(edited), About::Call | About::Failure | About::Doubt) =
            (&answer.decision, open.question.about)
        else {
            return Ok(());
        };
        let Some((index, _)) = self.tool_in_use(open.n) else {
            return Err(AnswerError::NoArguments);
        };
        match self.checks.input(index, edited, &issued) {
            Some(complaint) => Err(AnswerError::BadArguments(complaint)),
            None => Ok(()),
        }
    }

    /// The marks of the run, and those that an answer brings.
    fn issued_with(&self, answer: &Answer) -> Cow<'_, Issued> {
        if answer.marks.is_empty() {
            return Cow::Borrowed(&self.state.issued);
        }
        let mut issued = self.state.issued.clone();
        issued.extend(answer.marks.clone());
        Cow::Owned(issued)
    }

    pub(super) fn answered(&mut self, answer: Answer) {
        if self.check_answer(&answer).is_err() {
            return;
        }
        self.state.issued.extend(answer.marks.clone());
        let Some(Open { n, question }) = self.state.approvals.remove(&answer.approval) else {
            return;
        };
        let node = self.node_ref(n);
        self.record(EntryKind::ApprovalResolved {
            node,
            answer: Box::new(answer.clone()),
        });
        match (question.about, answer.decision) {
            (About::Tool, decision) => self.reply(n, &question, decision),
            (About::Step, decision) => self.finish_approve(n, decision, &answer.by, answer.note),
            (About::Failure, Decision::Approve) => self.begin_again(n, question.digest),
            (_, Decision::Approve) => self.allowed(n, question.arguments, question.file),
            (_, Decision::Edit(arguments)) => {
                self.instance_mut(n).edits += 1;
                // Whoever names another file need not know what is there.
                self.allowed(n, Arc::new(arguments), None);
            }
            (_, Decision::Done(value)) => {
                self.complete(n, Retained::new(Arc::new(value)), Origin::Person)
            }
            (About::Call, Decision::Deny) => {
                self.refuse(n, denied(&answer.by, answer.note.as_deref()));
            }
            (_, Decision::Deny) => self.fail(n, denied(&answer.by, answer.note.as_deref())),
            // Refused above.
            (_, Decision::Dismiss) => {}
        }
    }

    /// Yes to what is open and to what will be asked in this run.
    pub(super) fn allow_all(&mut self, by: &str) {
        self.record(EntryKind::AllAllowed { by: by.to_owned() });
        self.state.all_allowed = true;
        let open = self.questions().filter(|open| open.is_answered_by_all());
        let answers: Vec<Answer> = open
            .map(|question| Answer {
                approval: question.approval.clone(),
                decision: Decision::Approve,
                digest: question.digest.clone(),
                by: format!("{by} (all)"),
                note: None,
                marks: Issued::new(),
            })
            .collect();
        for answer in answers {
            self.answered(answer);
        }
    }

    /// The call may be made with exactly these arguments, and change exactly this file.
    fn allowed(&mut self, n: u32, arguments: Arc<Value>, may_replace: Option<String>) {
        let effect = self.effect_in_use(n);
        if self.consent(n, effect) == Consent::Deny {
            let message = format!("the policy forbids {effect} calls");
            return self.fail(n, ToolFailure::denied(message));
        }
        let digest = self.call_digest(n, &arguments);
        let instance = self.instance_mut(n);
        instance.arguments = Some(arguments);
        instance.allowed = Some(digest);
        instance.may_replace = may_replace;
        instance.tries = 0;
        self.enqueue(n);
    }

    /// What a call may change that the run did not make: by policy, or because a person has
    /// allowed exactly this call on exactly this file.
    pub(super) fn may_replace(&self, n: u32) -> MayReplace {
        let policy = self.state.options.approvals;
        let replace = self.consent_by(n, policy.replace);
        let asked = self.instance(n).may_replace.clone();
        MayReplace {
            any: replace == Consent::Allow,
            // What a step says of itself does not count for these places.
            sensitive: policy.sensitive == Consent::Allow,
            never_sensitive: policy.sensitive == Consent::Deny,
            file: asked.filter(|_| replace != Consent::Deny && self.is_allowed(n)),
        }
    }

    /// The call did nothing, because it would change a file that is not the run's own: a person
    /// is asked, about the file that it leads to now.
    pub(super) fn ask_to_replace(&mut self, n: u32, failure: ToolFailure) {
        // A call that did nothing uses up nothing.
        self.state.spent.calls = self.state.spent.calls.saturating_sub(1);
        let policy = self.state.options.approvals;
        let (file, sensitive) = (failure.replaces.clone(), failure.sensitive);
        let replace = self.consent_by(n, policy.replace);
        let is_denied =
            replace == Consent::Deny || (sensitive && policy.sensitive == Consent::Deny);
        let was_allowed = file
            .as_deref()
            .is_some_and(|file| self.may_replace(n).covers(file, sensitive));
        if is_denied || was_allowed || self.is_stopping(n) {
            return self.give_up(n, failure);
        }
        let tool = self.tool_in_use(n).map(|(_, tool)| tool.id.to_string());
        let tool = tool.unwrap_or_default();
        let text = format!("{}. May `{tool}` change it?", failure.message);
        let question = Question {
            file,
            sensitive,
            ..self.question(n, About::Call, text)
        };
        self.instance_mut(n).phase = Phase::Asking;
        self.put(n, question);
    }

    /// The step is tried once more from its beginning; the same call needs no second consent.
    fn begin_again(&mut self, n: u32, digest: String) {
        let instance = self.instance_mut(n);
        instance.allowed = Some(digest);
        instance.tool = 0;
        instance.tries = 0;
        instance.arguments = None;
        instance.inside = None;
        self.begin_work(n);
    }

    /// Whether a person has allowed exactly the call the instance is about to make.
    pub(super) fn is_allowed(&self, n: u32) -> bool {
        let instance = self.instance(n);
        let Some(allowed) = &instance.allowed else {
            return false;
        };
        let arguments = instance.arguments.clone().unwrap_or_default();
        *allowed == self.call_digest(n, &arguments)
    }

    fn finish_approve(&mut self, n: u32, decision: Decision, by: &str, note: Option<String>) {
        if self.state.options.approvals.steps == Consent::Deny {
            return self.give_up(n, ToolFailure::denied("the policy forbids it"));
        }
        let output = match decision {
            Decision::Deny | Decision::Dismiss => {
                return self.refuse(n, denied(by, note.as_deref()));
            }
            Decision::Approve => json!({"approved": true, "by": by, "note": note}),
            Decision::Edit(value) | Decision::Done(value) => {
                json!({"approved": true, "by": by, "note": note, "value": value})
            }
        };
        self.complete(n, Retained::new(Arc::new(output)), Origin::Person);
    }
}

fn denied(by: &str, note: Option<&str>) -> ToolFailure {
    let note = note.map(|note| format!(": {note}")).unwrap_or_default();
    ToolFailure::denied(format!("{by} said no{note}"))
}
