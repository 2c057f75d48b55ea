//! `holloway tools pin`: what exactly was accepted, what is different now, and
//! shall that be accepted too?

use std::io::IsTerminal as _;

use clap::Args;
use holloway_flow::catalog::admit::{accept, changes, describe_differences};
use holloway_flow::catalog::inspect::visible;
use holloway_flow::catalog::{CatalogTool, Standing};
use holloway_plan::digest;
use holloway_tools::Grants;
use serde::Serialize;
use serde_json::{Value, json};

use super::admission::finding_text;
use crate::error::{CliError, Exit};
use crate::outside::Outside;
use crate::print::{self, paint::Paint};
use crate::session::Session;

/// Show what a tool is pinned to and what has changed; accept a change
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A tool's id, or a source for all its tools that are held back
    what: String,
    /// Take what is held back: after a question, or exactly what was shown as `waiting: DIGEST`
    #[arg(long, value_name = "DIGEST", num_args = 0..=1)]
    #[expect(
        clippy::option_option,
        reason = "the value of the flag may be left out"
    )]
    accept: Option<Option<String>>,
    /// Ask nothing; needs the digest
    #[arg(long, short, requires = "accept")]
    yes: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let outside = Outside::open(session, &Grants::default())?;
    let tools = named(&arguments.what, &outside)?;
    let waiting = digest_of_waiting(&tools);
    if session.json && arguments.accept.is_none() {
        let tools: Vec<Value> = tools.iter().map(data).collect();
        print::object(&json!({ "tools": tools, "waiting": waiting }))?;
        return Ok(Exit::Done);
    }
    if !session.json {
        for tool in &tools {
            print::result(&text(tool, Paint::stdout()))?;
        }
        if let Some(waiting) = &waiting {
            print::result(&format!("waiting: {waiting}"))?;
        }
    }
    match (&arguments.accept, waiting) {
        (None, _) => Ok(Exit::Done),
        (Some(None), None) if !session.json => {
            print::note("nothing is held back");
            Ok(Exit::Done)
        }
        (Some(wanted), waiting) => {
            if let Some(waiting) = &waiting {
                agree(wanted.as_deref(), waiting, arguments, session)?;
            } else if wanted.is_some() {
                return Err(changed_meanwhile(&arguments.what));
            }
            take(&tools, &arguments.what, &outside, session)
        }
    }
}

/// One digest over all that waits, as it would be accepted; none when nothing does.
/// Long enough that no source can make two definitions that share it.
fn digest_of_waiting(tools: &[CatalogTool]) -> Option<String> {
    let waiting: Vec<_> = tools
        .iter()
        .filter_map(|tool| match &tool.standing {
            Standing::Held { waiting, .. } => Some((&tool.spec.id, waiting.spec.pin())),
            _ => None,
        })
        .collect();
    (!waiting.is_empty()).then(|| digest::of_json(&waiting))
}

/// One tool by id, or all of a source that wait.
fn named(what: &str, outside: &Outside) -> Result<Vec<CatalogTool>, CliError> {
    let mut tools = outside.catalog.tools()?;
    let is_source = outside
        .records()?
        .keys()
        .any(|source| source.as_str() == what);
    if is_source {
        tools.retain(|tool| {
            tool.spec.id.source() == what && matches!(tool.standing, Standing::Held { .. })
        });
        return Ok(tools);
    }
    let known: Vec<String> = tools.iter().map(|tool| tool.spec.id.to_string()).collect();
    tools.retain(|tool| tool.spec.id.as_str() == what || tool.spec.id.name() == what);
    match tools.len() {
        1 => Ok(tools),
        0 => Err(
            CliError::usage("unknown-tool", format!("there is no pinned tool `{what}`"))
                .some_hint(holloway_plan::problem::did_you_mean(
                    what,
                    known.iter().map(String::as_str),
                ))
                .or_hint("our own tools are not pinned; `holloway tools sources` lists the others"),
        ),
        _ => {
            let ids: Vec<String> = tools.iter().map(|tool| tool.spec.id.to_string()).collect();
            let message = format!("several tools are called `{what}`");
            Err(CliError::usage("unknown-tool", message)
                .hint(format!("say which: {}", ids.join(", "))))
        }
    }
}

fn data(tool: &CatalogTool) -> Value {
    json!({
        "tool": tool.spec.id,
        "pin": tool.spec.pin(),
        "definition": tool.definition,
        "standing": tool.standing,
        "differences": changes(tool),
    })
}

fn text(tool: &CatalogTool, paint: Paint) -> String {
    let head = paint.bold(tool.spec.id.as_str());
    let Standing::Held {
        offered,
        findings,
        waiting,
        ..
    } = &tool.standing
    else {
        let word = match tool.standing {
            Standing::Gone => "its source does not offer it any more",
            _ => "nothing has changed since it was accepted",
        };
        return format!("{head}\npin {}\n{word}", tool.spec.pin());
    };
    let reason = tool.standing.obstacle().unwrap_or_default();
    let mut parts = vec![format!("{head}\n{} {reason}", paint.yellow("held back:"))];
    if !findings.is_empty() {
        let lines: Vec<String> = findings
            .iter()
            .map(|finding| format!("  {} {}", paint.red("!"), finding_text(finding)))
            .collect();
        parts.push(lines.join("\n"));
    }
    if tool.was_accepted() {
        let changed = describe_differences(&changes(tool));
        parts.push(coloured(changed.trim_end(), paint));
    } else {
        if let Some(package) = &waiting.package {
            parts.push(readable(package));
        }
        parts.push(readable(offered));
    }
    parts.join("\n")
}

/// The whole of it, with everything that hides in it made visible.
fn readable(data: &impl Serialize) -> String {
    let text = print::pretty(data);
    let lines: Vec<String> = text.lines().map(visible::whole).collect();
    lines.join("\n")
}

fn coloured(diff: &str, paint: Paint) -> String {
    let line = |line: &str| match line.trim_start().chars().next() {
        Some('-') => paint.red(line),
        Some('+') => paint.green(line),
        _ => line.to_owned(),
    };
    diff.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether what waits is what a person has seen: by its digest, or by asking now.
fn agree(
    wanted: Option<&str>,
    waiting: &str,
    arguments: &Arguments,
    session: &Session,
) -> Result<(), CliError> {
    match wanted {
        Some(wanted) if wanted == waiting => Ok(()),
        Some(_) => Err(changed_meanwhile(&arguments.what)),
        None if arguments.yes || session.json || !std::io::stdin().is_terminal() => {
            let message = "nothing was accepted: it is not said what";
            Err(CliError::usage("approval-needed", message).hint(format!(
                "`holloway tools pin {0}` shows what waits; `holloway tools pin {0} --accept DIGEST` takes exactly that",
                arguments.what
            )))
        }
        None => confirm(),
    }
}

fn changed_meanwhile(what: &str) -> CliError {
    let message = "nothing was accepted: what waits now is not what was shown";
    CliError::usage("tool-held", message).hint(format!(
        "look again with `holloway tools pin {what}`; its last line is the digest to accept"
    ))
}

fn take(
    tools: &[CatalogTool],
    what: &str,
    outside: &Outside,
    session: &Session,
) -> Result<Exit, CliError> {
    let pair = |tool: &CatalogTool| Some((tool.clone(), accept(tool)?));
    let pairs: Vec<_> = tools.iter().filter_map(pair).collect();
    if !outside.catalog.replace_tools(&pairs)? {
        return Err(changed_meanwhile(what));
    }
    for (_, tool) in &pairs {
        outside.accept_origin(tool)?;
    }
    let accepted = pairs.iter().map(|(_, tool)| &tool.spec);
    if session.json {
        let ids: Vec<_> = accepted.map(|spec| &spec.id).collect();
        print::object(&json!({ "accepted": ids }))?;
    } else {
        for spec in accepted {
            print::note(&format!("accepted {} ({})", spec.id, spec.effect));
        }
    }
    Ok(Exit::Done)
}

fn confirm() -> Result<(), CliError> {
    print::note("accept this as shown? yes or no");
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    match (read, line.trim().to_lowercase().as_str()) {
        (Ok(_), "y" | "yes") => Ok(()),
        _ => Err(CliError::usage("approval-needed", "nothing was accepted")
            .hint("answer yes to accept what is shown")),
    }
}
