//! `holloway skills add`: a checked skill is copied to where it takes effect.

use std::path::{Path, PathBuf};

use clap::Args;
use holloway_store::skill_folder::{CopyError, copy_skill};
use serde_json::{Value, json};

use super::check::{checked, documents};
use super::remarks::{self, Placed, is_wrong};
use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::print;
use crate::print::paint::Paint;
use crate::session::Session;
use crate::skill_library;

/// Check skills and copy them to the project or the user
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A `SKILL.md`, its folder, or a folder of such folders
    path: String,
    /// For all projects of this user
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// For this project, in `.agents/skills`; that is where it goes if nothing is said
    #[arg(long)]
    project: bool,
    /// Put it in place of one of the same name
    #[arg(long)]
    replace: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let workbench = session.workbench(&Reach::default())?;
    let library = if arguments.user {
        skill_library::user_folder()?
    } else {
        skill_library::project_folder(&session.folder)
    };
    let mut remarks = Vec::new();
    let mut checked_skills = Vec::new();
    for document in documents(&arguments.path, session)? {
        let (skill, found) = checked(&document, &workbench.table);
        remarks.extend(found);
        checked_skills.extend(skill.map(|skill| (skill, source_of(&document.place))));
    }
    if !remarks.is_empty() && !session.json {
        print::note(&remarks::text(&remarks, &session.folder, Paint::stderr()));
    }
    if remarks.iter().any(is_wrong) {
        return Err(refused(&remarks, session.json));
    }
    let mut added: Vec<Value> = Vec::new();
    for (skill, source) in checked_skills {
        let target = copied(&source, &library, &skill.name, arguments.replace)?;
        if !session.json {
            print::result(&format!("added {} to {}", skill.name, target.display()))?;
        }
        added.push(json!({"name": skill.name, "place": target}));
    }
    if session.json {
        print::object(&json!({"added": added, "remarks": remarks::data(&remarks)}))?;
    }
    Ok(Exit::Done)
}

/// People have seen all remarks already; data has only this.
fn refused(remarks: &[Placed], json: bool) -> CliError {
    let wrong = remarks.iter().find(|remark| is_wrong(remark));
    let message = match wrong.filter(|_| json) {
        Some((place, remark)) => {
            format!(
                "nothing was added: {place}:{}: {}",
                remark.line, remark.message
            )
        }
        None => "nothing was added".to_owned(),
    };
    CliError::usage("skill-invalid", message).hint("mend what is wrong and add it again")
}

fn source_of(place: &str) -> PathBuf {
    let file = Path::new(place);
    file.parent().unwrap_or(file).to_path_buf()
}

fn copied(source: &Path, library: &Path, name: &str, replace: bool) -> Result<PathBuf, CliError> {
    if library
        .join(name)
        .canonicalize()
        .is_ok_and(|target| target == source)
    {
        let message = format!("`{name}` is there already, in this very folder");
        return Err(CliError::usage("skill-exists", message)
            .hint("there is nothing to do: it is in effect"));
    }
    copy_skill(source, library, name, replace).map_err(|error| match error {
        CopyError::Exists(_) => {
            let message = format!("{error} in {}", library.display());
            CliError::usage("skill-exists", message)
                .hint("add --replace to put this one in its place")
        }
        CopyError::NoFile(_) | CopyError::TooLarge => {
            CliError::usage("skill-invalid", format!("`{name}` was not copied: {error}"))
                .hint("leave only what the skill needs, as plain files")
        }
        CopyError::Disk(error) => {
            CliError::failed("store-disk", format!("`{name}` was not copied: {error}"))
                .hint("check that the folder may be written and the disk is not full")
        }
    })
}
