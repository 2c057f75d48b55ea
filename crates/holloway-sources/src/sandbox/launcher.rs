//! What does the launcher do? It is started by `Sandbox::command`, then plays one
//! role after the other, each in a process of its own: hold, keep, enter.
//!
//! Invariant: it starts nothing that its order does not name.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::order::{Order, VARIABLE};
use super::{SandboxError, enter, hold};

/// Is what the caller started: ends the sandbox when the caller ends.
pub(super) const HOLD: &str = "hold";
/// Gathers stray processes where there is no process namespace.
pub(super) const KEEP: &str = "keep";
/// Becomes the program.
pub(super) const ENTER: &str = "enter";

/// What shells answer for a program that could not be started.
const NOT_STARTED: u8 = 126;

/// The hidden command `confined`; takes the arguments after that word. It has to be
/// called before anything else: it closes every file it did not open.
pub fn confined_main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let role = arguments.into_iter().next().unwrap_or_default();
    match play(role.to_str().unwrap_or_default()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "sandbox: {error}\nhint: {}", error.hint);
            ExitCode::from(NOT_STARTED)
        }
    }
}

fn play(role: &str) -> Result<u8, SandboxError> {
    let order = std::env::var_os(VARIABLE)
        .and_then(|text| Order::read(&PathBuf::from(text)))
        .ok_or_else(|| {
            SandboxError::new(
                "this command is not for people: it is how confined programs are started",
                "use `holloway tools` instead",
            )
        })?;
    match role {
        HOLD => hold::hold(&order),
        KEEP => hold::keep(&order),
        ENTER => enter::enter(&order),
        other => Err(SandboxError::new(
            format!("the sandbox has no role `{other}`"),
            "the launcher must be the same version as the program that uses it",
        )),
    }
}
