//! Which sandbox works on this machine? Each kind is tried for real: a program that
//! is installed may still be forbidden to make namespaces.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::order::Order;
use super::{Confinement, Kind, Sandbox, SandboxError, files, launcher};

/// What the user wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wish {
    /// Bubblewrap, else landlock, else nothing runs.
    #[default]
    Strict,
    /// This kind and no other.
    Only(Kind),
    /// The user said that programs may run without walls where there are none.
    IfPossible,
}

/// Where systems put bubblewrap.
const USUAL: &[&str] = &["/usr/bin", "/bin", "/usr/local/bin"];

impl Sandbox {
    /// The launcher is a program that hands its arguments after `confined` to
    /// [`confined_main`](super::confined_main).
    pub fn find(launcher: PathBuf, wish: Wish) -> Result<Self, SandboxError> {
        Self::find_in(launcher, wish, USUAL.iter().map(PathBuf::from))
    }

    /// Looks for bubblewrap in these folders.
    pub fn find_in(
        launcher: PathBuf,
        wish: Wish,
        folders: impl IntoIterator<Item = PathBuf>,
    ) -> Result<Self, SandboxError> {
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        let attempt = |kind| try_kind(&launcher, kind, &folders);
        let walls = || {
            attempt(Kind::Bubblewrap).or_else(|bubblewrap| {
                attempt(Kind::Landlock).map_err(|landlock| neither(&bubblewrap, &landlock))
            })
        };
        match wish {
            Wish::Only(kind) => attempt(kind),
            Wish::Strict => walls(),
            Wish::IfPossible => walls().or_else(|_| attempt(Kind::Unsandboxed)),
        }
    }
}

fn try_kind(launcher: &Path, kind: Kind, folders: &[PathBuf]) -> Result<Sandbox, SandboxError> {
    let mut sandbox = Sandbox {
        kind,
        launcher: launcher.to_owned(),
        bubblewrap: None,
        description: "none".to_owned(),
    };
    match kind {
        Kind::Bubblewrap => {
            let program = look_for("bwrap", folders)?;
            sandbox.description = version(&program);
            sandbox.bubblewrap = Some(program);
        }
        Kind::Landlock => {
            let abi =
                files::available().map_or_else(|| "too old".to_owned(), |abi| format!("ABI {abi}"));
            sandbox.description = format!("landlock ({abi})");
        }
        Kind::Unsandboxed => {}
    }
    probe(&sandbox)?;
    Ok(sandbox)
}

fn look_for(program: &str, folders: &[PathBuf]) -> Result<PathBuf, SandboxError> {
    let found = folders.iter().map(|folder| folder.join(program));
    let mut found = found.filter(|path| path.is_absolute() && path.is_file());
    found
        .next()
        .ok_or_else(|| SandboxError::new("bubblewrap is not installed", "install `bubblewrap`"))
}

fn version(program: &Path) -> String {
    let output = Command::new(program).arg("--version").env_clear().output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).trim().to_owned();
    if text.is_empty() {
        "bubblewrap".to_owned()
    } else {
        text
    }
}

/// All that is done to start a program, but without one.
fn probe(sandbox: &Sandbox) -> Result<(), SandboxError> {
    let order = Order {
        probe: true,
        ..Order::new(sandbox, &Confinement::default())
    };
    let output = order.launch(launcher::HOLD)?.stdin(Stdio::null()).output();
    let said = match output {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(error) => format!("{}: {error}", sandbox.launcher.display()),
    };
    let said = said.lines().next().unwrap_or("it said nothing").to_owned();
    Err(SandboxError::new(
        format!("{} does not work here: {said}", sandbox.description),
        "see whether the system allows unprivileged user namespaces",
    ))
}

fn neither(bubblewrap: &SandboxError, landlock: &SandboxError) -> SandboxError {
    SandboxError::new(
        format!("there is no sandbox for foreign programs: {bubblewrap}; {landlock}"),
        "install `bubblewrap`, or allow programs to run without a sandbox in the configuration",
    )
}
