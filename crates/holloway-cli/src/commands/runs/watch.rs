//! `holloway runs watch`: follow a run that another process carries out, as if
//! it were carried out here.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use holloway_engine::entry::{EndStatus, Entry, EntryKind, RunId};
use holloway_engine::progress::Progress;
use holloway_engine::replay::Replay;
use holloway_flow::stored_plan::StoredPlan;
use holloway_plan::compile::compile;
use holloway_store::Store;

use super::history;
use crate::arguments::Reach;
use crate::carry::{describe_question, status_word, ways_to_answer};
use crate::error::{CliError, Exit};
use crate::print;
use crate::print::paint::Paint;
use crate::run_name;
use crate::screen::{self, SharedScreen};
use crate::session::Session;

const LOOK_EVERY: Duration = Duration::from_millis(60);

/// Follow a run until it ends or its process leaves it
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let store = session.store()?;
    let run = run_name::find(&arguments.run, session)?.run;
    let mut follower = Follower {
        replay: from_the_start(&run, session),
        screen: screen::choose(session.json, false),
        json: session.json,
        seen: 0,
        run,
    };
    let end = follower.follow(store)?;
    follower.screen.lock().close();
    Ok(follower.tell(end))
}

/// How following ended.
enum End {
    Over(EndStatus),
    /// No process carries the run out any more.
    Left,
}

struct Follower {
    run: RunId,
    /// Counts along, if the run's tools are still what they were.
    replay: Option<Replay>,
    screen: SharedScreen,
    json: bool,
    seen: u64,
}

impl Follower {
    fn follow(&mut self, store: &Store) -> Result<End, CliError> {
        let mut watch = store.watch()?;
        loop {
            // Asked before the entries are read: what an owner wrote last is then among them.
            let owned = store.owner(&self.run)?.is_some();
            for entry in self.news(store)? {
                self.show(&entry);
                if let EntryKind::ExecutionComplete { status, .. } = entry.kind {
                    return Ok(End::Over(status));
                }
            }
            if !owned {
                return Ok(End::Left);
            }
            while !watch.changed()? && store.owner(&self.run)?.is_some() {
                std::thread::sleep(LOOK_EVERY);
            }
        }
    }

    fn news(&mut self, store: &Store) -> Result<Vec<Entry>, CliError> {
        let entries = store.entries(&self.run, self.seen)?;
        self.seen = entries.last().map_or(self.seen, |entry| entry.seq);
        Ok(entries)
    }

    fn show(&mut self, entry: &Entry) {
        if self
            .replay
            .as_mut()
            .is_some_and(|replay| replay.take(entry).is_err())
        {
            self.replay = None;
        }
        let progress = || {
            let replay = self.replay.as_ref();
            replay
                .map(|replay| replay.machine().progress())
                .unwrap_or_default()
        };
        let progress: &dyn Fn() -> Progress = &progress;
        self.screen.lock().entry(entry, progress);
        if let (EntryKind::ApprovalRequested { request, .. }, false) = (&entry.kind, self.json) {
            let question = describe_question(request, Paint::stderr());
            self.screen.say(&format!(
                "{question}\n{}",
                ways_to_answer(request, &self.run)
            ));
        }
    }

    fn tell(&self, end: End) -> Exit {
        let run = &self.run;
        let (exit, words) = match end {
            End::Over(EndStatus::Succeeded) => (Exit::Done, format!("succeeded · run {run}")),
            End::Over(status) => (Exit::Failed, format!("{} · run {run}", status_word(status))),
            End::Left => (
                Exit::Done,
                format!("nobody carries out run {run} now; go on with: holloway runs resume {run}"),
            ),
        };
        if !self.json {
            print::note(&words);
        }
        exit
    }
}

/// The run before its first entry.
fn from_the_start(run: &RunId, session: &Session) -> Option<Replay> {
    let workbench = history::workbench_for(run, &Reach::default(), session).ok()?;
    let store = session.store().ok()?;
    let stored = store.plan_of(run).ok()?;
    let (plan, stored) = StoredPlan::restore(stored, &workbench.table, &session.limits).ok()?;
    let names: Vec<&str> = stored.context.iter().map(String::as_str).collect();
    let dag = compile(&plan, &names, &session.limits).ok()?;
    Replay::new(Arc::new(dag), Some(Arc::new(store.clone()))).ok()
}
