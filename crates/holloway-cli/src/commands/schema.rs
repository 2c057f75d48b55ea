//! `holloway schema`: what may a plan look like, for editors and other programs?

use clap::Args;
use holloway_plan::schema::plan_schema;

use crate::error::{CliError, Exit};
use crate::print;

/// Print the JSON Schema of the plan language
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(super) fn run(_arguments: &Arguments) -> Result<Exit, CliError> {
    print::object(&plan_schema())?;
    Ok(Exit::Done)
}
