//! `holloway tools pin`: what exactly was accepted, what is different now, and
//! shall that be accepted too?

use std::io::IsTerminal as _;

use clap::Args;
use holloway_adapters::tools::Grants;
use holloway_flow::catalog::admit::{accept, changes, describe_differences};
use holloway_flow::catalog::inspect::visible;
use holloway_flow::catalog::{CatalogTool, Standing};
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
    /// Take what is held back, as it is shown
    #[arg(long)]
    accept: bool,
    /// Accept without being asked again
    #[arg(long, short)]
    yes: bool,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let outside = Outside::open(session, &Grants::default())?;
    let tools = named(&arguments.what, &outside)?;
    if session.json && !arguments.accept {
        let tools: Vec<Value> = tools.iter().map(data).collect();
        print::object(&json!({ "tools": tools }))?;
        return Ok(Exit::Done);
    }
    if !session.json {
        for tool in &tools {
            print::result(&text(tool, Paint::stdout()))?;
        }
    }
    if arguments.accept {
        return take(&tools, arguments, &outside, session);
    }
    Ok(Exit::Done)
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

fn take(
    tools: &[CatalogTool],
    arguments: &Arguments,
    outside: &Outside,
    session: &Session,
) -> Result<Exit, CliError> {
    let accepted: Vec<CatalogTool> = tools.iter().filter_map(accept).collect();
    if accepted.is_empty() {
        print::note("nothing is held back");
        return Ok(Exit::Done);
    }
    if !arguments.yes {
        confirm(accepted.len(), session)?;
    }
    outside.catalog.put_tools(&accepted)?;
    if session.json {
        let ids: Vec<_> = accepted.iter().map(|tool| &tool.spec.id).collect();
        print::object(&json!({ "accepted": ids }))?;
    } else {
        for tool in &accepted {
            print::note(&format!("accepted {} ({})", tool.spec.id, tool.spec.effect));
        }
    }
    Ok(Exit::Done)
}

fn confirm(count: usize, session: &Session) -> Result<(), CliError> {
    let refused = || {
        CliError::usage("approval-needed", "nothing was accepted")
            .hint("accept what is shown with --accept --yes")
    };
    if session.json || !std::io::stdin().is_terminal() {
        return Err(refused());
    }
    print::note(&format!("accept {count} as shown? yes or no"));
    let mut line = String::new();
    let read = std::io::stdin().read_line(&mut line);
    match (read, line.trim().to_lowercase().as_str()) {
        (Ok(_), "y" | "yes") => Ok(()),
        _ => Err(refused()),
    }
}
