//! What is said when a run comes to rest? The result on stdout; on stderr how it
//! ended, in numbers, and how to look deeper or go on.

use std::sync::Arc;

use holloway_engine::driver::{Report, Rest};
use holloway_engine::entry::{EndStatus, RunId};
use holloway_flow::outcome::harvest::Harvest;
use serde_json::{Value, json};

use super::Ending;
use super::answer;
use crate::error::{CliError, Exit};
use crate::failure_words::plain;
use crate::print::paint::Paint;
use crate::print::{self, indented, units};

/// Whom the words are for.
#[derive(Clone)]
pub(super) struct Tone {
    pub(super) json: bool,
    pub(super) quiet: bool,
    /// A pause is somebody's wish, not the consequence of not waiting for approvals.
    pub(super) waits: bool,
    /// Not to wait was somebody's wish.
    pub(super) told_not_to_wait: bool,
    /// Every call was allowed beforehand; what is asked all the same, a plan wants asked.
    pub(super) all_allowed: bool,
    /// It was begun before.
    pub(super) resumed: bool,
    /// Why it failed, in lines with their headings.
    pub(super) failure: Option<Vec<(&'static str, String)>>,
    pub(super) ending: Ending,
}

/// Says how the run came to rest, and what that means for the exit code.
pub(super) fn tell(
    report: &Report,
    results: &[Arc<Value>],
    harvest: &Harvest,
    tone: &Tone,
) -> Result<Exit, CliError> {
    match (report.rest, &tone.ending) {
        (Rest::Ended(status), Ending::Answer) => {
            answer::tell(report, status, results, harvest, tone)
        }
        (Rest::Ended(status), Ending::Result) => tell_end(report, status, results, tone),
        (Rest::Paused, _) if !tone.waits && !report.questions.is_empty() => {
            tell_waiting(report, tone)
        }
        (Rest::Paused, _) => tell_paused(&report.run, tone.json),
    }
}

fn tell_end(
    report: &Report,
    status: EndStatus,
    results: &[Arc<Value>],
    tone: &Tone,
) -> Result<Exit, CliError> {
    let exit = exit_of(status);
    if tone.json {
        return Ok(exit);
    }
    for line in effects(report) {
        print::note(&line);
    }
    if !tone.quiet || exit != Exit::Done {
        print::note(&summary(report, status, tone, Paint::stderr()));
    }
    if matches!(status, EndStatus::Succeeded | EndStatus::Partial) {
        for result in results {
            print::result(&shown(result))?;
        }
    }
    Ok(exit)
}

pub(super) fn exit_of(status: EndStatus) -> Exit {
    match status {
        EndStatus::Succeeded => Exit::Done,
        EndStatus::Failed | EndStatus::Cancelled | EndStatus::Partial => Exit::Failed,
    }
}

/// Texts and reports as they are, everything else as JSON.
pub(crate) fn shown(result: &Value) -> String {
    match (result, result.get("markdown")) {
        (Value::String(text), _) | (_, Some(Value::String(text))) => text.trim_end().to_owned(),
        (other, _) => print::pretty(other),
    }
}

/// What a dry run would have done.
pub(super) fn effects(report: &Report) -> Vec<String> {
    if report.effects.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["dry run: these calls were not made".to_owned()];
    lines.extend(report.effects.iter().map(|effect| {
        let arguments = print::one_line(&effect.arguments.to_string(), 200);
        format!(
            "  {}  {} ({})  {arguments}",
            effect.node, effect.tool, effect.effect
        )
    }));
    lines
}

pub(super) fn summary(report: &Report, status: EndStatus, tone: &Tone, paint: Paint) -> String {
    let progress = &report.progress;
    let word = status_word(status);
    let word = match status {
        EndStatus::Succeeded => paint.green(word),
        EndStatus::Failed => paint.red(word),
        EndStatus::Cancelled | EndStatus::Partial => paint.yellow(word),
    };
    let steps = units::count(progress.nodes, "step");
    let steps = match status {
        EndStatus::Succeeded => format!("{} of {steps}", progress.nodes_ended),
        // What has failed or was cancelled has ended too, but nobody would call it done.
        _ => format!("{} of {steps} done", progress.nodes_done),
    };
    let mut parts = vec![word, steps, units::duration(progress.elapsed_ms)];
    if progress.spent.money > 0.0 {
        parts.push(units::money(progress.spent.money));
    }
    parts.push(format!("run {}", report.run));
    let mut lines = vec![parts.join(" · ")];
    match (&report.failure, &tone.failure) {
        (Some(_), Some(told)) => {
            lines.push(format!("{} a step failed", paint.red("error:")));
            let told = told.iter();
            lines.extend(
                told.map(|(what, text)| format!("  {}  {text}", paint.dim(&format!("{what:<6}")))),
            );
        }
        (Some(failure), None) => {
            let failure = indented(plain(failure));
            lines.push(format!("{} {failure}", paint.red("error:")));
        }
        (None, _) => {}
    }
    let look = format!("look deeper: holloway runs show {}", report.run);
    lines.push(paint.dim(&look));
    lines.join("\n")
}

pub(crate) fn status_word(status: EndStatus) -> &'static str {
    match status {
        EndStatus::Succeeded => "succeeded",
        EndStatus::Failed => "failed",
        EndStatus::Cancelled => "cancelled",
        EndStatus::Partial => "partial",
    }
}

/// The run waits for people, and this process does not.
fn tell_waiting(report: &Report, tone: &Tone) -> Result<Exit, CliError> {
    let run = &report.run;
    // What nobody wished for must not look like success to a script.
    let exit = if tone.told_not_to_wait {
        Exit::Done
    } else {
        Exit::Interrupted
    };
    if tone.json {
        print::line(&json!({"status": "waiting", "run": run, "approvals": report.questions}))?;
        return Ok(exit);
    }
    let open = units::count(report.questions.len(), "approval");
    print::result(&format!("waiting for {open}: run {run} is paused"))?;
    for question in &report.questions {
        print::note(&super::question::describe(question, Paint::stderr()));
        print::note(&super::question::ways(question, run));
    }
    print::note(&format!("then go on: holloway runs resume {run}"));
    if !tone.told_not_to_wait {
        let yes = match (tone.all_allowed, tone.resumed) {
            (true, _) => String::new(),
            (false, true) => ", --yes allows what is open and every call to come".to_owned(),
            (false, false) => ", --yes allows every call beforehand".to_owned(),
        };
        print::note(&format!(
            "nobody can be asked here; --wait stays until somebody answers elsewhere{yes}"
        ));
    }
    Ok(exit)
}

pub(super) fn tell_paused(run: &RunId, json: bool) -> Result<Exit, CliError> {
    if json {
        print::line(&json!({"status": "paused", "run": run}))?;
    } else {
        print::note(&format!("paused; go on with: holloway runs resume {run}"));
    }
    Ok(Exit::Interrupted)
}

pub(super) fn tell_stopped(run: &RunId, json: bool) -> Result<Exit, CliError> {
    if json {
        print::line(&json!({"status": "stopped", "run": run}))?;
    } else {
        print::note(&format!(
            "stopped during a call; go on with: holloway runs resume {run}"
        ));
    }
    Ok(Exit::Interrupted)
}
