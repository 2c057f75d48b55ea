//! What is the launcher told? The confinement, as JSON in one variable of its own
//! environment, which no other user can read. Arguments would show up in `ps`, and
//! an inherited file would reach whatever else is started at the same moment.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::{Confinement, Kind, Sandbox, SandboxError, Share};

/// The variable; the confined program never sees it.
pub(super) const VARIABLE: &str = "HOLLOWAY_CONFINED";

/// Linux takes no more than 128 KiB in one variable.
const LONGEST: usize = 120 << 10;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) kind: Kind,
    /// The process whose end ends the sandbox.
    pub(super) parent: u32,
    pub(super) launcher: Text,
    pub(super) bubblewrap: Option<Text>,
    /// Nothing is started; being able to is the answer.
    pub(super) probe: bool,
    pub(super) program: Text,
    pub(super) arguments: Vec<Text>,
    pub(super) folder: Text,
    pub(super) readable: Vec<Text>,
    pub(super) writable: Vec<Text>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) network: bool,
    pub(super) share: Share,
    /// Whether the program is held to its share; one that is only attended is not.
    pub(super) limited: bool,
}

/// A path or an argument: text where it is text, else its bytes.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Text {
    Plain(String),
    Bytes(Vec<u8>),
}

impl Text {
    pub(super) fn new(text: impl Into<OsString>) -> Self {
        match text.into().into_string() {
            Ok(plain) => Self::Plain(plain),
            Err(other) => Self::Bytes(other.into_vec()),
        }
    }

    pub(super) fn os(&self) -> OsString {
        match self {
            Self::Plain(plain) => OsString::from(plain),
            Self::Bytes(bytes) => OsString::from_vec(bytes.clone()),
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(self.os())
    }
}

impl Order {
    pub(super) fn new(sandbox: &Sandbox, confinement: &Confinement) -> Self {
        let paths = |paths: &[PathBuf]| paths.iter().map(Text::new).collect();
        Self {
            kind: sandbox.kind,
            parent: std::process::id(),
            launcher: Text::new(&sandbox.launcher),
            bubblewrap: sandbox.bubblewrap.as_ref().map(Text::new),
            probe: false,
            program: Text::new(&confinement.program),
            arguments: confinement.arguments.iter().map(Text::new).collect(),
            folder: Text::new(&confinement.folder),
            readable: paths(&confinement.readable),
            writable: paths(&confinement.writable),
            environment: confinement
                .environment
                .iter()
                .map(|(name, value)| (name.clone(), value.reveal().to_owned()))
                .collect(),
            network: confinement.network,
            share: confinement.share,
            limited: true,
        }
    }

    /// The launcher, told to play this role.
    pub(super) fn launch(&self, role: &str) -> Result<Command, SandboxError> {
        let mut command = Command::new(self.launcher.path());
        command
            .arg("confined")
            .arg(role)
            .env_clear()
            .env(VARIABLE, self.write()?);
        Ok(command)
    }

    pub(super) fn write(&self) -> Result<String, SandboxError> {
        let text = serde_json::to_string(self).map_err(|_| too_large())?;
        if text.len() > LONGEST {
            return Err(too_large());
        }
        Ok(text)
    }

    /// `None` for anything that the launcher was not told by us.
    pub(super) fn read(text: &Path) -> Option<Self> {
        serde_json::from_slice(text.as_os_str().as_bytes()).ok()
    }
}

fn too_large() -> SandboxError {
    SandboxError::new(
        format!("arguments and environment together are larger than {LONGEST} bytes"),
        "put large values into a file in a readable folder",
    )
}
