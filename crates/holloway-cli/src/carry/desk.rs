//! Where is the person in front of this process asked? At the desk: one question
//! after the other, answered by a key; questions that others answer disappear.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use holloway_engine::driver::Control;
use holloway_engine::entry::{About, Answer, Decision, Question, RunId};
use holloway_plan::tool::ToolTable;
use holloway_tools::secrets::given::GivenSecrets;
use serde_json::Value;

use super::edit::edit;
use super::form;
use super::keys::{self, Keys};
use super::leaving::Leaving;
use super::pile::Pile;
use super::question;
use crate::print::note;
use crate::print::paint::Paint;
use crate::run_name;
use crate::schema_check::complaint;
use crate::screen::SharedScreen;
use crate::secret_answers;
use crate::workbench::Workbench;

/// How often the desk looks whether a question is still open.
const LOOK_EVERY: Duration = Duration::from_millis(60);

/// A thread that asks.
pub(super) struct Desk {
    pile: Arc<Pile>,
    thread: Option<JoinHandle<()>>,
}

impl Desk {
    pub(super) fn open(
        run: &RunId,
        control: Control,
        leaving: Leaving,
        screen: SharedScreen,
        workbench: &Workbench,
        secrets: GivenSecrets,
        stays: bool,
    ) -> Self {
        let pile = Arc::new(Pile::default());
        let clerk = Clerk {
            run: run.clone(),
            pile: Arc::clone(&pile),
            control,
            leaving,
            screen,
            tools: workbench.table.clone(),
            secrets,
            stays,
            yes_to_all: false,
        };
        let thread = std::thread::spawn(move || clerk.work());
        Self {
            pile,
            thread: Some(thread),
        }
    }

    pub(super) fn ask(&self, question: Question) {
        self.pile.add(question);
    }

    /// Everything else has been answered or is of no interest any more.
    pub(super) fn keep_only<'a>(&self, open: impl Iterator<Item = &'a str>) {
        self.pile.keep_only(open);
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.pile.close();
        // The thread gives the terminal back before the program goes on.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread's side.
struct Clerk {
    run: RunId,
    pile: Arc<Pile>,
    control: Control,
    leaving: Leaving,
    screen: SharedScreen,
    tools: ToolTable,
    /// What is typed and must not be written down.
    secrets: GivenSecrets,
    /// Also without a terminal, until somebody answers elsewhere.
    stays: bool,
    /// Said here; the run keeps it in its journal.
    yes_to_all: bool,
}

impl Clerk {
    fn work(mut self) {
        while let Some(question) = self.pile.next() {
            // The run itself answers these from here on.
            if self.yes_to_all && question.is_answered_by_all() {
                self.pile.remove(&question.approval);
                continue;
            }
            let paint = Paint::stderr();
            let text = question::describe(&question, paint);
            let run = paint.dim(&format!("  run        {}", self.run));
            self.screen.say(&format!("{text}\n{run}"));
            if self.ask(&question).is_err() {
                // The terminal is gone. Nobody would know that the run waits here; paused, it can
                // be answered and gone on with from anywhere.
                self.pile.remove(&question.approval);
                if !self.stays {
                    self.leaving.begin();
                    self.control.pause("the terminal is gone");
                }
            }
            self.screen.lock().prompt(None);
        }
    }

    /// Waits for a key that answers, or for somebody else's answer.
    fn ask(&mut self, question: &Question) -> std::io::Result<()> {
        // Other arguments, until the person says that the call is to be made with them.
        let mut changed: Option<Value> = None;
        // What was typed before the question was there answers nothing.
        let mut keys = Keys::take()?;
        self.prompt(question, false);
        while self.pile.is_open(&question.approval) {
            let Some(key) = Keys::next(LOOK_EVERY)? else {
                continue;
            };
            let decision = match (meaning(question.about, key), changed.take()) {
                (Some(Key::Says(Decision::Approve)), Some(arguments)) => {
                    Some(Decision::Edit(arguments))
                }
                (Some(Key::Says(decision)), _) => Some(decision),
                (Some(Key::All), None) => {
                    self.yes_to_all = true;
                    self.answer(question, Decision::Approve, "user (all)");
                    self.control.allow_all("user");
                    return Ok(());
                }
                (Some(Key::Writes(what)), before) => {
                    drop(keys);
                    let decision = match what {
                        Writing::Arguments => {
                            changed = self.changed(question, before);
                            None
                        }
                        Writing::Result => self.given(question).map(Decision::Done),
                        Writing::Fields => self.filled(question).map(Decision::Edit),
                    };
                    keys = Keys::take()?;
                    self.prompt(question, changed.is_some());
                    decision
                }
                // Yes to all that follows is no word about arguments that were just changed.
                (Some(Key::All) | None, before) => {
                    changed = before;
                    None
                }
            };
            if let Some(decision) = decision {
                self.answer(question, decision, "user");
                return Ok(());
            }
        }
        Ok(())
    }

    fn prompt(&self, question: &Question, is_changed: bool) {
        let keys = question::keys(question, is_changed, Paint::stderr());
        self.screen.lock().prompt(Some(keys));
    }

    /// Other arguments than those that were asked about, from the editor. They are shown, because
    /// the call is asked about once more.
    fn changed(&self, question: &Question, before: Option<Value>) -> Option<Value> {
        let known = before.as_ref().unwrap_or(&question.arguments);
        let Some(after) = self.written(known) else {
            return before;
        };
        if after == *known {
            self.screen.say("  nothing was changed");
            return before;
        }
        if after == *question.arguments {
            self.screen.say("  the arguments are as they were");
            return None;
        }
        let Some(after) = self.fitting(question, after) else {
            return before;
        };
        let paint = Paint::stderr();
        self.screen.say(&question::describe_changed(&after, paint));
        Some(after)
    }

    /// The result in place of a call. Closing the editor is not yet saying that it was done.
    fn given(&self, question: &Question) -> Option<Value> {
        let given = self.written(&Value::Null)?;
        if given.is_null() {
            let (run, approval) = (&self.run, &question.approval);
            self.screen.say(&format!(
                "  no result was given; done without one is said by: holloway runs approve {run} {approval} --done null"
            ));
            return None;
        }
        Some(given)
    }

    /// Arguments as they may be written down, if they fit the tool.
    fn fitting(&self, question: &Question, value: Value) -> Option<Value> {
        let tool = question.tool.as_ref().and_then(|tool| self.tools.get(tool));
        match tool.and_then(|tool| complaint(&tool.input_schema, &value, &self.secrets.issued())) {
            Some(complaint) => {
                self.screen.say(&format!(
                    "  these arguments do not fit the tool: {complaint}"
                ));
                None
            }
            None => secret_answers::taken_in(value, question, &self.tools, &self.secrets)
                .map_err(|_| {
                    self.screen
                        .say("  no mark could be made for a secret in it")
                })
                .ok(),
        }
    }

    /// What the editor makes of a value.
    fn written(&self, value: &Value) -> Option<Value> {
        self.screen.lock().hold(true);
        let edited = edit(value, || !self.pile.is_closed());
        self.screen.lock().hold(false);
        edited
            .map_err(|reason| self.screen.say(&format!("  {reason}")))
            .ok()
    }

    /// What a tool asks for, line by line.
    fn filled(&self, question: &Question) -> Option<Value> {
        let schema = question.schema.as_deref()?;
        self.screen.lock().hold(true);
        let filled = form::fill(
            schema,
            |prompt| keys::ask(prompt, LOOK_EVERY, || self.pile.is_open(&question.approval)),
            note,
        );
        self.screen.lock().hold(false);
        let mut filled = filled?;
        for field in form::fields(schema)
            .iter()
            .filter(|field| field.is_hidden())
        {
            if let Some(value) = filled.get_mut(field.name()) {
                let number = run_name::random().ok()?;
                let mark = self.secrets.take(field.name(), number, value.take());
                *value = Value::String(mark);
            }
        }
        Some(filled)
    }

    fn answer(&self, question: &Question, decision: Decision, by: &str) {
        self.pile.remove(&question.approval);
        self.control.answer(Answer {
            approval: question.approval.clone(),
            decision,
            digest: question.digest.clone(),
            by: by.to_owned(),
            note: None,
            marks: self.secrets.issued(),
        });
    }
}

/// What a key does.
enum Key {
    Says(Decision),
    /// Yes to this question and all that follow.
    All,
    /// Takes more than a key.
    Writes(Writing),
}

/// What a person writes.
enum Writing {
    /// Other arguments.
    Arguments,
    /// The result instead of a call.
    Result,
    /// What a tool asks for.
    Fields,
}

fn meaning(about: About, key: char) -> Option<Key> {
    match about {
        About::Call | About::Step => match key {
            'y' => Some(Key::Says(Decision::Approve)),
            'n' => Some(Key::Says(Decision::Deny)),
            'a' => Some(Key::All),
            'e' if about == About::Call => Some(Key::Writes(Writing::Arguments)),
            _ => None,
        },
        About::Tool => match key {
            'a' => Some(Key::Writes(Writing::Fields)),
            'd' => Some(Key::Says(Decision::Deny)),
            'c' => Some(Key::Says(Decision::Dismiss)),
            _ => None,
        },
        About::Failure | About::Doubt => match key {
            'a' => Some(Key::Says(Decision::Approve)),
            'd' => Some(Key::Writes(Writing::Result)),
            'f' => Some(Key::Says(Decision::Deny)),
            _ => None,
        },
    }
}
