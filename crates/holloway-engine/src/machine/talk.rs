//! What does a tool say during its call, and what is it told? The call goes on
//! meanwhile; a question it leaves open is closed with it.

use std::sync::Arc;

use holloway_plan::digest;
use serde_json::{Value, json};

use super::Machine;
use super::approvals::AnswerError;
use super::state::{Open, Phase};
use crate::checks::{misfit, with_defaults};
use crate::entry::{About, Answer, Asked, Decision, EntryKind, Question};
use crate::event::Action;
use crate::mark::Issued;
use crate::ports::{ToolAnswer, ToolProgress, ToolQuestion};

impl Machine {
    /// Whether this very call is under way.
    fn makes(&self, n: u32, attempt: u32) -> bool {
        let known = self.state.instances.get(n as usize);
        known.is_some_and(|i| i.phase == Phase::Calling && i.attempt == attempt)
    }

    pub(super) fn call_progress(&mut self, n: u32, attempt: u32, report: ToolProgress) {
        if self.makes(n, attempt) {
            let node = self.node_ref(n);
            self.record(EntryKind::StepProgress {
                node,
                attempt,
                report,
            });
        }
    }

    pub(super) fn call_asks(&mut self, n: u32, asked: Asked, question: ToolQuestion) {
        if !self.makes(n, asked.attempt) {
            return;
        }
        let Some((_, tool)) = self.tool_in_use(n) else {
            return;
        };
        let arguments = self.instance(n).arguments.clone().unwrap_or_default();
        let call = self.call_digest(n, &arguments);
        let ToolQuestion { message, schema } = question;
        let question = Question {
            file: None,
            sensitive: false,
            always: false,
            approval: String::new(),
            about: About::Tool,
            tool: Some(tool.id.clone()),
            effect: Some(tool.effect),
            arguments,
            digest: digest::of_json(&(call, asked, &message, &schema)),
            text: message,
            schema: Some(Arc::new(schema)),
            asked: Some(asked),
        };
        self.state.tool_questions += 1;
        self.put(n, question);
    }

    /// The tool has thought better of it.
    pub(super) fn call_withdraws(&mut self, n: u32, asked: Asked) {
        let mut open = self.state.approvals.values();
        let found = open.find(|open| open.n == n && open.question.asked == Some(asked));
        if let Some(answer) = found.map(|open| dismissal(&open.question, "the tool withdrew it")) {
            self.answered(answer);
        }
    }

    /// Whether a tool can be given this answer.
    pub(super) fn check_tool_answer(
        question: &Question,
        decision: &Decision,
        issued: &Issued,
    ) -> Result<(), AnswerError> {
        let schema = question.schema.as_deref();
        let complaint = match decision {
            Decision::Deny | Decision::Dismiss => None,
            Decision::Approve => misfit(schema, &defaults(question), issued),
            Decision::Edit(content) | Decision::Done(content) => misfit(schema, content, issued),
        };
        match complaint {
            Some(complaint) => Err(AnswerError::BadAnswer(complaint)),
            None => Ok(()),
        }
    }

    /// Hands a person's word to the call that waits for it.
    pub(super) fn reply(&mut self, n: u32, question: &Question, decision: Decision) {
        self.state.tool_questions -= 1;
        let Some(asked) = question.asked else { return };
        let answer = match decision {
            Decision::Approve => ToolAnswer::Accept(Value::clone(&defaults(question))),
            Decision::Edit(content) | Decision::Done(content) => ToolAnswer::Accept(content),
            Decision::Deny => ToolAnswer::Decline,
            Decision::Dismiss => ToolAnswer::Cancel,
        };
        self.actions.push(Action::Reply { n, asked, answer });
    }

    /// The call is over, and so are the questions it has asked.
    pub(super) fn close_questions(&mut self, n: u32) {
        if self.state.tool_questions == 0 {
            return;
        }
        let of_call = |open: &&Open| open.n == n && open.question.about == About::Tool;
        let open = self.state.approvals.values().filter(of_call);
        let answers: Vec<Answer> = open
            .map(|open| dismissal(&open.question, "the call that asked is over"))
            .collect();
        for answer in answers {
            self.state.approvals.remove(&answer.approval);
            self.state.tool_questions -= 1;
            let node = self.node_ref(n);
            self.record(EntryKind::ApprovalResolved {
                node,
                answer: Box::new(answer),
            });
        }
    }
}

fn dismissal(question: &Question, note: &str) -> Answer {
    Answer {
        approval: question.approval.clone(),
        decision: Decision::Dismiss,
        digest: question.digest.clone(),
        by: "holloway".to_owned(),
        note: Some(note.to_owned()),
        marks: Issued::new(),
    }
}

/// What a plain yes means: every field that has a default, with its default.
fn defaults(question: &Question) -> Arc<Value> {
    with_defaults(&Arc::new(json!({})), question.schema.as_deref())
}
