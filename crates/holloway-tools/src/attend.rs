//! Who ends what a program has started? `shell-run` asks for a command through this
//! port; the sandbox fills it. Without one, only the program's process group is ended.

use std::ffi::OsString;
use std::path::PathBuf;

use holloway_engine::failure::ToolFailure;
use tokio::process::Command;

/// A program to be started, and all it is given.
#[derive(Clone, Debug)]
pub struct Program {
    /// A path, or a name looked up in `search`.
    pub program: OsString,
    pub arguments: Vec<OsString>,
    pub folder: PathBuf,
    /// The value of `PATH`: the whole environment.
    pub search: OsString,
}

/// Makes commands whose processes end when the program or Holloway ends.
pub trait Attend: Send + Sync {
    /// Input and output are the caller's to set.
    fn command(&self, program: &Program) -> Result<Command, ToolFailure>;

    /// A command whose program sees the system's programs, its folder and `readable` alone, and may
    /// use the network; nothing where programs cannot be confined.
    fn confined(&self, _program: &Program, _readable: &[PathBuf]) -> Option<Command> {
        None
    }
}
