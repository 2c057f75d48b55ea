//! `holloway tools call`: one call of one tool, without a plan and without a
//! journal, to see what it gives.

mod desk;

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use holloway_engine::entry::RunId;
use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::mark::Issued;
use holloway_engine::options::Consent;
use holloway_engine::ports::{CallLine, CallOutput, CallRequest, MayReplace, ToolCaller as _};
use holloway_plan::tool::ToolSpec;
use holloway_tools::Changed;
use serde_json::{Value, json};

use self::desk::Desk;
use crate::arguments::{Given, Reach};
use crate::carry::shown_result;
use crate::error::{CliError, Exit};
use crate::print::visible;
use crate::schema_check::complaint;
use crate::session::Session;
use crate::workbench::Workbench;
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
    let workbench = session.workbench(&arguments.reach)?;
    let tool = workbench.tool(&arguments.tool)?;
    let given = input::read(
        &arguments.given,
        json!({}),
        &session.folder,
        &session.limits,
    )?;
    if let Some(complaint) = complaint(&tool.input_schema, &given, &Issued::new()) {
        return Err(CliError::usage(
            "input-invalid",
            format!("the input does not fit {}: {complaint}", tool.id),
        )
        .hint(format!(
            "`holloway tools show {}` shows what it takes",
            tool.id
        )));
    }
    let changed = workbench.toolbox.would_change(&tool.id, &given);
    let wanted = Wanted {
        tool: &tool,
        given: &given,
        changed: changed.as_ref(),
    };
    wanted.consent(arguments, session)?;
    let limit = arguments
        .timeout_ms
        .unwrap_or(session.config()?.settings.run.default_timeout_ms);
    let may_replace = if arguments.yes {
        MayReplace::everything()
    } else {
        // What was asked about, and nothing that takes its place meanwhile.
        changed.map_or_else(MayReplace::default, |changed| {
            MayReplace::only(changed.file)
        })
    };
    let request = request(&tool, given, may_replace, session.json)?;
    let output = call(&workbench, request, limit)?;
    if session.json {
        print::object(&json!({"tool": tool.id, "output": output.value, "usage": output.usage}))?;
    } else {
        print::result(&shown_result(&output.value))?;
    }
    Ok(Exit::Done)
}

/// A call that somebody wants to make.
struct Wanted<'a> {
    tool: &'a ToolSpec,
    given: &'a Value,
    /// A file that would be changed although it may belong to somebody.
    changed: Option<&'a Changed>,
}

impl Wanted<'_> {
    /// The same rules as in a run.
    fn consent(&self, arguments: &Arguments, session: &Session) -> Result<(), CliError> {
        let approvals = session.config()?.settings.approvals;
        let replacing = match self.changed {
            None => Consent::Allow,
            Some(changed) if !changed.sensitive => approvals.replace,
            Some(_) if approvals.replace == Consent::Deny => Consent::Deny,
            // No setting allows these beforehand.
            Some(_) if approvals.sensitive == Consent::Allow => Consent::Ask,
            Some(_) => approvals.sensitive,
        };
        let nobody = session.json || !std::io::stdin().is_terminal();
        match (approvals.for_effect(self.tool.effect), replacing) {
            (Consent::Deny, _) | (_, Consent::Deny) => Err(self.denied()),
            _ if arguments.yes => Ok(()),
            (Consent::Allow, Consent::Allow) => Ok(()),
            _ if nobody => Err(self.refused("nobody is here to be asked")),
            _ => self.ask(),
        }
    }

    fn refused(&self, why: &str) -> CliError {
        let message = self.message(why);
        CliError::usage("approval-needed", message).hint("allow this call with --yes")
    }

    fn denied(&self) -> CliError {
        let message = self.message("the configuration denies it");
        CliError::usage("approval-denied", message).hint(
            "--yes cannot allow it; `holloway config show` names the file whose [approvals] say `deny`",
        )
    }

    fn message(&self, why: &str) -> String {
        let (tool, effect) = (&self.tool.id, self.tool.effect);
        match self.changed {
            Some(changed) => format!(
                "{tool} would change `{}`, and {why}",
                visible(&changed.file)
            ),
            None => format!("{tool} has the effect `{effect}`, and {why}"),
        }
    }

    fn ask(&self) -> Result<(), CliError> {
        let arguments = visible(&print::pretty(self.given));
        let (tool, effect) = (&self.tool.id, self.tool.effect);
        print::note(&format!("? call {tool} ({effect}) with\n{arguments}"));
        if let Some(changed) = self.changed {
            let place = if changed.sensitive {
                ", which is in a sensitive place"
            } else {
                ""
            };
            let file = visible(&changed.file);
            print::note(&format!("  it changes {file}{place}"));
        }
        let mut terminal = std::io::stderr();
        let _ = write!(terminal, "yes or no? ").and_then(|()| terminal.flush());
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        match (read, line.trim().to_lowercase().as_str()) {
            (Ok(_), "y" | "yes") => Ok(()),
            _ => Err(self.refused("you did not say yes")),
        }
    }
}

fn request(
    tool: &ToolSpec,
    given: Value,
    may_replace: MayReplace,
    json: bool,
) -> Result<CallRequest, CliError> {
    Ok(CallRequest {
        tool: tool.id.clone(),
        arguments: Arc::new(given),
        effect: tool.effect,
        key: format!("call-{:016x}", run_name::random()?).into(),
        run: RunId::default(),
        node: "call".into(),
        attempt: 1,
        may_replace,
        expected: holloway_engine::expected::Expected::default(),
        line: CallLine::new(Arc::new(Desk::new(json))),
    })
}

fn call(
    workbench: &Workbench,
    request: CallRequest,
    limit_ms: u64,
) -> Result<CallOutput, CliError> {
    let answer = runtime::run(async {
        let limit = Duration::from_millis(limit_ms);
        let answer = tokio::time::timeout(limit, workbench.toolbox.call(request)).await;
        let closing = tokio::time::timeout(LAST_WORDS, workbench.close());
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
