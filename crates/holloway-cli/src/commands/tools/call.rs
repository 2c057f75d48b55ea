//! `holloway tools call`: one call of one tool, without a plan and without a
//! journal, to see what it gives.

mod desk;

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use holloway_engine::entry::RunId;
use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::options::Consent;
use holloway_engine::ports::{CallLine, CallOutput, CallRequest, ToolCaller as _};
use holloway_plan::tool::ToolSpec;
use serde_json::{Value, json};

use self::desk::Desk;
use crate::arguments::{Given, Reach};
use crate::bench::Bench;
use crate::carry::shown_result;
use crate::error::{CliError, Exit};
use crate::schema_check::complaint;
use crate::session::Session;
use crate::{input, print, run_name, runtime};

/// How long a server has to end.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Call a tool once; nothing is written down
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Its id, or its name if only one tool has it
    tool: String,
    #[command(flatten)]
    given: Given,
    /// Do not ask before calling a tool that writes
    #[arg(long, short)]
    yes: bool,
    /// Time limit
    #[arg(long, value_name = "N")]
    timeout_ms: Option<u64>,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let bench = session.bench(&arguments.reach)?;
    let tool = bench.tool(&arguments.tool)?;
    let given = input::read(
        &arguments.given,
        json!({}),
        &session.folder,
        &session.limits,
    )?;
    if let Some(complaint) = complaint(&tool.input_schema, &given) {
        return Err(CliError::usage(
            "input-invalid",
            format!("the input does not fit {}: {complaint}", tool.id),
        )
        .hint(format!(
            "`holloway tools show {}` shows what it takes",
            tool.id
        )));
    }
    consent(arguments, &tool, &given, session)?;
    let limit = arguments
        .timeout_ms
        .unwrap_or(session.config()?.settings.run.default_timeout_ms);
    let output = call(&bench, &tool, given, limit, session.json)?;
    if session.json {
        print::object(&json!({"tool": tool.id, "output": output.value, "usage": output.usage}))?;
    } else {
        print::result(&shown_result(&output.value))?;
    }
    Ok(Exit::Done)
}

/// The same rules as in a run.
fn consent(
    arguments: &Arguments,
    tool: &ToolSpec,
    given: &Value,
    session: &Session,
) -> Result<(), CliError> {
    let approvals = session.config()?.settings.approvals;
    match approvals.for_effect(tool.effect) {
        _ if arguments.yes => Ok(()),
        Consent::Allow => Ok(()),
        Consent::Deny => Err(refused(tool, "the configuration denies it")),
        Consent::Ask if session.json || !std::io::stdin().is_terminal() => {
            Err(refused(tool, "nobody is here to be asked"))
        }
        Consent::Ask => ask(tool, given),
    }
}

fn refused(tool: &ToolSpec, why: &str) -> CliError {
    let message = format!("{} has the effect `{}`, and {why}", tool.id, tool.effect);
    CliError::usage("approval-needed", message).hint("allow this call with --yes")
}

fn ask(tool: &ToolSpec, given: &Value) -> Result<(), CliError> {
    let arguments = print::visible(&print::pretty(given));
    print::note(&format!(
        "? call {} ({}) with\n{arguments}",
        tool.id, tool.effect
    ));
    let mut terminal = std::io::stderr();
    let _ = write!(terminal, "yes or no? ").and_then(|()| terminal.flush());
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    match (read, line.trim().to_lowercase().as_str()) {
        (Ok(_), "y" | "yes") => Ok(()),
        _ => Err(refused(tool, "you did not say yes")),
    }
}

fn call(
    bench: &Bench,
    tool: &ToolSpec,
    given: Value,
    limit_ms: u64,
    json: bool,
) -> Result<CallOutput, CliError> {
    let request = CallRequest {
        tool: tool.id.clone(),
        arguments: Arc::new(given),
        effect: tool.effect,
        key: format!("call-{:016x}", run_name::random()?).into(),
        run: RunId::default(),
        node: "call".into(),
        attempt: 1,
        line: CallLine::new(Arc::new(Desk::new(json))),
    };
    let answer = runtime::run(async {
        let limit = Duration::from_millis(limit_ms);
        let answer = tokio::time::timeout(limit, bench.toolbox.call(request)).await;
        let closing = tokio::time::timeout(LAST_WORDS, bench.close());
        closing.await.ok();
        answer.unwrap_or_else(|_| Err(ToolFailure::timeout(limit_ms)))
    })?;
    answer.map_err(|failure| {
        let hint = match failure.name {
            FailureName::Denied => "grant it with a flag or in holloway.toml",
            _ => "`holloway tools show TOOL` shows what it takes and does",
        };
        CliError::failed("tool-failed", failure.to_string())
            .some_hint(failure.hint)
            .or_hint(hint)
    })
}
