//! How does this process carry out a run? Claims it, drives it, shows it, asks
//! the person in front of it, listens to signals, and says how it came to rest.

mod answer;
mod desk;
pub(crate) mod edit;
mod ending;
pub(crate) mod form;
pub(crate) mod interrupts;
pub(crate) mod keys;
mod leaving;
mod onlooker;
mod pile;
mod question;
mod signals;

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use holloway_engine::driver::{Control, Nobody, Report};
use holloway_engine::entry::{About, Question, RunId};
use holloway_engine::machine::Machine;
use holloway_flow::prepare::Ready;
use holloway_flow::runner::Runner;
use holloway_store::{Claim, Message, Store};
use holloway_tools::clock::SystemClock;
use holloway_tools::secrets::given::{GivenSecrets, Revealing};

use crate::arguments::Manner;
use crate::error::{CliError, Exit};
use crate::failure_words::Troubles;
use crate::model::counter;
use crate::runtime;
use crate::screen::{self, SharedScreen};
use crate::secret_answers::SecretAnswers;
use crate::workbench::Workbench;
use desk::Desk;
use ending::Tone;
use leaving::Leaving;
use onlooker::Onlooker;
use signals::{Signals, Stop};

pub(crate) use ending::{shown as shown_result, status_word};
pub(crate) use question::{describe as describe_question, ways as ways_to_answer};

/// How long calls that are left under way have to stop their children.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A run that is this process's to carry out.
pub(crate) struct Carrier<'a> {
    pub(crate) run: RunId,
    pub(crate) store: &'a Store,
    pub(crate) workbench: &'a Workbench,
    /// What it is given and must not be written down.
    pub(crate) secrets: GivenSecrets,
    pub(crate) manner: &'a Manner,
    pub(crate) json: bool,
    pub(crate) verbose: bool,
    pub(crate) ending: Ending,
    /// It was begun before: under which terms is settled.
    pub(crate) resumed: bool,
    /// Held until the run has come to rest.
    pub(crate) claim: Claim,
}

/// What is said when a run has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The result of the plan, as it is.
    #[default]
    Result,
    /// An answer for the person who asked: what came out, which files there are, what
    /// it cost, what was left out.
    Answer,
}

/// How a run that this process carried out ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    /// There was something in what came out.
    pub(crate) brought_something: bool,
}

/// How a run came to rest in this process.
enum Outcome {
    Rested(Box<Report>),
    /// The person did not want to wait for the calls under way.
    Stopped,
    /// Paused during calls that wait for an answer nobody is here to give.
    Left,
}

impl Carrier<'_> {
    /// Carries the run out until it ends or pauses.
    pub(crate) fn carry_out(self, ready: Ready) -> Result<Ended, CliError> {
        let runtime = runtime::new(2)?;
        let workbench = self.workbench;
        let ended = runtime.block_on(async {
            workbench.warm_up(&ready.plan);
            let ended = self.conduct(ready).await;
            // Servers that do not end politely are killed with the runtime.
            tokio::time::timeout(LAST_WORDS, workbench.close())
                .await
                .ok();
            ended
        });
        // Calls that were left under way are dropped, but must not hold the program up.
        runtime.shutdown_timeout(LAST_WORDS);
        ended
    }

    /// Questions from before that nobody has answered meanwhile.
    fn unanswered(&self, machine: &Machine) -> Result<Vec<Question>, CliError> {
        let messages = self.store.take(&self.run, 0)?;
        let answered = |question: &&Question| {
            messages.iter().any(|(_, message)| match message {
                Message::Answer(answer) => {
                    answer.approval == question.approval && machine.check_answer(answer).is_ok()
                }
                Message::Pause { .. } | Message::Cancel { .. } => false,
            })
        };
        // Whatever a tool asked, it asked a process that is gone.
        let allowed =
            |question: &&Question| self.resumed && self.manner.yes && question.is_answered_by_all();
        let open = machine.questions().filter(|question| {
            question.about != About::Tool && !answered(question) && !allowed(question)
        });
        Ok(open.cloned().collect())
    }

    /// Takes a last event to the run that ends it, without a word.
    pub(crate) fn end(self, ready: Ready) -> Result<(), CliError> {
        let running = self.runner().start(&self.run, ready);
        runtime::run(running.finish(&mut Nobody))??;
        Ok(())
    }

    fn runner(&self) -> Runner {
        Runner {
            tools: Arc::new(Revealing {
                tools: Arc::new(self.workbench.toolbox.clone()),
                secrets: self.secrets.clone(),
                table: self.workbench.table.clone(),
            }),
            clock: Arc::new(SystemClock),
            store: Arc::new(self.store.clone()),
            counter: counter(),
        }
    }

    async fn conduct(self, ready: Ready) -> Result<Ended, CliError> {
        let open = self.unanswered(&ready.machine)?;
        let screen = screen::choose(self.json, self.manner.quiet);
        let before = self.store.entries(&self.run, 0)?;
        self.workbench.toolbox.recall(&self.run, &before);
        for entry in &before {
            screen.lock().recall(entry);
        }
        let answer = ready.plan.draft().answer.clone();
        let troubles = Troubles::of(&ready.plan);
        let running = self.runner().start(&self.run, ready);
        let control = running.control();
        let leaving = Leaving::default();
        let desk = self.desk(&control, &leaving, &screen);
        let answers = (!self.waits()).then(|| self.store.clone());
        let mut secret_answers =
            SecretAnswers::new(self.workbench.table.clone(), self.secrets.clone());
        for entry in &before {
            secret_answers.take_up(entry);
        }
        let mut onlooker = Onlooker::new(
            &self.run,
            &screen,
            desk,
            control.clone(),
            leaving.clone(),
            answers,
            secret_answers,
        )
        .answers_with(&answer)
        .with_troubles(troubles);
        onlooker.recall(&before);
        onlooker.ask_again(&open);
        let mut signals = Signals::listen(&screen, control, leaving.clone())?;
        let outcome = tokio::select! {
            report = running.finish(&mut onlooker) => report.map(Box::new).map(Outcome::Rested),
            Stop = signals.second() => Ok(Outcome::Stopped),
            () = leaving.held_up() => Ok(Outcome::Left),
        };
        onlooker.close();
        screen.lock().close();
        self.tell(outcome?, &onlooker, signals.heard())
    }

    fn tell(
        self,
        outcome: Outcome,
        onlooker: &Onlooker,
        interrupted: bool,
    ) -> Result<Ended, CliError> {
        let waits = self.waits();
        drop(self.claim);
        let tone = Tone {
            json: self.json,
            quiet: self.manner.quiet,
            waits: waits || interrupted,
            told_not_to_wait: self.manner.no_wait,
            all_allowed: self.manner.yes,
            resumed: self.resumed,
            failure: onlooker.troubles().told(&self.run, self.verbose),
            ending: self.ending,
        };
        let results = onlooker.results();
        // What the plan calls its answer needs no other.
        let mut harvest = onlooker.harvest().clone();
        if onlooker.knows_answer() {
            harvest.leave_to_answer();
        }
        let harvest = &harvest;
        let brought_something = !holloway_flow::outcome::is_empty(results, harvest);
        let exit = match outcome {
            Outcome::Rested(report) => ending::tell(&report, results, harvest, &tone),
            Outcome::Stopped => ending::tell_stopped(&self.run, self.json),
            Outcome::Left => ending::tell_paused(&self.run, self.json),
        };
        exit.map(|exit| Ended {
            exit,
            brought_something,
        })
    }

    /// Whether a person sits in front of this process.
    fn someone_is_here(&self) -> bool {
        let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        terminal && !self.json
    }

    /// Whether approvals are waited for. Where nobody can be asked, somebody has to wish it: a
    /// script would hang, and nobody would know why.
    fn waits(&self) -> bool {
        !self.manner.no_wait && (self.manner.wait || self.someone_is_here())
    }

    /// Somebody to ask, if a person sits in front of this process.
    fn desk(&self, control: &Control, leaving: &Leaving, screen: &SharedScreen) -> Option<Desk> {
        let wanted = self.someone_is_here() && self.waits();
        wanted.then(|| {
            Desk::open(
                &self.run,
                control.clone(),
                leaving.clone(),
                screen.clone(),
                self.workbench,
                self.secrets.clone(),
                self.manner.wait,
            )
        })
    }
}
