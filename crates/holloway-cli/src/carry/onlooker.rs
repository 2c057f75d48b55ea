//! Who sees the entries of a run as they are written? The screen, the desk where
//! a person is asked, and whatever must be known at the end.

use std::sync::Arc;

use holloway_engine::driver::{Control, Observer};
use holloway_engine::entry::{About, Answer, Decision, Entry, EntryKind, Question, RunId};
use holloway_engine::machine::Machine;
use holloway_engine::mark::Issued;
use holloway_flow::outcome::answers_of;
use holloway_flow::outcome::harvest::Harvest;
use holloway_flow::run_store::{Message, RunStore};
use holloway_plan::path::Path;
use holloway_store::Store;
use serde_json::Value;

use super::desk::Desk;
use super::leaving::Leaving;
use super::question;
use crate::failure_words::Troubles;
use crate::print::paint::Paint;
use crate::screen::SharedScreen;
use crate::secret_answers::SecretAnswers;

pub(super) struct Onlooker {
    run: RunId,
    screen: SharedScreen,
    desk: Option<Desk>,
    control: Control,
    /// Set when the process is not to wait for people: where their answers arrive.
    answers: Option<Store>,
    pause_asked: bool,
    leaving: Leaving,
    /// Which results are the answer, as the plan says.
    answer: Vec<Path>,
    results: Vec<Arc<Value>>,
    harvest: Harvest,
    troubles: Troubles,
    secret_answers: SecretAnswers,
}

impl Onlooker {
    pub(super) fn new(
        run: &RunId,
        screen: &SharedScreen,
        desk: Option<Desk>,
        control: Control,
        leaving: Leaving,
        answers: Option<Store>,
        secret_answers: SecretAnswers,
    ) -> Self {
        Self {
            run: run.clone(),
            screen: screen.clone(),
            desk,
            control,
            answers,
            pause_asked: false,
            leaving,
            answer: Vec::new(),
            results: Vec::new(),
            harvest: Harvest::default(),
            troubles: Troubles::default(),
            secret_answers,
        }
    }

    /// What the run brought in before this process took it up.
    pub(super) fn recall(&mut self, before: &[Entry]) {
        for entry in before {
            self.harvest.take(entry);
            self.troubles.take(entry);
        }
    }

    /// Questions from before this process took the run up.
    pub(super) fn ask_again(&self, open: &[Question]) {
        for question in open {
            self.ask(question);
        }
    }

    fn ask(&self, question: &Question) {
        match &self.desk {
            Some(desk) => desk.ask(question.clone()),
            None if self.answers.is_some() && question.about == About::Tool => {
                self.control.answer(declined(question));
            }
            None if self.answers.is_some() => {}
            None => {
                let text = question::from_elsewhere(question, &self.run, Paint::stderr());
                self.screen.say(&text);
            }
        }
    }

    /// What the plan was for, once the run has ended.
    /// Takes these results of the plan for its answer; the last one where there are none.
    pub(super) fn answers_with(mut self, answer: &[String]) -> Self {
        self.answer = answer.iter().filter_map(|text| Path::parse(text)).collect();
        self
    }

    /// Notes from here on what goes wrong.
    pub(super) fn with_troubles(mut self, troubles: Troubles) -> Self {
        self.troubles = troubles;
        self
    }

    /// What went wrong.
    pub(super) fn troubles(&self) -> &Troubles {
        &self.troubles
    }

    pub(super) fn results(&self) -> &[Arc<Value>] {
        &self.results
    }

    /// Whether the plan itself says what its answer is.
    pub(super) fn knows_answer(&self) -> bool {
        !self.answer.is_empty()
    }

    /// What the run brought in.
    pub(super) fn harvest(&self) -> &Harvest {
        &self.harvest
    }

    pub(super) fn close(&mut self) {
        self.desk = None;
    }
}

impl Observer for Onlooker {
    fn entry(&mut self, entry: &Entry, machine: &Machine) {
        self.leaving.note(machine);
        let not_called = &machine.state().effects;
        if matches!(entry.kind, EntryKind::ExecutionComplete { .. }) && !not_called.is_empty() {
            self.screen.lock().not_called(not_called);
        }
        self.screen.lock().entry(entry, &|| machine.progress());
        self.harvest.take(entry);
        self.troubles.take(entry);
        self.secret_answers.take_up(entry);
        match &entry.kind {
            EntryKind::ApprovalRequested { request, .. } => self.ask(request),
            EntryKind::ExecutionComplete { .. } => {
                self.results = answers_of(machine, &self.answer);
                self.harvest.read_large(&machine.outputs());
            }
            _ => {}
        }
        if let Some(desk) = &self.desk {
            desk.keep_only(
                machine
                    .questions()
                    .map(|question| question.approval.as_str()),
            );
        }
        if !self.pause_asked && machine.waits_for_people() && self.nobody_has_answered(machine) {
            self.pause_asked = true;
            self.control.pause("waiting for approval");
        }
    }
}

impl Onlooker {
    /// Whether to stop waiting: no answer that fits is on its way.
    fn nobody_has_answered(&self, machine: &Machine) -> bool {
        let Some(store) = &self.answers else {
            return false;
        };
        let messages = RunStore::messages(store, &self.run, 0).unwrap_or_default();
        !messages.iter().any(|(_, message)| match message {
            Message::Answer(answer) => machine.check_answer(answer).is_ok(),
            Message::Pause { .. } | Message::Cancel { .. } => true,
        })
    }
}

/// A call that asks cannot be put aside until somebody comes.
fn declined(question: &Question) -> Answer {
    Answer {
        approval: question.approval.clone(),
        decision: Decision::Deny,
        digest: question.digest.clone(),
        by: "holloway".to_owned(),
        note: Some("nobody is waited for".to_owned()),
        marks: Issued::new(),
    }
}
