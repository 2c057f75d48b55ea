//! `file-move`: this file under another path, and no longer under its own. Within a file system it
//! is renamed; between two it is copied whole before it goes.
//! Invariant: at every moment the file is whole under one of its paths.

use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use cap_std::fs::MetadataExt as _;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest, Changed, MayReplace};
use holloway_plan::tool::{Effect, ToolSpec};
use serde_json::{Value, json};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::made::Made;
use super::super::stamp::Stamp;
use super::super::{Grants, Tool, arguments};
use super::copy::{Arguments, Source, refuse_same};
use super::place::{ALLOWS_REPLACING, ALLOWS_SENSITIVE};
use super::replacement::{Over, rename};
use super::{Access, Last, Place, locate_last, locate_target};

pub(crate) struct Move {
    grants: Arc<Grants>,
    made: Arc<Made>,
}

impl Move {
    pub(crate) fn new(grants: &Arc<Grants>, made: &Arc<Made>) -> Self {
        Self {
            grants: Arc::clone(grants),
            made: Arc::clone(made),
        }
    }
}

#[async_trait]
impl Tool for Move {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "file-move",
            title: "Move a file",
            category: "files",
            description: "Moves one file in granted, writable folders to another path, or renames it, and creates missing folders \
                on the way. The file is gone from its old path. Use it to rename, sort or archive files; `file-copy` keeps \
                the old one. Folders and links are not moved. Between two file systems the file is copied, up to the \
                granted size. Returns the new path, the old one, and the size in bytes.",
            effect: Effect::Destructive,
            latency_ms: 10,
            input: input(
                &["from", "to"],
                json!({
                    "from": {"type": "string", "minLength": 1, "description": "The file; relative to a granted folder, or absolute inside one"},
                    "to": {"type": "string", "minLength": 1, "description": "The new path, or a folder in which the name is kept; relative to a granted folder, or absolute inside one"}
                }),
            ),
            output: output(
                &["path", "from", "bytes"],
                json!({
                    "path": {"type": "string", "description": "Where the file is now"},
                    "from": {"type": "string", "description": "Where it was"},
                    "bytes": {"type": "integer", "description": "Size of the file"}
                }),
            ),
            example: json!({"from": "a.txt", "to": "archive/a.txt"}),
            does: &["move file:from -> file:path with to=target.path to=target.folder"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let (grants, made) = (Arc::clone(&self.grants), Arc::clone(&self.made));
        let call = call.clone();
        blocking(move || shift(&grants, &made, &arguments, &call).map(CallOutput::from)).await
    }
}

fn shift(
    grants: &Grants,
    made: &Arc<Made>,
    arguments: &Arguments,
    call: &CallRequest,
) -> Result<Value, ToolFailure> {
    let from = locate_last(grants, &arguments.from, Access::Write, Last::Keep)?;
    let bytes = size_of_file(&from)?;
    let name = Path::new(&arguments.from).file_name();
    let target = locate_target(grants, &arguments.to, name)?;
    let to = &target.place;
    to.refuse_folder()?;
    refuse_same(&from, to)?;
    let shifting = Shifting {
        from: &from,
        to,
        made,
        call,
    };
    shifting.run(grants.max_bytes)?;
    Ok(json!({ "path": target.path, "from": arguments.from, "bytes": bytes }))
}

fn size_of_file(from: &Place) -> Result<u64, ToolFailure> {
    let found = from.directory.symlink_metadata(&from.relative);
    let found = found.map_err(|error| from.failure(&error))?;
    let shown = from.shown();
    if found.is_symlink() {
        let message = format!("`{shown}` is a link, and only files are moved");
        return Err(ToolFailure::permanent(message).with_hint("name the file that it leads to"));
    }
    if found.is_dir() {
        let message = format!("`{shown}` is a folder, and only files are moved");
        return Err(ToolFailure::permanent(message).with_hint("move the files in it one by one"));
    }
    from.require_file()?;
    Ok(found.len())
}

/// A file on its way to another path.
struct Shifting<'a> {
    from: &'a Place,
    to: &'a Place,
    made: &'a Arc<Made>,
    call: &'a CallRequest,
}

impl Shifting<'_> {
    fn run(&self, limit: u64) -> Result<(), ToolFailure> {
        let over = self.allowed()?;
        let was_own = self.made.has(&self.call.run, self.from);
        match self.rename(over) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                self.carry(over, limit)?;
            }
            done => done.map_err(|error| self.failure(&error))?,
        }
        self.made.forget(&self.call.run, self.from);
        // Somebody's file is somebody's where it is now.
        self.made.forget(&self.call.run, self.to);
        if was_own {
            drop(self.made.write(&self.call.run, self.to));
        }
        let synced = self.to.sync_parent().and_then(|()| self.from.sync_parent());
        synced.map_err(|error| self.to.failure(&error).happened())
    }

    fn rename(&self, over: Over) -> io::Result<()> {
        let from = self.from.directory.dir_metadata()?.dev();
        if from != self.to.directory.dir_metadata()?.dev() {
            // Known before any folder is made.
            return Err(io::ErrorKind::CrossesDevices.into());
        }
        self.to.make_parents()?;
        let name = self.from.relative.as_os_str();
        rename(&self.from.directory, name, self.to, over)
    }

    /// To another file system: the file goes when its copy is safe.
    fn carry(&self, over: Over, limit: u64) -> Result<(), ToolFailure> {
        let before = Stamp::of(&self.from.real);
        let source = Source::open(self.from, limit)?;
        let copy = source.copy_beside(self.to, &self.call.key)?;
        if before.is_none() || before != Stamp::of(&self.from.real) {
            let shown = self.from.shown();
            let message = format!("`{shown}` was changed while it was moved");
            return Err(ToolFailure::transient(message));
        }
        self.to.create_parents()?;
        let settled = copy.settle(over).and_then(|()| self.to.sync_parent());
        settled.map_err(|error| self.failure(&error))?;
        let gone = self.from.directory.remove_file(&self.from.relative);
        gone.map_err(|error| {
            let (from, to) = (self.from.shown(), self.to.shown());
            let message =
                format!("`{from}` was copied to `{to}` and could not be deleted: {error}");
            ToolFailure::permanent(message).happened()
        })
    }

    fn failure(&self, error: &io::Error) -> ToolFailure {
        // It has appeared since the call was allowed, and may be somebody's.
        let is_new = error.kind() == io::ErrorKind::AlreadyExists;
        let asked = is_new.then(|| self.allowed().err()).flatten();
        asked.unwrap_or_else(|| self.to.failure(error))
    }

    /// What may be written over. One question asks about both files, because one yes is good for
    /// one call.
    fn allowed(&self) -> Result<Over, ToolFailure> {
        let is_there = self.to.exists();
        let unasked = CallRequest {
            may_replace: MayReplace {
                file: None,
                ..self.call.may_replace.clone()
            },
            ..self.call.clone()
        };
        let gone = self.from.may_change(&unasked, self.made, true);
        let replaced = self.to.may_change(&unasked, self.made, is_there);
        match (gone, replaced) {
            (Ok(()), Ok(())) => {}
            _ if self.is_yes_to_both() => {}
            (Err(_), Ok(())) => self.from.may_change(self.call, self.made, true)?,
            (Ok(()), Err(_)) => self.to.may_change(self.call, self.made, is_there)?,
            (Err(_), Err(_)) => return Err(self.ask_about_both()),
        }
        Ok(if is_there {
            Over::Anything
        } else {
            Over::Nothing
        })
    }

    fn is_yes_to_both(&self) -> bool {
        let may_replace = &self.call.may_replace;
        let is_sensitive = self.from.is_sensitive() || self.to.is_sensitive();
        let is_forbidden = is_sensitive && may_replace.never_sensitive;
        !is_forbidden && may_replace.file == Some(both(self.from, self.to))
    }

    fn ask_about_both(&self) -> ToolFailure {
        let both = both(self.from, self.to);
        if let Some(what) = self.from.sensitive.or(self.to.sensitive) {
            return ToolFailure::would_touch_sensitive(both, what).with_hint(ALLOWS_SENSITIVE);
        }
        let (from, to) = (self.from.file(), self.to.file());
        let message = format!("`{from}` would be gone and `{to}` replaced; this run made neither");
        let asked = ToolFailure {
            message,
            ..ToolFailure::would_replace(both)
        };
        asked.with_hint(ALLOWS_REPLACING)
    }
}

/// Two files as one question shows them and its answer repeats them.
fn both(from: &Place, to: &Place) -> String {
    format!("{} and {}", from.file(), to.file())
}

/// What a call would change, as far as its arguments are known.
pub(crate) fn would_change(
    grants: &Grants,
    from: Option<&str>,
    to: Option<&str>,
) -> Option<Changed> {
    let is_asked_about = |place: &Place| place.is_sensitive() || place.exists();
    let source = from.and_then(|path| {
        let place = locate_last(grants, path, Access::Write, Last::Keep).ok()?;
        is_asked_about(&place).then_some((path, place))
    });
    let name = from.and_then(|from| Path::new(from).file_name());
    let target = to.and_then(|to| locate_target(grants, to, name).ok());
    let target = target.filter(|target| is_asked_about(&target.place));
    match (source, target) {
        (Some((path, from)), Some(to)) => Some(Changed {
            path: format!("{path} and {}", to.path),
            file: both(&from, &to.place),
            sensitive: from.is_sensitive() || to.place.is_sensitive(),
        }),
        (Some((path, from)), None) => Some(from.changed(path)),
        (None, to) => to.map(|to| to.place.changed(&to.path)),
    }
}

#[cfg(test)]
mod tests;
