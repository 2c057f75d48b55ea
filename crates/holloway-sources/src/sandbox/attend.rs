//! How does a program that is not confined end with us? The launcher holds it as it
//! holds a sandbox, without walls and without limits: whatever the program starts is
//! adopted by the keeper, and ends when the program or Holloway ends.
//!
//! Invariant: the program may leave its process group and its session, not the keeper.

use std::os::fd::AsFd as _;
use std::path::PathBuf;

use holloway_engine::failure::ToolFailure;
use holloway_tools::secrets::SecretText;
use holloway_tools::{Attend, Program};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use tokio::process::{Child, Command};

use super::order::Order;
use super::{Confinement, Kind, Sandbox, SandboxError, Share, Wish, launcher, tree};

/// Below the holder are the keeper and then the program.
const KEEPER: usize = 1;
/// More processes than any server has; a bomb is left to the keeper.
const MOST: usize = 4_096;
/// A browser is many processes, and its pages are large.
const BROWSER: Share = Share {
    memory_bytes: 4 << 30,
    cpu_seconds: 600,
    processes: 512,
    open_files: 4_096,
    file_bytes: 256 << 20,
};
/// How long a keeper may take to end what is below it.
const PATIENCE: Timespec = Timespec {
    tv_sec: 5,
    tv_nsec: 0,
};

/// Starts programs that end with us.
#[derive(Clone, Debug)]
pub struct Attendant {
    launcher: PathBuf,
}

impl Attendant {
    /// The launcher is a program that hands its arguments after `confined` to
    /// [`confined_main`](super::confined_main).
    pub fn new(launcher: impl Into<PathBuf>) -> Self {
        Self {
            launcher: launcher.into(),
        }
    }

    /// The command that starts a program with these arguments, this folder and this
    /// environment; the rest of the confinement is not looked at. Input and output are
    /// the caller's to set.
    pub fn command(&self, program: &Confinement) -> Result<Command, SandboxError> {
        let without_walls = Sandbox {
            kind: Kind::Unsandboxed,
            launcher: self.launcher.clone(),
            bubblewrap: None,
            description: String::new(),
        };
        let order = Order {
            limited: false,
            ..Order::new(&without_walls, program)
        };
        Ok(Command::from(order.launch(launcher::HOLD)?))
    }
}

impl Attend for Attendant {
    fn command(&self, program: &Program) -> Result<Command, ToolFailure> {
        let search = SecretText::new(program.search.to_string_lossy());
        let attended = Self::command(
            self,
            &Confinement {
                program: program.program.clone(),
                arguments: program.arguments.clone(),
                folder: program.folder.clone(),
                environment: vec![("PATH".to_owned(), search)],
                ..Confinement::default()
            },
        );
        attended.map_err(|error| ToolFailure::permanent(error.message).with_hint(error.hint))
    }

    fn confined(&self, program: &Program, readable: &[PathBuf]) -> Option<Command> {
        let sandbox = Sandbox::find(self.launcher.clone(), Wish::Strict).ok()?;
        if sandbox.kind() == Kind::Unsandboxed {
            return None;
        }
        let home = program.folder.to_string_lossy();
        let environment = [("PATH", program.search.to_string_lossy()), ("HOME", home)];
        let confinement = Confinement {
            program: program.program.clone(),
            arguments: program.arguments.clone(),
            folder: program.folder.clone(),
            readable: readable.to_vec(),
            writable: vec![program.folder.clone()],
            environment: environment
                .into_iter()
                .map(|(name, value)| (name.to_owned(), SecretText::new(value)))
                .collect(),
            network: true,
            share: BROWSER,
        };
        sandbox.command(&confinement).ok()
    }
}

/// A program that an attendant has started, with all that came of it.
pub struct Attended {
    holder: Pid,
}

impl Attended {
    /// Of the child that the attendant's command has become.
    pub fn of(child: &Child) -> Option<Self> {
        let id = i32::try_from(child.id()?).ok()?;
        Pid::from_raw(id).map(|holder| Self { holder })
    }

    /// Asks the program and everything below it to end.
    pub fn terminate(&self) {
        for process in tree::below(self.holder, MOST) {
            if process.depth > KEEPER {
                // One that is gone by now needs no signal.
                let _ = kill_process(process.pid, Signal::TERM);
            }
        }
    }

    /// Ends everything. Returns when nothing is left, or when patience is.
    pub async fn end(&self) {
        let keeper = tree::below(self.holder, KEEPER);
        let keeper = keeper.first().map(|keeper| keeper.pid);
        let keeper = keeper.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        // The keeper sees the end of the holder, kills what is below, and ends.
        let _ = kill_process(self.holder, Signal::KILL);
        if let Some(keeper) = keeper {
            let ended = move || {
                let keeper = PollFd::from_borrowed_fd(keeper.as_fd(), PollFlags::IN);
                let _ = poll(&mut [keeper], Some(&PATIENCE));
            };
            let _ = tokio::task::spawn_blocking(ended).await;
        }
    }
}
