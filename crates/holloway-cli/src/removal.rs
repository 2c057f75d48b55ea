//! Which runs may go, and what goes with them? A run that waits, is paused or was interrupted goes
//! only by force, and one that a process carries out not at all.

use std::collections::BTreeSet;

use holloway_engine::entry::RunId;
use holloway_store::{RunFilter, RunStatus, RunSummary, Store, StoreError};
use serde::Serialize;

use crate::config::Retention;
use crate::error::CliError;
use crate::print::units;
use crate::session::{Session, now_ms};
use crate::standing::Standing;

/// Which runs are meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Runs whose last entry is older, and of these all but the newest so many of all runs.
    pub(crate) retention: Retention,
    /// Only runs that stand so; those that have ended where none is named.
    pub(crate) statuses: BTreeSet<String>,
    pub(crate) plan: Option<String>,
    /// Not this one, whatever else is said.
    pub(crate) but: Option<RunId>,
}

/// A run that is meant, and the word for how it stands.
#[derive(Debug, Serialize)]
pub(crate) struct Chosen {
    pub(crate) run: RunId,
    pub(crate) plan_id: String,
    #[serde(rename = "standing")]
    pub(crate) word: &'static str,
    pub(crate) updated_ms: u64,
    /// It has ended: nothing is lost that could go on.
    #[serde(skip)]
    has_ended: bool,
}

/// What was removed.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Removed {
    pub(crate) runs: Vec<RunId>,
    /// Runs that a process carries out.
    pub(crate) busy: Vec<RunId>,
    /// Large results that nothing refers to any more.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// Large results stay for now, because another process has the store open.
    pub(crate) postponed: bool,
}

impl Chosen {
    pub(crate) fn of(summary: RunSummary, store: &Store) -> Result<Self, CliError> {
        let has_ended = has_ended(summary.status);
        let (run, plan_id) = (summary.run.clone(), summary.plan_id.clone());
        let updated_ms = summary.updated_ms;
        let word = if has_ended {
            summary.status.as_str()
        } else {
            Standing::of(summary, store)?.word
        };
        Ok(Self {
            run,
            plan_id,
            word,
            updated_ms,
            has_ended,
        })
    }

    /// Refuses what somebody may still want to go on with.
    pub(crate) fn refuse_unended(&self) -> Result<(), CliError> {
        if self.has_ended {
            return Ok(());
        }
        let message = format!("run {} is {}, and could still go on", self.run, self.word);
        Err(CliError::usage("run-unended", message).hint(format!(
            "end it with `holloway runs cancel {}`, or remove it as it is with --force",
            self.run
        )))
    }
}

/// A damaged run has an end of no kind.
fn has_ended(status: RunStatus) -> bool {
    status.is_end() && status != RunStatus::Damaged
}

/// The runs that a choice means, the newest first.
pub(crate) fn chosen(choice: &Choice, store: &Store) -> Result<Vec<Chosen>, CliError> {
    let filter = RunFilter {
        status: None,
        plan_id: choice.plan.clone(),
        limit: i64::MAX as usize,
    };
    let kept = choice.retention.keep.unwrap_or(0);
    let before = choice.retention.before(now_ms());
    let mut found = Vec::new();
    for summary in store.runs(&filter)?.into_iter().skip(kept) {
        let may_go_on = choice.statuses.is_empty() && !has_ended(summary.status);
        if choice.but.as_ref() == Some(&summary.run)
            || may_go_on
            || before.is_some_and(|before| summary.updated_ms >= before)
        {
            continue;
        }
        let run = Chosen::of(summary, store)?;
        if choice.statuses.is_empty() || choice.statuses.contains(run.word) {
            found.push(run);
        }
    }
    Ok(found)
}

/// Removes runs with all that is theirs; those that a process carries out stay.
pub(crate) fn remove(runs: &[Chosen], store: &Store) -> Result<Removed, CliError> {
    let mut removed = Removed::default();
    let mut had_large = false;
    for Chosen { run, .. } in runs {
        let claim = match store.claim(run, "holloway runs prune") {
            Ok(claim) => claim,
            Err(StoreError::Owned { .. }) => {
                removed.busy.push(run.clone());
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        had_large |= store.refers_to_blobs(run)?;
        match store.remove_run(&claim) {
            // Somebody else was quicker.
            Ok(()) | Err(StoreError::UnknownRun { .. }) => removed.runs.push(run.clone()),
            Err(error) => return Err(error.into()),
        }
    }
    if had_large {
        let collected = store.collect_blobs()?;
        removed.files = collected.files;
        removed.bytes = collected.bytes;
        removed.postponed = collected.postponed;
    }
    Ok(removed)
}

/// Removes what the configuration does not want kept, after this run has ended.
pub(crate) fn keep_to_retention(ended: RunId, session: &Session) -> Result<(), CliError> {
    let retention = session.config()?.settings.retention.clone();
    if retention.is_empty() {
        return Ok(());
    }
    let store = session.store()?;
    let choice = Choice {
        retention,
        but: Some(ended),
        ..Choice::default()
    };
    remove(&chosen(&choice, store)?, store).map(drop)
}

impl Removed {
    /// What was removed, in one sentence.
    pub(crate) fn sentence(&self) -> String {
        let runs = units::count(self.runs.len(), "run");
        if self.files == 0 {
            return format!("removed {runs}");
        }
        let files = units::count(self.files as usize, "large result");
        format!("removed {runs} and {files} ({})", units::bytes(self.bytes))
    }

    /// What stays and why.
    pub(crate) fn notes(&self) -> Vec<String> {
        let busy = self.busy.iter().map(|run| {
            format!("run {run} stays, because a process carries it out; end it with `holloway runs cancel {run}`")
        });
        let postponed = "large results stay for now, because another process has the store open; \
             the next `holloway runs prune` removes them";
        let postponed = self.postponed.then(|| postponed.to_owned());
        busy.chain(postponed).collect()
    }
}
