//! What does the person who asked want to read first? What came out; then the files,
//! then what it cost and what was left out, and last how to look deeper.

mod figure;
mod shape;

use std::sync::Arc;

use holloway_engine::driver::Report;
use holloway_engine::entry::EndStatus;
use serde_json::{Value, json};

use super::ending::{self, Tone, exit_of};
use super::harvest::Harvest;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line, visible};

pub(crate) use figure::Wish;

/// A result or a summary that is longer than this is looked at with `runs show`.
const SHOWN_AT_MOST: usize = 4_000;
/// Rows of a table that is the answer, and of one that a figure stands on.
const ROWS: usize = 20;
const ROWS_BELOW: usize = 5;

pub(super) fn tell(
    report: &Report,
    status: EndStatus,
    result: Option<Arc<Value>>,
    harvest: &Harvest,
    wish: Option<&Wish>,
    tone: &Tone,
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
            "answer": figure(wish, result.as_deref()).or_else(|| harvest.summary.clone()),
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
        let text = text(result.as_deref(), harvest, wish, Paint::stdout());
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

/// Whether a run brought nothing that anybody could have wanted.
pub(super) fn is_empty(result: Option<&Value>, harvest: &Harvest, wish: Option<&Wish>) -> bool {
    let said = harvest.summary.is_some() || !harvest.figures.kept.is_empty();
    let made = !harvest.files.is_empty() || harvest.changed;
    !said && !made && figure(wish, result).is_none() && result.is_none_or(shape::is_empty)
}

fn figure(wish: Option<&Wish>, result: Option<&Value>) -> Option<String> {
    wish?.figure(result?)
}

fn text(result: Option<&Value>, harvest: &Harvest, wish: Option<&Wish>, paint: Paint) -> String {
    let mut lines = Vec::new();
    let mut label = format!("{} ", paint.cyan("file:"));
    match (&harvest.summary, result) {
        (_, Some(result)) if figure(wish, Some(result)).is_some() => {
            lines.extend(figure(wish, Some(result)));
            if result.is_array() || result.is_object() {
                lines.push(bounded(&shape::shaped(result, ROWS_BELOW, paint)));
            }
        }
        // A bare figure or text at the end is what was to be told.
        (_, Some(result)) if is_bare(result) => {
            lines.push(bounded(&shape::shaped(result, ROWS, paint)));
        }
        (Some(summary), _) => lines.push(bounded(&visible(summary))),
        (None, Some(result)) if harvest.files.is_empty() => {
            lines.push(bounded(&shape::shaped(result, ROWS, paint)));
        }
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

fn is_bare(result: &Value) -> bool {
    result.is_string() || result.is_number() || result.is_boolean()
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
            None,
            Paint::off(),
        );
        insta::assert_snapshot!(shown, @r"
        14 pages, 3 faults.
        file: out/audit.html
        left out: tls: no certificate
        ");
        let plain = text(Some(&json!(8.05)), &Harvest::default(), None, Paint::off());
        assert_eq!(plain, "8.05");
    }

    #[test]
    fn what_is_told_last_comes_before_what_was_made_on_the_way() {
        let harvest = Harvest {
            summary: Some("Tents sell in spring.".to_owned()),
            files: vec!["summary.txt".to_owned()],
            ..Harvest::default()
        };
        let shown = text(Some(&json!(4)), &harvest, None, Paint::off());
        assert_eq!(shown, "4\nfile: summary.txt");
    }

    #[test]
    fn a_long_summary_is_cut() {
        let harvest = Harvest {
            summary: Some("a".repeat(SHOWN_AT_MOST * 2)),
            ..Harvest::default()
        };
        let shown = text(None, &harvest, None, Paint::off());
        let (first, last) = shown.split_once('\n').unwrap();
        assert_eq!(first.chars().count(), SHOWN_AT_MOST + 1);
        assert!(last.contains("runs show"), "{last}");
    }

    #[test]
    fn the_figure_that_was_asked_for_stands_alone_on_the_first_line() {
        let rows = json!([{"shop": "A", "price": 10}, {"shop": "B", "price": 12}]);
        let table = json!({"columns": ["shop", "price"], "count": 2, "rows": rows});
        let wish = Wish::of("how many rows has prices.csv");
        let shown = text(
            Some(&table),
            &Harvest::default(),
            wish.as_ref(),
            Paint::off(),
        );
        insta::assert_snapshot!(shown, @r"
        2
        shop  price
        A     10
        B     12
        2 rows
        ");
    }

    #[test]
    fn a_file_that_is_the_answer_is_its_path() {
        let harvest = Harvest {
            files: vec!["out/prices.json".to_owned()],
            counts: Few {
                kept: vec!["csv_read: count 3".to_owned()],
                more: 0,
            },
            ..Harvest::default()
        };
        let made = json!({"path": "out/prices.json", "bytes": 120});
        let shown = text(Some(&made), &harvest, None, Paint::off());
        assert_eq!(shown, "out/prices.json\ncsv_read: count 3");
        assert!(!is_empty(Some(&made), &harvest, None));
        let nothing = json!({"rows": [], "count": 0});
        assert!(is_empty(Some(&nothing), &Harvest::default(), None));
        let none = Wish::of("how many rows are over 100");
        assert!(!is_empty(
            Some(&nothing),
            &Harvest::default(),
            none.as_ref()
        ));
    }
}
