//! `holloway runs prune`: which runs are old enough to leave the store?

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::delete::{self, How};
use crate::config::{Age, Retention};
use crate::error::{CliError, Exit};
use crate::removal::{Choice, chosen};
use crate::session::Session;
use crate::standing::WORDS;

/// Remove runs that have ended, by age and number; without a choice, as `[retention]` says
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Only runs whose last entry is older: 90m, 12h, 30d, 8w
    #[arg(long, value_name = "AGE")]
    older_than: Option<Age>,
    /// The newest so many stay, whatever their age
    #[arg(long, value_name = "N")]
    keep: Option<usize>,
    /// Only runs that stand so; may be given several times
    #[arg(long, value_parser = PossibleValuesParser::new(WORDS))]
    status: Vec<String>,
    /// Only runs of this plan
    #[arg(long)]
    plan: Option<String>,
    #[command(flatten)]
    how: How,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let given = Retention {
        older_than: arguments.older_than,
        keep: arguments.keep,
    };
    let names_runs = !arguments.status.is_empty() || arguments.plan.is_some();
    let retention = if given.is_empty() && !names_runs {
        configured(session)?
    } else {
        given
    };
    let choice = Choice {
        retention,
        statuses: arguments.status.iter().cloned().collect(),
        plan: arguments.plan.clone(),
        but: None,
    };
    let chosen = chosen(&choice, session.store()?)?;
    delete::carry_out(&chosen, &arguments.how, session)
}

/// Everything that has ended is more than anybody can mean by saying nothing.
fn configured(session: &Session) -> Result<Retention, CliError> {
    let configured = session.config()?.settings.retention.clone();
    if !configured.is_empty() {
        return Ok(configured);
    }
    let message = "nothing says which runs are to be removed";
    Err(CliError::usage("usage", message).hint(
        "say it with --older-than 30d, --keep 100, --status failed or --plan NAME, or set `[retention]` in holloway.toml",
    ))
}
