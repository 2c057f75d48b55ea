//! With what is a server's program started? The command of its configuration,
//! secrets filled in, an environment that holds only what was given.

use std::io;
use std::path::{Path, PathBuf};

use holloway_flow::catalog::SourceId;
use tokio::process::{Child, Command};

use super::McpConfig;
use super::surroundings::{Launch, McpSurroundings};
use crate::sandbox::Warden;
use crate::secrets::{MissingSecret, SecretText};
use crate::sources::{SourceError, SourceErrorKind};

/// A program ready to be started, and who watches it if it is confined.
pub(super) struct Ready {
    pub(super) command: Command,
    pub(super) watch: Option<Box<Watch>>,
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
            watch: Some(Box::new(watch)),
        });
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
        watch: None,
    })
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
