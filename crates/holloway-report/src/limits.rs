//! How much of a report can a person read? Every writer takes a bounded copy; what is
//! left out is said where it is missing.

use crate::clean::shorten;
use crate::figure::decimal;
use crate::model::{Action, Block, Report, Table};

pub(crate) const MOST_BLOCKS: usize = 2000;
const LONGEST_TEXT: usize = 200_000;
const LONGEST_LINE: usize = 500;
const MOST_FINDINGS: usize = 20_000;
const MOST_ITEMS: usize = 500;
/// Places of one action.
const MOST_PLACES: usize = 20;

/// A copy in which no text is endless and no table longer than `rows`.
pub fn bounded(report: &Report, rows: usize) -> Report {
    let mut blocks = Vec::new();
    for block in report.blocks.iter().take(MOST_BLOCKS) {
        blocks.push(bounded_block(block, rows));
        blocks.extend(findings_left_out(block));
    }
    if report.blocks.len() > MOST_BLOCKS {
        let note = format!(
            "*{} more blocks are left out.*",
            report.blocks.len() - MOST_BLOCKS
        );
        blocks.push(Block::Paragraph { text: note });
    }
    Report {
        title: shorten(&report.title, LONGEST_LINE),
        subtitle: shorten(&report.subtitle, LONGEST_LINE),
        date: shorten(&report.date, LONGEST_LINE),
        author: shorten(&report.author, LONGEST_LINE),
        facts: report
            .facts
            .iter()
            .take(12)
            .map(|fact| shorten(fact, LONGEST_LINE))
            .collect(),
        language: shorten(&report.language, 35),
        summary: long_text(&report.summary),
        blocks,
    }
}

fn long_text(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => {
            let kept = text.get(..end).unwrap_or_default();
            let all = decimal(text.chars().count() as f64, 0);
            let shown = decimal(LONGEST_TEXT as f64, 0);
            format!("{kept}…\n\n*The first {shown} of {all} characters are shown.*")
        }
    }
}

/// What is said behind findings of which not all are shown.
fn findings_left_out(block: &Block) -> Option<Block> {
    let Block::Findings(findings) = block else {
        return None;
    };
    let left_out = findings.items.len().checked_sub(MOST_FINDINGS + 1)? + 1;
    let shown = decimal(MOST_FINDINGS as f64, 0);
    let all = decimal(findings.items.len() as f64, 0);
    let left_out = decimal(left_out as f64, 0);
    let text = format!("*The first {shown} of {all} findings are shown; {left_out} are left out.*");
    Some(Block::Paragraph { text })
}

fn bounded_block(block: &Block, rows: usize) -> Block {
    match block {
        Block::Paragraph { text } => Block::Paragraph {
            text: long_text(text),
        },
        Block::Table(table) => Block::Table(bounded_table(table, rows)),
        Block::Heading(heading) => {
            let mut heading = heading.clone();
            heading.text = shorten(&heading.text, LONGEST_LINE);
            Block::Heading(heading)
        }
        Block::Callout(callout) => {
            let mut callout = callout.clone();
            callout.title = shorten(&callout.title, LONGEST_LINE);
            callout.text = long_text(&callout.text);
            Block::Callout(callout)
        }
        Block::Findings(findings) => {
            let mut findings = findings.clone();
            findings.items.truncate(MOST_FINDINGS);
            Block::Findings(findings)
        }
        Block::Figures { items } => Block::Figures {
            items: items.iter().take(MOST_ITEMS).cloned().collect(),
        },
        Block::Scores { items } => Block::Scores {
            items: items.iter().take(40).cloned().collect(),
        },
        Block::Actions { items, start } => Block::Actions {
            items: items.iter().take(MOST_ITEMS).map(bounded_action).collect(),
            start: *start,
        },
        Block::Images { .. } | Block::Chart(_) | Block::PageBreak => block.clone(),
    }
}

fn bounded_action(action: &Action) -> Action {
    let mut action = action.clone();
    let left_out = action.places.len().saturating_sub(MOST_PLACES);
    action.places.truncate(MOST_PLACES);
    action.more += left_out;
    action
}

fn bounded_table(table: &Table, rows: usize) -> Table {
    let mut short = Table {
        title: shorten(&table.title, LONGEST_LINE),
        columns: table.columns.clone(),
        rows: table.rows.iter().take(rows).cloned().collect(),
        note: shorten(&table.note, LONGEST_TEXT),
    };
    if table.rows.len() > rows {
        let shown = decimal(rows as f64, 0);
        let all = decimal(table.rows.len() as f64, 0);
        let note = format!("The first {shown} of {all} rows are shown.");
        short.note = if short.note.is_empty() {
            note
        } else {
            format!("{note} {}", short.note)
        };
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Finding, Findings};
    use serde_json::json;

    #[test]
    fn findings_that_are_left_out_are_counted() {
        let check = |count: usize, expected: &[&str]| {
            let findings = Findings {
                items: vec![Finding::default(); count],
                ..Findings::default()
            };
            let report = Report {
                blocks: vec![Block::Findings(findings)],
                ..Report::default()
            };
            let short = bounded(&report, 10);
            let notes = short.blocks.iter().filter_map(|block| match block {
                Block::Paragraph { text } => Some(text.as_str()),
                _ => None,
            });
            assert_eq!(notes.collect::<Vec<_>>(), expected, "{count}");
        };
        check(MOST_FINDINGS, &[]);
        check(
            MOST_FINDINGS + 1,
            &["*The first 20,000 of 20,001 findings are shown; 1 are left out.*"],
        );
        check(
            25_000,
            &["*The first 20,000 of 25,000 findings are shown; 5,000 are left out.*"],
        );
    }

    #[test]
    fn what_is_left_out_is_said() {
        let table = Table {
            rows: vec![json!([1]); 100_000],
            note: "Source: test".to_owned(),
            ..Table::default()
        };
        let report = Report {
            summary: "x".repeat(300_000),
            blocks: vec![Block::Table(table)],
            ..Report::default()
        };
        let short = bounded(&report, 1000);
        assert!(
            short
                .summary
                .ends_with("*The first 200,000 of 300,000 characters are shown.*")
        );
        let [Block::Table(table)] = short.blocks.as_slice() else {
            panic!("one table")
        };
        assert_eq!(table.rows.len(), 1000);
        assert_eq!(
            table.note,
            "The first 1,000 of 100,000 rows are shown. Source: test"
        );
    }
}
