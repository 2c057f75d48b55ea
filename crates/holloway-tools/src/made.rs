//! Which files has a run made? Those it may change without a question; everything else
//! that is there belongs to somebody.

use std::collections::BTreeMap;
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cap_std::fs::OpenOptions;
use holloway_engine::entry::{Entry, EntryKind, Origin, RunId};
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::Changed;
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::Value;

use super::Grants;
use super::files::{Access, Last, Place, Target, locate, locate_last, locate_target, moving};
use super::stamp::Stamp;
use super::ungranted::Given;

/// The clock of the file system may be behind by so much.
const CLOCKS_DIFFER_MS: u64 = 50;

/// Files by the run that made them, under their resolved paths.
#[derive(Debug, Default)]
pub(crate) struct Made(Mutex<BTreeMap<(RunId, PathBuf), Own>>);

/// A file of a run. What another program has put in its place, or changed, is not the run's.
#[derive(Debug, Default)]
struct Own {
    /// How it was when the last call of the run had done with it.
    left: Option<Stamp>,
    /// Calls of the run that are writing now.
    writers: usize,
}

/// A call is writing a file of its run. How it leaves the file is noted at the end.
#[derive(Debug)]
pub(crate) struct Writing {
    made: Arc<Made>,
    file: (RunId, PathBuf),
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(own) = self.made.files().get_mut(&self.file) {
            own.writers = own.writers.saturating_sub(1);
            own.left = Stamp::of(&self.file.1);
        }
    }
}

impl Made {
    /// A thread that broke while writing left the map whole.
    fn files(&self) -> MutexGuard<'_, BTreeMap<(RunId, PathBuf), Own>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the file is the run's. Asked for when the call may write, and before it does.
    pub(crate) fn write(self: &Arc<Self>, run: &RunId, place: &Place) -> Writing {
        self.begin(&mut self.files(), run, place)
    }

    fn begin(
        self: &Arc<Self>,
        files: &mut BTreeMap<(RunId, PathBuf), Own>,
        run: &RunId,
        place: &Place,
    ) -> Writing {
        let file = (run.clone(), place.real.clone());
        files.entry(file.clone()).or_default().writers += 1;
        Writing {
            made: Arc::clone(self),
            file,
        }
    }

    /// A file that is not the run's any more.
    pub(crate) fn forget(&self, run: &RunId, place: &Place) {
        self.files().remove(&(run.clone(), place.real.clone()));
    }

    /// Whether the run made what is there.
    pub(crate) fn has(&self, run: &RunId, place: &Place) -> bool {
        let files = self.files();
        let own = files.get(&(run.clone(), place.real.clone()));
        own.is_some_and(|own| {
            let is_as_left = || own.left.is_some() && own.left == Stamp::of(&place.real);
            own.writers > 0 || is_as_left()
        })
    }

    /// Makes an empty file for the run, with the folders above it, if there is none.
    /// Another call of the run sees the file only once it is noted.
    pub(crate) fn create(
        self: &Arc<Self>,
        run: &RunId,
        place: &Place,
    ) -> Result<Option<Writing>, ToolFailure> {
        place.create_parents()?;
        let mut files = self.files();
        let created = place.open(OpenOptions::new().write(true).create_new(true));
        match created {
            Ok(_) => Ok(Some(self.begin(&mut files, run, place))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(place.failure(&error)),
        }
    }

    /// Puts a new file in its place for the run, unless something is there. Another call of the
    /// run sees the file only once it is noted.
    pub(crate) fn put(
        self: &Arc<Self>,
        run: &RunId,
        place: &Place,
        rename: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<Option<Writing>> {
        let mut files = self.files();
        match rename() {
            Ok(()) => Ok(Some(self.begin(&mut files, run, place))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A file as a call left it that was done at this time. One that was changed afterwards is
    /// not the run's.
    fn recall_one(&self, run: &RunId, place: &Place, during: RangeInclusive<u64>) {
        let file = (run.clone(), place.real.clone());
        let begun = during.start().saturating_sub(CLOCKS_DIFFER_MS);
        let left = Stamp::of(&place.real)
            .filter(|stamp| stamp.is_older(*during.end()) && !stamp.is_older(begun));
        self.files().insert(file, Own { left, writers: 0 });
    }

    /// What the journal of a run says it has made. A call without an end may not have come to
    /// writing, so what is there may still be somebody else's.
    pub(crate) fn recall(&self, run: &RunId, entries: &[Entry], grants: &Grants) {
        let mut making: BTreeMap<u32, (Option<String>, u64)> = BTreeMap::new();
        for entry in entries {
            match &entry.kind {
                EntryKind::StepStart {
                    node,
                    call: Some(call),
                } if call.tool.source() == "builtin"
                    && matches!(call.effect, Effect::Idempotent | Effect::Write) =>
                {
                    making.insert(node.n, (path_in(call.input.value()), entry.at));
                }
                EntryKind::StepComplete {
                    node,
                    output,
                    origin: Origin::Call,
                    ..
                } => {
                    let Some((given, begun)) = making.remove(&node.n) else {
                        continue;
                    };
                    let path = path_in(output.value()).or(given);
                    let place = path.and_then(|path| locate(grants, &path, Access::Write).ok());
                    // Where a link leads now is not where it led then.
                    if let Some(place) = place.filter(|place| !place.has_links()) {
                        self.recall_one(run, &place, begun..=entry.at);
                    }
                }
                _ => {}
            }
        }
    }
}

fn path_in(value: Option<&Arc<Value>>) -> Option<String> {
    Some(value?.get("path")?.as_str()?.to_owned())
}

/// What a call of a tool that changes files would change, if a person may be asked about it.
pub(crate) fn changed(grants: &Grants, tool: &ToolSpec, arguments: &Value) -> Option<Changed> {
    if tool.effect == Effect::Read {
        return None;
    }
    let given = Given::of(tool, arguments);
    if tool.effect == Effect::Destructive && (given.from.is_some() || given.to.is_some()) {
        return moving::would_change(grants, given.from, given.to);
    }
    // What is deleted is the link itself.
    let last = match tool.effect {
        Effect::Destructive => Last::Keep,
        _ => Last::Follow,
    };
    let target = match (given.path, given.to) {
        (Some(path), _) => {
            let place = locate_last(grants, path, Access::Write, last).ok()?;
            let path = path.to_owned();
            Target { place, path }
        }
        (None, to) => locate_target(grants, to?, given.name()).ok()?,
    };
    let Target { place, path } = target;
    (place.is_sensitive() || place.exists()).then(|| place.changed(&path))
}

#[cfg(test)]
mod tests;
