//! `holloway skills check`: can these skills be used, and could they be better?

use std::path::{Path, PathBuf};

use clap::Args;
use holloway_flow::skills::check::unknown_tools;
use holloway_flow::skills::{Document, FILE, Origin, Remark, Skill, SkillLibrary as _, read};
use holloway_plan::tool::ToolTable;
use holloway_store::skill_folder::SkillFolder;
use serde_json::json;

use super::remarks::{self, Placed, is_wrong};
use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::from_here::from_here;
use crate::print::paint::Paint;
use crate::print::{self, units};
use crate::session::Session;
use crate::skill_library;

/// Check skills: all in effect, or those of a folder
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A `SKILL.md`, its folder, or a folder of such folders
    path: Option<String>,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&Reach::default())?;
    let (count, remarks) = match &arguments.path {
        Some(path) => {
            let documents = documents(path, session)?;
            let read = documents
                .iter()
                .map(|document| checked(document, &workbench.table));
            let (skills, remarks): (Vec<Option<Skill>>, Vec<Vec<Placed>>) = read.unzip();
            (skills.len(), remarks.concat())
        }
        None => in_effect(&workbench.table, session)?,
    };
    let ok = !remarks.iter().any(is_wrong);
    if session.json {
        print::object(&json!({"ok": ok, "skills": count, "remarks": remarks::data(&remarks)}))?;
    } else {
        if !remarks.is_empty() {
            print::note(&remarks::text(&remarks, &session.folder, Paint::stderr()));
        }
        print::result(&verdict(count, &remarks))?;
    }
    Ok(if ok { Exit::Done } else { Exit::Usage })
}

fn verdict(count: usize, remarks: &[Placed]) -> String {
    let skills = units::count(count, "skill");
    let wrong = remarks.iter().filter(|remark| is_wrong(remark)).count();
    match (wrong, remarks.len()) {
        (0, 0) => format!("{skills} checked: nothing to remark"),
        (0, all) => format!("{skills} checked: {all} to improve"),
        (wrong, all) => format!(
            "{skills} checked: {wrong} wrong, {} to improve",
            all - wrong
        ),
    }
}

fn in_effect(tools: &ToolTable, session: &Session) -> Result<(usize, Vec<Placed>), CliError> {
    let skills = skill_library::skills(session)?;
    let mut remarks = skills.remarks().to_vec();
    for skill in skills.iter() {
        let unknown = unknown_tools(skill, tools);
        remarks.extend(
            unknown
                .into_iter()
                .map(|remark| (skill.place.clone(), remark)),
        );
    }
    Ok((skills.iter().count(), remarks))
}

/// A skill with all that is to be said about it.
pub(super) fn checked(document: &Document, tools: &ToolTable) -> (Option<Skill>, Vec<Placed>) {
    let reading = read(document);
    let found = reading.skill.iter().chain(&reading.unusable);
    let unknown = found.flat_map(|skill| unknown_tools(skill, tools));
    let mut remarks: Vec<Remark> = reading.remarks.iter().cloned().chain(unknown).collect();
    remarks.sort_by_key(|remark| remark.line);
    let placed = remarks
        .into_iter()
        .map(|remark| (document.place.clone(), remark));
    let placed = placed.collect();
    (reading.skill, placed)
}

/// The skills that a path means.
pub(super) fn documents(path: &str, session: &Session) -> Result<Vec<Document>, CliError> {
    let folder = folder_of(&from_here(&session.folder, path), path)?;
    if folder.join(FILE).symlink_metadata().is_ok() {
        return Ok(vec![SkillFolder::single(&folder, Origin::Project)]);
    }
    let documents = SkillFolder::new(folder, Origin::Project).documents();
    if documents.is_empty() {
        let message = format!("there is no skill in `{path}`");
        return Err(CliError::usage("skill-unknown", message)
            .hint("name a folder that holds a SKILL.md, or a folder of such folders"));
    }
    Ok(documents)
}

/// The folder itself: its name counts, so `.` will not do.
fn folder_of(path: &Path, typed: &str) -> Result<PathBuf, CliError> {
    let is_file = path.file_name().is_some_and(|name| name == FILE) && !path.is_dir();
    let folder = if is_file {
        path.parent().unwrap_or(path)
    } else {
        path
    };
    folder.canonicalize().map_err(|error| {
        CliError::usage(
            "file-unreadable",
            format!("{typed} cannot be read: {error}"),
        )
        .hint("name a folder that holds a SKILL.md, or the file itself")
    })
}
