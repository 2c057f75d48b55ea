//! `holloway plans diff`: what is different between two plans? As they are written; they
//! need not be sound, nor their tools be there.

use clap::Args;
use holloway_plan::diff;
use holloway_plan::draft::Draft;
use holloway_plan::read::read_text;
use serde_json::json;

use crate::error::{CliError, Exit, Unsound};
use crate::plan_text::PlanText;
use crate::print::paint::Paint;
use crate::print::{self, one_line};
use crate::session::Session;

/// Compare two plans step by step
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A file, `-`, or the name of a saved plan
    a: String,
    /// The plan to compare it with, likewise
    b: String,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    if arguments.a == "-" && arguments.b == "-" {
        return Err(
            CliError::usage("usage", "standard input can be only one of the two plans")
                .hint("name a file or a saved plan for the other"),
        );
    }
    let (a, b) = (read(&arguments.a, session)?, read(&arguments.b, session)?);
    let difference = diff::diff(&a, &b);
    if session.json {
        print::object(&json!({
            "a": arguments.a, "b": arguments.b,
            "same": difference.is_empty(), "difference": difference,
        }))?;
        return Ok(Exit::Done);
    }
    let (from, to) = (one_line(&arguments.a, 80), one_line(&arguments.b, 80));
    let text = print::visible(&diff::text(&difference));
    print::result(&format!(
        "{from} → {to}\n{}",
        painted(&text, Paint::stdout())
    ))?;
    Ok(Exit::Done)
}

fn read(wanted: &str, session: &Session) -> Result<Draft, CliError> {
    let PlanText { name, text, .. } = PlanText::find(wanted, session)?;
    match read_text(&text, &session.limits) {
        Ok(document) => Ok(document.draft),
        Err(problems) => Err(CliError::Plan(Box::new(Unsound {
            name,
            text,
            problems,
        }))),
    }
}

/// What is gone in red, what is new in green, what is otherwise in bold.
fn painted(text: &str, paint: Paint) -> String {
    let line = |line: &str| match line.chars().next() {
        Some('-') => paint.red(line),
        Some('+') => paint.green(line),
        Some('~') => paint.bold(line),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
