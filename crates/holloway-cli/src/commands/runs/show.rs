//! `holloway runs show`: what happened in a run, what is it waiting for, what
//! did it give?

use clap::Args;
use holloway_engine::entry::{EntryKind, Question, RunId};
use holloway_engine::progress::{Progress, from_entries};
use holloway_engine::trace::ExecTrace;
use holloway_flow::standing::open_questions;
use holloway_store::{Message, Store};
use serde_json::{Value, json};

use super::history::{self, History, brief};
use super::{list, tree};
use crate::arguments::Reach;
use crate::carry::{describe_question, ways_to_answer};
use crate::error::{CliError, Exit};
use crate::failure_words::plain;
use crate::print::paint::Paint;
use crate::print::{self, indented, one_line, units};
use crate::run_name;
use crate::session::Session;
use crate::standing::Standing;

/// How many bytes of results are read to tell how far a run is.
const READ_FOR_PROGRESS: u64 = 16 << 20;

/// Show one run: its steps, open approvals, progress, results
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
}

/// All there is to show.
struct Shown {
    standing: Standing,
    trace: ExecTrace,
    questions: Vec<Question>,
    /// Approvals that are answered, but by nobody acted on.
    answered: Vec<String>,
    progress: Option<Progress>,
    error: Option<String>,
    options: Value,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let shown = gather(&arguments.run, session)?;
    if session.json {
        print::object(&data(&shown))?;
    } else {
        print::result(&text(&shown, Paint::stdout()))?;
    }
    Ok(Exit::Done)
}

fn gather(word: &str, session: &Session) -> Result<Shown, CliError> {
    let store = session.store()?;
    let summary = run_name::find(word, session)?;
    let run = summary.run.clone();
    let history = History::read(&run, store)?;
    let progress = progress(&run, &history, session)?;
    let standing = Standing::of(summary, store)?;
    let open = open_questions(&history.entries, standing.owner.is_some());
    Ok(Shown {
        standing,
        trace: history.trace(&run, store)?,
        questions: open.into_iter().map(|(_, question)| question).collect(),
        answered: answered(&run, store)?,
        progress,
        error: history
            .entries
            .iter()
            .rev()
            .find_map(|entry| match &entry.kind {
                EntryKind::ExecutionError { error } => Some(error.clone()),
                _ => None,
            }),
        options: history
            .start()
            .map(|start| json!(start.options))
            .unwrap_or_default(),
    })
}

/// How far the run is. To be exact, its results have to be read; where that would be much, only
/// what the entries tell is counted.
fn progress(
    run: &RunId,
    history: &History,
    session: &Session,
) -> Result<Option<Progress>, CliError> {
    if history.kept_bytes() > READ_FOR_PROGRESS {
        return Ok(Some(from_entries(&history.entries)));
    }
    let workbench = history::workbench_for(run, &Reach::default(), session)?;
    // A run of tools that have changed can be shown all the same, only not counted.
    let machine = history::machine(run, &workbench, session).ok();
    Ok(machine.map(|(machine, _)| machine.progress()))
}

/// Approvals with an answer that waits for a process to act on it.
pub(super) fn answered(run: &RunId, store: &Store) -> Result<Vec<String>, CliError> {
    let messages = store.take(run, 0)?;
    let approval = |(_, message)| match message {
        Message::Answer(answer) => Some(answer.approval),
        Message::Pause { .. } | Message::Cancel { .. } => None,
    };
    Ok(messages.into_iter().filter_map(approval).collect())
}

fn data(shown: &Shown) -> Value {
    json!({
        "run": shown.standing,
        "options": shown.options,
        "trace": shown.trace,
        "approvals": shown.questions,
        "answered": shown.answered,
        "progress": shown.progress,
        "error": shown.error,
    })
}

fn text(shown: &Shown, paint: Paint) -> String {
    let mut parts = vec![
        header(shown, paint),
        tree::tree(&shown.trace.entries, paint),
    ];
    parts.extend(
        shown
            .questions
            .iter()
            .map(|question| asked(question, shown, paint)),
    );
    parts.extend(shown.progress.as_ref().map(tracker));
    if let Some(error) = &shown.error {
        parts.push(format!(
            "{} {}",
            paint.red("error:"),
            indented(plain(error))
        ));
    }
    parts.extend(outputs(&shown.trace, paint));
    parts.extend(go_on(shown));
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

fn header(shown: &Shown, paint: Paint) -> String {
    let summary = &shown.standing.summary;
    let mut lines = vec![format!(
        "{}  {}  {}",
        paint.bold(summary.run.as_str()),
        one_line(&summary.plan_id, 60),
        list::status(&shown.standing, paint)
    )];
    if !summary.objective.is_empty() {
        lines.push(one_line(&summary.objective, 200));
    }
    lines.push(format!(
        "started {} UTC, {}",
        units::moment(summary.created_ms),
        units::duration(shown.trace.total_duration_ms)
    ));
    if let Some(owner) = &shown.standing.owner {
        lines.push(format!(
            "carried out by process {} on {}: {}",
            owner.pid, owner.host, owner.command
        ));
    }
    if let Some(from) = &summary.forked_from {
        lines.push(format!("forked from {from}"));
    }
    lines.join("\n")
}

fn asked(question: &Question, shown: &Shown, paint: Paint) -> String {
    let how = if shown.answered.contains(&question.approval) {
        "  answered; acted on when the run is resumed".to_owned()
    } else {
        ways_to_answer(question, &shown.standing.summary.run)
    };
    format!("{}\n{how}", describe_question(question, paint))
}

fn tracker(progress: &Progress) -> String {
    let Progress {
        nodes,
        nodes_ended,
        nodes_done,
        ..
    } = *progress;
    let passed = match nodes_ended.saturating_sub(nodes_done) {
        0 => String::new(),
        _ => format!(", {nodes_done} of them done"),
    };
    let mut parts = vec![
        format!("{nodes_ended}/{nodes} steps{passed}"),
        format!("{:.0} %", progress.percent),
        units::count(progress.spent.calls as usize, "call"),
    ];
    if progress.hypotheses_checked > 0 {
        let (met, checked) = (progress.hypotheses_met, progress.hypotheses_checked);
        parts.push(format!("{met} of {checked} expectations met"));
    }
    if progress.spent.money > 0.0 {
        parts.push(units::money(progress.spent.money));
    }
    parts.join(" · ")
}

fn outputs(trace: &ExecTrace, paint: Paint) -> Option<String> {
    let outputs = trace
        .context_snapshot
        .as_ref()
        .filter(|outputs| !outputs.is_empty())?;
    let lines = outputs
        .iter()
        .map(|(name, value)| format!("  {name} = {}", one_line(&brief(value), 160)));
    Some(
        std::iter::once(paint.dim("results"))
            .chain(lines)
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

fn go_on(shown: &Shown) -> Option<String> {
    let run = &shown.standing.summary.run;
    let ownerless = shown.standing.owner.is_none() && !shown.standing.summary.status.is_end();
    ownerless.then(|| format!("go on: holloway runs resume {run}"))
}
