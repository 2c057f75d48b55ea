//! `holloway runs context`: what did a step see? The very text, or the sizes for all steps.

use std::sync::Arc;

use clap::Args;
use holloway_flow::contexts::{Seen, contexts};
use holloway_flow::run_store::RunStore;
use serde_json::{Value, json};

use super::history::workbench_for;
use crate::arguments::Reach;
use crate::error::{CliError, Exit};
use crate::model::counter;
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, visible};
use crate::run_name;
use crate::session::Session;

/// Show what the steps of a run saw: sizes of all steps, or the text of one
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
    /// A step, or its place in the run such as `pages[0].fetch`
    step: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let run = run_name::find(&arguments.run, session)?.run;
    let workbench = workbench_for(&run, &arguments.reach, session)?;
    let shared: Arc<dyn RunStore> = Arc::new(session.store()?.clone());
    let with = (&workbench.table, &session.limits);
    let step = arguments.step.as_deref();
    let seen = contexts(&run, &shared, with, step, &counter())?;
    if seen.is_empty() {
        let what = step.map_or_else(
            || format!("run {run} has no contexts"),
            |step| format!("run {run} has no context of a step `{step}`"),
        );
        return Err(CliError::usage("context-unknown", what)
            .hint("`holloway runs context RUN` lists the steps that have one; `[context] told = false` turns them off"));
    }
    if session.json {
        let all: Vec<Value> = seen.iter().map(|seen| data(seen, step.is_some())).collect();
        print::object(&json!({"run": run, "contexts": all}))?;
    } else if step.is_some() {
        let texts: Vec<String> = seen.iter().map(text).collect();
        print::result(&texts.join("\n\n"))?;
    } else {
        print::result(&sizes(&seen))?;
    }
    Ok(Exit::Done)
}

fn data(seen: &Seen, whole: bool) -> Value {
    let mut data = json!({"node": seen.node.node, "step": seen.node.step, "loaded": seen.loaded});
    if whole && let Some(data) = data.as_object_mut() {
        data.insert("text".to_owned(), seen.context.text().into());
        data.insert("parts".to_owned(), json!(seen.context.parts));
        data.insert("left_out".to_owned(), json!(seen.context.left_out));
        data.insert("is_same".to_owned(), seen.is_same.into());
    }
    data
}

/// The very text, under a line with its size.
fn text(seen: &Seen) -> String {
    let paint = Paint::stdout();
    let loaded = &seen.loaded;
    let sent = match loaded.sent {
        0 => "no model was asked".to_owned(),
        sent => format!("{sent} sent to the model"),
    };
    let changed = if seen.is_same {
        ""
    } else {
        "; put together by another version, so it may differ from what was seen"
    };
    let head = format!(
        "{}: {} tokens ({sent}); loading everything would take {}{changed}",
        seen.node.node, loaded.tokens, loaded.everything
    );
    format!(
        "{}\n\n{}",
        paint.bold(&visible(&head)),
        visible(&seen.context.text())
    )
}

fn sizes(seen: &[Seen]) -> String {
    let rows: Vec<[String; 6]> = seen
        .iter()
        .map(|seen| {
            let loaded = &seen.loaded;
            [
                visible(&seen.node.node),
                loaded.tokens.to_string(),
                loaded.sent.to_string(),
                loaded.everything.to_string(),
                loaded.skills.join(", "),
                loaded
                    .next
                    .iter()
                    .map(|(tool, _)| short(tool))
                    .collect::<Vec<_>>()
                    .join(", "),
            ]
        })
        .collect();
    let heading = [
        "STEP",
        "TOKENS",
        "SENT",
        "EVERYTHING",
        "SKILLS",
        "PROBABLY NEXT",
    ];
    table(heading, &rows, Paint::stdout())
}

/// A tool by its name alone.
fn short(tool: &str) -> &str {
    tool.rsplit_once('/').map_or(tool, |(_, name)| name)
}
