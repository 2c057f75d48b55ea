//! With what is a server's program started? The command of its configuration,
//! secrets filled in, an environment that holds only what was given.

use std::io;
use std::path::{Path, PathBuf};

use holloway_flow::catalog::SourceId;
use rustix::fs::{Access, access};
use tokio::process::{Child, Command};

use super::McpConfig;
use super::surroundings::{Launch, McpSurroundings};
use crate::sandbox::{Attendant, Confinement, Warden};
use crate::{SourceError, SourceErrorKind};
use holloway_tools::secrets::{MissingSecret, SecretText};

/// Where programs are looked for when the environment does not say.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A program ready to be started, and how its end is seen to.
pub(super) struct Ready {
    pub(super) command: Command,
    pub(super) care: Care,
}

/// Who sees to it that nothing of a program is left.
pub(super) enum Care {
    /// Its sandbox, and a warden who watches what it uses.
    Warden(Box<Watch>),
    /// A keeper, who adopts whatever the program starts.
    Attendant,
    /// Nobody else: its process group is ended.
    Group,
}

pub(super) type Watch = dyn FnOnce(&Child) -> Warden + Send;

/// The command, ready to be started.
pub(super) async fn command(
    id: &SourceId,
    config: &McpConfig,
    surroundings: &McpSurroundings,
) -> Result<Ready, SourceError> {
    let launch = launch(id, config, surroundings)?;
    prepare(id, &launch.folder, config.cwd.is_empty()).await?;
    if config.sandbox {
        let sandbox = surroundings.sandbox.as_ref().ok_or_else(|| {
            SourceError::new(
                SourceErrorKind::Sandbox,
                format!("`{id}` must run in the sandbox, and there is none"),
                "install bubblewrap, or set `sandbox` to false if you trust this server",
            )
        })?;
        let (command, watch) = sandbox(config, &launch)?.into_parts();
        return Ok(Ready {
            command,
            care: Care::Warden(Box::new(watch)),
        });
    }
    if let Some(attendant) = &surroundings.attendant {
        // The launcher always starts, so what it would start is looked for here.
        runnable(&launch).map_err(|error| not_started(id, config, &error))?;
        return attended(attendant, launch);
    }
    let mut command = Command::new(&launch.program);
    command
        .args(launch.arguments.iter().map(SecretText::reveal))
        .current_dir(&launch.folder)
        .env_clear();
    for (name, value) in &launch.environment {
        command.env(name, value.reveal());
    }
    Ok(Ready {
        command,
        care: Care::Group,
    })
}

fn attended(attendant: &Attendant, launch: Launch) -> Result<Ready, SourceError> {
    let arguments = launch.arguments.iter().map(SecretText::reveal);
    let program = Confinement {
        arguments: arguments.map(Into::into).collect(),
        program: launch.program.into(),
        folder: launch.folder,
        environment: launch.environment,
        ..Confinement::default()
    };
    let command = attendant
        .command(&program)
        .map_err(|error| SourceError::new(SourceErrorKind::Start, error.message, error.hint))?;
    Ok(Ready {
        command,
        care: Care::Attendant,
    })
}

/// Whether the program is there and may be run.
fn runnable(launch: &Launch) -> io::Result<()> {
    let program = Path::new(&launch.program);
    let path = launch.environment.iter().find(|(name, _)| name == "PATH");
    let path = path.map_or(DEFAULT_PATH, |(_, value)| value.reveal());
    let candidates: Vec<PathBuf> = if program.components().count() > 1 {
        vec![launch.folder.join(program)]
    } else {
        let folders = path.split(':').filter(|folder| !folder.is_empty());
        folders
            .map(|folder| Path::new(folder).join(program))
            .collect()
    };
    let files: Vec<_> = candidates.iter().filter(|file| file.is_file()).collect();
    let may_run = |file: &&PathBuf| access(file.as_path(), Access::EXEC_OK).is_ok();
    match files.first() {
        None => Err(io::ErrorKind::NotFound.into()),
        Some(_) if files.iter().any(may_run) => Ok(()),
        Some(_) => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

fn launch(
    id: &SourceId,
    config: &McpConfig,
    surroundings: &McpSurroundings,
) -> Result<Launch, SourceError> {
    let fill = |text: &str| {
        surroundings
            .secrets
            .resolve(text)
            .map_err(|missing| not_set(id, &missing))
    };
    let mut environment: Vec<(String, SecretText)> = surroundings
        .environment
        .iter()
        .filter(|(name, _)| !config.env.contains_key(name))
        .map(|(name, value)| (name.clone(), SecretText::new(value)))
        .collect();
    for (name, value) in &config.env {
        environment.push((name.clone(), fill(value)?));
    }
    let arguments = config.args.iter().map(|argument| fill(argument));
    let folder = if config.cwd.is_empty() {
        surroundings.data_folder.clone()
    } else {
        PathBuf::from(fill(&config.cwd)?.reveal())
    };
    Ok(Launch {
        program: fill(&config.command)?.reveal().to_owned(),
        arguments: arguments.collect::<Result<_, _>>()?,
        environment,
        folder,
    })
}

async fn prepare(id: &SourceId, folder: &Path, ours: bool) -> Result<(), SourceError> {
    if ours {
        tokio::fs::create_dir_all(folder).await.ok();
    }
    if tokio::fs::metadata(folder)
        .await
        .is_ok_and(|found| found.is_dir())
    {
        return Ok(());
    }
    Err(SourceError::new(
        SourceErrorKind::Start,
        format!(
            "`{id}` starts in `{}`, which is no folder",
            folder.display()
        ),
        "make the folder, or change `cwd`",
    ))
}

pub(super) fn not_set(id: &SourceId, missing: &MissingSecret) -> SourceError {
    SourceError::new(
        SourceErrorKind::Secret,
        format!("`{id}` needs the secret `{}`, which is not set", missing.0),
        format!("set `{}` in the environment or in the secrets", missing.0),
    )
}

pub(super) fn not_started(id: &SourceId, config: &McpConfig, error: &io::Error) -> SourceError {
    let program = &config.command;
    let (message, hint) = match error.kind() {
        io::ErrorKind::NotFound => (
            format!("`{id}` did not start: the program `{program}` was not found"),
            format!("install `{program}`, or give its full path as `command`"),
        ),
        io::ErrorKind::PermissionDenied => (
            format!("`{id}` did not start: `{program}` may not be run"),
            "check that the file is a program and may be run".to_owned(),
        ),
        _ => (
            format!("`{id}` did not start: {error}"),
            "check `command` and `args`".to_owned(),
        ),
    };
    SourceError::new(SourceErrorKind::Start, message, hint)
}
