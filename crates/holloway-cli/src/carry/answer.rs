//! What does the person who asked want to read first? What came out; then the files,
//! then what it cost and what was left out, and last how to look deeper.

use std::sync::Arc;

use holloway_engine::driver::Report;
use holloway_engine::entry::EndStatus;
use serde_json::{Value, json};

use super::ending::{self, Tone, exit_of};
use super::harvest::Harvest;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line, visible};

/// A result or a summary that is longer than this is looked at with `runs show`.
const SHOWN_AT_MOST: usize = 4_000;

pub(super) fn tell(
    report: &Report,
    status: EndStatus,
    result: Option<Arc<Value>>,
    harvest: &Harvest,
    tone: Tone,
) -> Result<Exit, CliError> {
    // What a dry run ends with is made up from schemas: nobody is to take it for a result.
    let dry_run = harvest.made_up || !report.effects.is_empty();
    let result = result.filter(|_| !dry_run);
    if tone.json {
        print::line(&json!({
            "event": "answer",
            "run": report.run,
            "dry_run": dry_run,
            "status": ending::status_word(status),
            "answer": harvest.summary,
            "figures": harvest.figures.kept,
            "more_figures": harvest.figures.more,
            "actions": harvest.actions,
            "result": result,
            "files": harvest.files,
            "skipped": harvest.skipped.kept,
            "more_skipped": harvest.skipped.more,
            "money": report.progress.spent.usage.money,
            "duration_ms": report.progress.elapsed_ms,
        }))?;
        return Ok(exit_of(status));
    }
    for line in ending::effects(report) {
        print::note(&line);
    }
    if matches!(status, EndStatus::Succeeded | EndStatus::Partial) {
        if dry_run {
            print::result("dry run: nothing was written")?;
        }
        let text = text(result.as_deref(), harvest, Paint::stdout());
        if !text.is_empty() {
            print::result(&text)?;
        } else if !dry_run {
            print::result("done; nothing to show")?;
        }
    }
    if !tone.quiet || exit_of(status) != Exit::Done {
        print::note(&ending::summary(report, status, Paint::stderr()));
    }
    Ok(exit_of(status))
}

fn text(result: Option<&Value>, harvest: &Harvest, paint: Paint) -> String {
    let mut lines = Vec::new();
    match (&harvest.summary, result) {
        (Some(summary), _) => lines.push(bounded(&visible(summary))),
        (None, Some(result)) if harvest.files.is_empty() || result.is_string() => {
            lines.push(bounded(&ending::shown(result)));
        }
        _ => {
            let told = harvest.told();
            lines.extend(told.kept.iter().map(|line| visible(line)));
            lines.extend(told.rest());
        }
    }
    for (number, action) in harvest.actions.iter().enumerate() {
        let number = paint.cyan(&format!("{}.", number + 1));
        lines.push(format!("{number} {}", one_line(action, 200)));
    }
    for file in &harvest.files {
        lines.push(format!("{} {}", paint.cyan("file:"), visible(file)));
    }
    for skipped in &harvest.skipped.kept {
        let reason = one_line(&skipped.reason, 160);
        let step = visible(&skipped.step);
        lines.push(format!("{} {step}: {reason}", paint.yellow("left out:")));
    }
    if let Some(rest) = harvest.skipped.rest() {
        lines.push(format!("{} {rest}", paint.yellow("left out:")));
    }
    lines.join("\n")
}

fn bounded(text: &str) -> String {
    if text.chars().count() <= SHOWN_AT_MOST {
        return text.to_owned();
    }
    let kept: String = text.chars().take(SHOWN_AT_MOST).collect();
    format!("{kept}…\n(cut; `holloway runs show last` has all of it)")
}

#[cfg(test)]
mod tests {
    use super::super::harvest::{Few, Skipped};
    use super::*;

    #[test]
    fn what_came_out_stands_first() {
        let harvest = Harvest {
            summary: Some("14 pages, 3 faults.".to_owned()),
            files: vec!["out/audit.html".to_owned()],
            skipped: Few {
                kept: vec![Skipped {
                    step: "tls".to_owned(),
                    reason: "no certificate".to_owned(),
                }],
                more: 0,
            },
            ..Harvest::default()
        };
        let shown = text(
            Some(&json!({"path": "out/audit.html"})),
            &harvest,
            Paint::off(),
        );
        insta::assert_snapshot!(shown, @r"
        14 pages, 3 faults.
        file: out/audit.html
        left out: tls: no certificate
        ");
        let plain = text(Some(&json!(8.05)), &Harvest::default(), Paint::off());
        assert_eq!(plain, "8.05");
    }

    #[test]
    fn a_long_summary_is_cut() {
        let harvest = Harvest {
            summary: Some("a".repeat(SHOWN_AT_MOST * 2)),
            ..Harvest::default()
        };
        let shown = text(None, &harvest, Paint::off());
        let (first, last) = shown.split_once('\n').unwrap();
        assert_eq!(first.chars().count(), SHOWN_AT_MOST + 1);
        assert!(last.contains("runs show"), "{last}");
    }
}
