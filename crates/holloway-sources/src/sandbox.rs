//! How is foreign code kept in? A program is started with nothing but what its
//! confinement names: files, environment, network, and a share of the machine.
//!
//! Invariant: without a sandbox nothing is started, unless the user said so.

mod attend;
mod bubblewrap;
mod check;
mod enter;
mod files;
mod find;
mod hold;
mod launcher;
mod order;
mod syscalls;
mod system;
mod tree;
mod warden;

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tokio::process::{Child, Command};

use holloway_tools::secrets::SecretText;

pub use attend::{Attendant, Attended};
pub use find::Wish;
pub use launcher::confined_main;
pub(crate) use system::is_program as is_system_program;
pub use warden::{Exceeded, Warden};

use order::Order;

/// What a program is started with, and all it sees.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    /// A path, or a name looked up in the `PATH` of the environment below.
    pub program: OsString,
    pub arguments: Vec<OsString>,
    /// Where it starts; must be below something readable or writable.
    pub folder: PathBuf,
    /// Beyond the system's own programs and libraries.
    pub readable: Vec<PathBuf>,
    pub writable: Vec<PathBuf>,
    /// The whole environment.
    pub environment: Vec<(String, SecretText)>,
    pub network: bool,
    pub share: Share,
}

/// How much of the machine all processes of one sandbox may use together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// What is in use, beside a quarter of it for `/tmp` and for shared memory each.
    pub memory_bytes: u64,
    /// Processor seconds of one process.
    pub cpu_seconds: u64,
    /// 1 means that it may not start another process.
    pub processes: u32,
    pub open_files: u64,
    /// The largest file it may write.
    pub file_bytes: u64,
}

impl Default for Share {
    fn default() -> Self {
        Self {
            memory_bytes: 1 << 30,
            cpu_seconds: 600,
            processes: 64,
            open_files: 1_024,
            file_bytes: 256 << 20,
        }
    }
}

/// What the walls are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Namespaces: the program sees nothing it was not given.
    Bubblewrap,
    /// The program sees names of files, but opens only what it was given.
    Landlock,
    /// Only the share of the machine is kept.
    Unsandboxed,
}

/// A way to start confined programs that was tried and works here.
#[derive(Clone, Debug)]
pub struct Sandbox {
    kind: Kind,
    launcher: PathBuf,
    bubblewrap: Option<PathBuf>,
    description: String,
}

/// A confined program that is ready to be started, and who watches it from then on.
#[derive(Debug)]
pub struct Prepared {
    /// Input and output are the caller's to set.
    pub command: Command,
    sandbox: Sandbox,
    share: Share,
}

impl Prepared {
    /// The command, and what must be asked to watch the child it starts.
    pub fn into_parts(self) -> (Command, impl FnOnce(&Child) -> Warden + Send) {
        let Self {
            command,
            sandbox,
            share,
        } = self;
        (command, move |child: &Child| sandbox.watch(child, share))
    }
}

/// Why a program cannot be confined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SandboxError {
    pub message: String,
    pub hint: String,
}

impl SandboxError {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }
}

impl Sandbox {
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What keeps programs in: `bubblewrap 0.8.0`, `landlock (ABI 7)` or `none`.
    pub fn describe(&self) -> &str {
        &self.description
    }

    /// The command that starts the program in its sandbox. Input and output are the
    /// caller's to set. Killing the process it starts ends everything in the sandbox.
    pub fn command(&self, confinement: &Confinement) -> Result<Command, SandboxError> {
        check::sound(confinement, self.kind)?;
        let order = Order::new(self, confinement);
        let mut command = Command::from(order.launch(launcher::HOLD)?);
        command.process_group(0).kill_on_drop(true);
        Ok(command)
    }

    /// The command, together with what it takes to keep watch over it.
    pub fn prepare(&self, confinement: &Confinement) -> Result<Prepared, SandboxError> {
        Ok(Prepared {
            command: self.command(confinement)?,
            sandbox: self.clone(),
            share: confinement.share,
        })
    }

    /// Keeps watch over what the child and everything below it use.
    /// Must be called within a tokio runtime.
    pub fn watch(&self, child: &Child, share: Share) -> Warden {
        Warden::new(child.id(), self.kind, share)
    }
}
