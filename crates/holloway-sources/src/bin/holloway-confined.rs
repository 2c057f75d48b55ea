//! What starts confined programs in this crate's tests? The same entry point
//! that the `holloway` binary offers as a hidden command.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The first two are this program and the word `confined`.
    holloway_sources::sandbox::confined_main(std::env::args_os().skip(2))
}
