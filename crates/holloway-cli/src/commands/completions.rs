//! `holloway completions`: how does a shell complete these commands?

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::error::{CliError, Exit};
use crate::print;

/// Print completions for a shell
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    let mut command = crate::arguments::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "holloway", &mut script);
    print::result(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Done)
}
