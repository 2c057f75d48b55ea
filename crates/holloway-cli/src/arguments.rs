//! What can be typed? The top of the command line; each command's own words are
//! in the file of the command.

use clap::{Args, Parser, ValueEnum};
use holloway_engine::options::ApprovalPolicy;

use crate::commands::Command;

/// Runs plans for tool-using agents: checked first, durable, resumable, explained.
#[derive(Debug, Parser)]
#[command(name = "holloway", version, max_term_width = 100)]
#[command(after_help = "\
Exit codes: 0 done, 1 the run failed, 2 wrong usage or an invalid plan, 130 interrupted.
Runs are kept in $HOLLOWAY_HOME (default: the user's data folder).")]
pub(crate) struct Arguments {
    /// Print one JSON object, or one line of JSON per event
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Tell failures in the words of the engine too
    #[arg(long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What the tools may reach, beyond what the configuration grants.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "What tools may reach")]
pub(crate) struct Reach {
    /// Let tools use a folder; `DIR:ro` only lets them read it
    #[arg(long, value_name = "DIR[:ro]")]
    pub(crate) grant_folder: Vec<String>,
    /// Let tools reach a host with a private address
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
    /// Let tools run programs
    #[arg(long)]
    pub(crate) allow_shell: bool,
    /// Offer the offline sample tools that the example plans name
    #[arg(long)]
    pub(crate) sample_tools: bool,
}

/// What a plan or tool is given.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Given {
    /// Set a field of the input: `city=Oslo`, `limits.max=3`; JSON is read as such
    #[arg(long, short, value_name = "K=V")]
    pub(crate) input: Vec<String>,
    /// Read the input from a JSON or YAML file, or `-`; `--input` goes on top
    #[arg(long, value_name = "FILE")]
    pub(crate) input_file: Option<String>,
}

impl Given {
    pub(crate) fn is_empty(&self) -> bool {
        self.input.is_empty() && self.input_file.is_none()
    }
}

/// Whether the configured model takes part in planning.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Asking {
    /// When to ask the configured model; `auto` leaves it out where every word is understood
    /// without it and the plan only reads
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) model: AskModel,
}

/// When the configured model is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AskModel {
    Always,
    #[default]
    Auto,
    Never,
}

/// How a run is shown, and what happens at questions.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Manner {
    /// Allow every call beforehand; nothing is asked
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// When only approvals are left to wait for, pause and exit; so it is where nobody can be
    /// asked, without a terminal or with --json
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Wait for approvals that somebody gives elsewhere
    #[arg(long, conflicts_with = "no_wait")]
    pub(crate) wait: bool,
    /// Show no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Manner {
    /// The configured policy with what `--yes` allows beforehand.
    pub(crate) fn policy(&self, configured: ApprovalPolicy) -> ApprovalPolicy {
        if self.yes {
            configured.without_questions()
        } else {
            configured
        }
    }
}

/// How many are wanted; none would look as if there were none.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(_) => Err("it must be a whole number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_words_do_not_contradict_each_other() {
        super::Arguments::command().debug_assert();
    }
}
