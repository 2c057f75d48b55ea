//! Which skills are there? Those that ship, the user's, the project's, each over the one
//! before.

use std::path::{Path, PathBuf};

use holloway_flow::skills::shipped::Shipped;
use holloway_flow::skills::{Origin, SkillLibrary, Skills};
use holloway_store::skill_folder::SkillFolder;

use crate::config::{self, Project};
use crate::error::CliError;
use crate::session::Session;

/// Where agents keep skills, beside a project or a home.
const FOLDER: &str = ".agents/skills";

/// The skills in effect.
pub(crate) fn skills(session: &Session) -> Result<Skills, CliError> {
    let project = project_folder(&session.folder);
    let mut folders: Vec<SkillFolder> = Vec::new();
    for folder in user_folders()? {
        // In the home of a user both are the same folder.
        if folder != project {
            folders.push(SkillFolder::new(folder, Origin::User));
        }
    }
    folders.push(SkillFolder::new(project, Origin::Project));
    let mut libraries: Vec<&dyn SkillLibrary> = vec![&Shipped];
    libraries.extend(folders.iter().map(|folder| folder as &dyn SkillLibrary));
    Ok(Skills::gather(&libraries))
}

/// The weaker first: what other agents share, then our own.
fn user_folders() -> Result<Vec<PathBuf>, CliError> {
    let shared = etcetera::home_dir().ok().map(|home| home.join(FOLDER));
    Ok(shared.into_iter().chain([user_folder()?]).collect())
}

/// Where skills for all projects are put.
pub(crate) fn user_folder() -> Result<PathBuf, CliError> {
    Ok(config::data_folder()?.join("skills"))
}

/// Where the skills of the project stand: beside its `holloway.toml`, or else at its root. A folder
/// further up is none of the project, and anybody could have put skills into it.
pub(crate) fn project_folder(folder: &Path) -> PathBuf {
    Project::around(folder).folder().join(FOLDER)
}
