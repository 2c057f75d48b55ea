//! What does the person who asked want to read first? What came out; then the files,
//! then what it cost and what was left out, and last how to look deeper.

mod shape;

use std::sync::Arc;

use holloway_engine::driver::Report;
use holloway_engine::entry::EndStatus;
use holloway_flow::outcome::harvest::Harvest;
use holloway_flow::outcome::is_file;
use serde_json::{Value, json};

use super::ending::{self, Tone, exit_of};
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line, visible};

/// A result or a summary that is longer than this is looked at with `runs show`.
const SHOWN_AT_MOST: usize = 4_000;
/// Rows of a table that is the answer.
const ROWS: usize = 20;

pub(super) fn tell(
    report: &Report,
    status: EndStatus,
    results: &[Arc<Value>],
    harvest: &Harvest,
    tone: &Tone,
) -> Result<Exit, CliError> {
    // What a dry run ends with is made up from schemas: nobody is to take it for a result.
    let dry_run = harvest.made_up || !report.effects.is_empty();
    let results = if dry_run { &[] } else { results };
    if tone.json {
        print::line(&json!({
            "event": "answer",
            "run": report.run,
            "dry_run": dry_run,
            "status": ending::status_word(status),
            "answer": bare(results).or_else(|| harvest.summary.clone()),
            "figures": harvest.figures.kept,
            "more_figures": harvest.figures.more,
            "actions": harvest.actions,
            "result": results.last(),
            "results": results,
            "files": harvest.files,
            "skipped": harvest.skipped.kept,
            "more_skipped": harvest.skipped.more,
            "money": report.progress.spent.money,
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
        let text = text(results, harvest, Paint::stdout());
        if !text.is_empty() {
            print::result(&text)?;
        } else if !dry_run {
            print::result("done; nothing to show")?;
        }
    }
    if !tone.quiet || exit_of(status) != Exit::Done {
        print::note(&ending::summary(report, status, tone, Paint::stderr()));
    }
    Ok(exit_of(status))
}

/// The one figure or text that is the answer.
fn bare(results: &[Arc<Value>]) -> Option<String> {
    match results {
        [only] => shape::bare(only),
        _ => None,
    }
}

fn text(results: &[Arc<Value>], harvest: &Harvest, paint: Paint) -> String {
    let mut lines = Vec::new();
    let mut label = format!("{} ", paint.cyan("file:"));
    let told: Vec<&Arc<Value>> = results
        .iter()
        .filter(|result| !is_file(result, harvest))
        .collect();
    match &harvest.summary {
        // Where a text was made on the way, a figure or a text at the end comes first.
        Some(summary) if told.iter().all(|result| shape::bare(result).is_none()) => {
            lines.push(bounded(&visible(summary)));
        }
        _ if !told.is_empty() => lines.extend(
            told.iter()
                .map(|result| bounded(&shape::shaped(result, ROWS, paint))),
        ),
        _ if harvest.figures.kept.is_empty() => {
            // The file is the answer.
            label.clear();
        }
        _ => {
            lines.extend(harvest.figures.kept.iter().map(|line| visible(line)));
            lines.extend(harvest.figures.rest());
        }
    }
    for (number, action) in harvest.actions.iter().enumerate() {
        let number = paint.cyan(&format!("{}.", number + 1));
        lines.push(format!("{number} {}", one_line(action, 200)));
    }
    for file in &harvest.files {
        lines.push(format!("{label}{}", visible(file)));
    }
    if label.is_empty() {
        lines.extend(harvest.counts.kept.iter().map(|line| visible(line)));
        lines.extend(harvest.counts.rest());
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
    use holloway_flow::outcome::harvest::{Few, Skipped};

    use super::*;

    fn check(results: &[Value], harvest: &Harvest, expected: &str) {
        let results: Vec<Arc<Value>> = results.iter().cloned().map(Arc::new).collect();
        assert_eq!(text(&results, harvest, Paint::off()), expected);
    }

    fn with_files(files: &[&str]) -> Harvest {
        Harvest {
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            ..Harvest::default()
        }
    }

    #[test]
    fn what_came_out_stands_first() {
        let harvest = Harvest {
            summary: Some("14 pages, 3 faults.".to_owned()),
            skipped: Few {
                kept: vec![Skipped {
                    step: "tls".to_owned(),
                    reason: "no certificate".to_owned(),
                }],
                more: 0,
            },
            ..with_files(&["out/audit.html"])
        };
        check(
            &[json!({"path": "out/audit.html"})],
            &harvest,
            "14 pages, 3 faults.\nfile: out/audit.html\nleft out: tls: no certificate",
        );
        check(&[json!(8.05)], &Harvest::default(), "8.05");
    }

    #[test]
    fn what_is_told_last_comes_before_what_was_made_on_the_way() {
        let harvest = Harvest {
            summary: Some("Tents sell in spring.".to_owned()),
            ..with_files(&["summary.txt"])
        };
        check(&[json!(4)], &harvest, "4\nfile: summary.txt");
    }

    #[test]
    fn every_answer_is_told_in_its_order() {
        check(
            &[json!([{"count": 3}]), json!("Kiel")],
            &Harvest::default(),
            "3\nKiel",
        );
    }

    #[test]
    fn a_long_summary_is_cut() {
        let harvest = Harvest {
            summary: Some("a".repeat(SHOWN_AT_MOST * 2)),
            ..Harvest::default()
        };
        let shown = text(&[], &harvest, Paint::off());
        let (first, last) = shown.split_once('\n').unwrap();
        assert_eq!(first.chars().count(), SHOWN_AT_MOST + 1);
        assert!(last.contains("runs show"), "{last}");
    }

    #[test]
    fn a_file_that_is_the_answer_is_its_path() {
        let harvest = Harvest {
            counts: Few {
                kept: vec!["csv_read: count 3".to_owned()],
                more: 0,
            },
            ..with_files(&["out/prices.json"])
        };
        let made = json!({"path": "out/prices.json", "bytes": 120});
        check(&[made], &harvest, "out/prices.json\ncsv_read: count 3");
    }
}
