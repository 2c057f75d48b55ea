//! `holloway tools remove`: forget a source and its tools. Runs that used them stay.

use clap::Args;
use holloway_tools::Grants;
use serde_json::json;

use crate::error::{CliError, Exit};
use crate::outside::Outside;
use crate::print;
use crate::session::Session;

/// Forget a source and all its tools
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Such as `mcp.git`
    source: String,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let outside = Outside::open(session, &Grants::default())?;
    let record = outside.record(&arguments.source)?;
    outside.catalog.remove_source(&record.id)?;
    if session.json {
        print::object(&json!({"removed": record.id}))?;
    } else {
        print::note(&format!("removed {} and its tools", record.id));
    }
    Ok(Exit::Done)
}
