//! How does a report become Markdown? Headings, tables and lists; charts as the numbers
//! behind them.

use std::fmt::Write as _;

use crate::chart::{Chart, Kind};
use crate::clean;
use crate::coded;
use crate::figure::{self, plain, with_unit};
use crate::grid::Grid;
use crate::grouping::{Group, groups, tally};
use crate::limits::bounded;
use crate::model::{Action, Align, Block, Callout, Findings, Report, Table};
use crate::plan;

const MOST_ROWS: usize = 1000;
/// Of a chart, more numbers than this say nothing in a text.
const MOST_VALUES: usize = 40;
const MOST_PLACES: usize = 12;

pub fn write(report: &Report) -> String {
    let report = bounded(report, MOST_ROWS);
    let mut out = format!("# {}\n", text(&report.title));
    if !report.subtitle.is_empty() {
        write!(out, "\n*{}*\n", text(&report.subtitle)).ok();
    }
    let byline = crate::html::byline(&report);
    let byline: Vec<String> = byline.iter().map(|part| text(part)).collect();
    if !byline.is_empty() {
        write!(out, "\n{}\n", byline.join(" · ")).ok();
    }
    if !report.summary.trim().is_empty() {
        write!(out, "\n{}\n", clean::clean(&report.summary).trim()).ok();
    }
    for block in &report.blocks {
        out.push('\n');
        block_into(&mut out, block);
    }
    out
}

/// On one line, with nothing that Markdown would read as its own.
pub(crate) fn text(text: &str) -> String {
    let text = clean::line(text);
    let characters: Vec<char> = text.chars().collect();
    let mut escaped = String::with_capacity(text.len() + 8);
    for (index, character) in characters.iter().enumerate() {
        let beside = |offset: isize| {
            let index = index.checked_add_signed(offset);
            index
                .and_then(|index| characters.get(index))
                .is_some_and(|other| other.is_alphanumeric())
        };
        let special = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' => true,
            // Within a word an underscore is only an underscore.
            '_' => !(beside(-1) && beside(1)),
            '>' => index == 0,
            // A heading or a bullet only with a space behind it.
            '#' | '+' | '-' => index == 0 && characters.get(1) == Some(&' '),
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(*character);
    }
    escaped
}

fn block_into(out: &mut String, block: &Block) {
    match block {
        Block::Heading(heading) => {
            let marks = "#".repeat(usize::from(heading.level.clamp(1, 3)) + 1);
            writeln!(out, "{marks} {}", text(&heading.text)).ok();
        }
        Block::Paragraph { text } => {
            writeln!(out, "{}", clean::clean(text).trim()).ok();
        }
        Block::Table(table) => table_into(out, table),
        Block::Figures { items } => {
            for item in items {
                let value = with_unit(&figure::text(&item.value), &item.unit);
                let change = if item.change.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", text(&item.change))
                };
                writeln!(out, "- **{}:** {}{change}", text(&item.label), text(&value)).ok();
            }
        }
        Block::Chart(chart) => chart_into(out, chart),
        Block::Findings(findings) => findings_into(out, findings),
        Block::Scores { items } => {
            row(out, ["Score", "of 100", ""].map(str::to_owned));
            row(out, ["---", "---:", "---"].map(str::to_owned));
            for score in items {
                row(
                    out,
                    [
                        text(&score.name),
                        score.value.map_or_else(
                            || "–".to_owned(),
                            |value| plain(value.clamp(0.0, 100.0).round()),
                        ),
                        text(&score.note),
                    ],
                );
            }
        }
        Block::Actions { items, start } => {
            let (full, rest) = plan::split(items, *start);
            for (index, action) in full.iter().enumerate() {
                action_into(out, start + index, action);
            }
            if let Some(rest) = rest {
                out.push('\n');
                table_into(out, &rest);
            }
        }
        Block::Callout(callout) => callout_into(out, callout),
        Block::Images { items } => {
            for image in items {
                let words = [text(&image.alt), text(&image.caption)];
                let words = words.into_iter().filter(|part| !part.is_empty());
                writeln!(out, "*Picture: {}*", words.collect::<Vec<_>>().join(". ")).ok();
            }
        }
        Block::PageBreak => out.push_str("---\n"),
    }
}

fn row(out: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    writeln!(out, "| {} |", cells.join(" | ")).ok();
}

fn table_into(out: &mut String, table: &Table) {
    if !table.title.is_empty() {
        write!(out, "**{}**\n\n", text(&table.title)).ok();
    }
    let grid = Grid::new(table);
    if grid.columns.is_empty() {
        out.push_str("*No rows*\n");
    } else {
        row(out, grid.columns.iter().map(|column| text(&column.title)));
        row(
            out,
            grid.columns
                .iter()
                .map(|column| mark(column.align).to_owned()),
        );
        for cells in grid.rows().iter().map(|row| grid.texts(row)) {
            let lines = cells
                .iter()
                .map(|cell| cell.lines().map(text).collect::<Vec<_>>().join("<br>"));
            row(out, lines);
        }
    }
    if !table.note.is_empty() {
        write!(out, "\n*{}*\n", text(&table.note)).ok();
    }
}

fn mark(align: Align) -> &'static str {
    match align {
        Align::Right => "---:",
        Align::Center => ":---:",
        Align::Auto | Align::Left => "---",
    }
}

fn chart_into(out: &mut String, chart: &Chart) {
    if !chart.title.is_empty() {
        write!(out, "**{}**\n\n", text(&chart.title)).ok();
    }
    let described = chart.scene().description;
    let values = chart
        .series
        .iter()
        .map(|series| series.values.len())
        .max()
        .unwrap_or(0);
    if matches!(chart.kind, Kind::Scatter | Kind::Histogram) || values == 0 || values > MOST_VALUES
    {
        writeln!(out, "*{}*", text(&described)).ok();
        return;
    }
    let names = chart
        .series
        .iter()
        .enumerate()
        .map(|(index, series)| match series.name.as_str() {
            "" if chart.series.len() == 1 => with_unit("Value", &chart.unit),
            "" => format!("Series {}", index + 1),
            name => text(name),
        });
    row(out, std::iter::once(text(&chart.x_title)).chain(names));
    row(
        out,
        std::iter::once("---".to_owned()).chain(chart.series.iter().map(|_| "---:".to_owned())),
    );
    for index in 0..values {
        let label = chart
            .labels
            .get(index)
            .map_or_else(|| (index + 1).to_string(), |label| text(label));
        let cells = chart.series.iter().map(|series| {
            let value = series.values.get(index).copied().flatten();
            value.map_or_else(
                || "–".to_owned(),
                |value| with_unit(&plain(value), &chart.unit),
            )
        });
        row(out, std::iter::once(label).chain(cells));
    }
}

fn findings_into(out: &mut String, findings: &Findings) {
    if !findings.title.is_empty() {
        write!(out, "### {}\n\n", text(&findings.title)).ok();
    }
    if findings.items.is_empty() {
        out.push_str("*Nothing was found.*\n");
        return;
    }
    let counts = tally(&findings.items)
        .into_iter()
        .map(|(severity, count)| format!("{count} {}", severity.name().to_lowercase()));
    writeln!(out, "{}", counts.collect::<Vec<_>>().join(", ")).ok();
    for group in groups(&findings.items, MOST_PLACES) {
        group_into(out, &group);
    }
}

fn group_into(out: &mut String, group: &Group) {
    write!(
        out,
        "\n#### {}: {}\n\n{}\n",
        group.severity.name(),
        coded::markdown(group.heading()),
        text(&group.facts())
    )
    .ok();
    if !group.mend.is_empty() {
        write!(out, "\n{}\n", coded::markdown(&group.mend)).ok();
    }
    out.push('\n');
    for spot in &group.places {
        let parts = [text(&spot.page), code(&spot.element), text(&spot.evidence)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if !parts.is_empty() {
            writeln!(out, "- {}", parts.join(" — ")).ok();
        }
    }
    if group.hidden() > 0 {
        writeln!(out, "- and {} more", group.hidden()).ok();
    }
}

fn code(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("`{}`", text.replace('`', "'"))
    }
}

fn action_into(out: &mut String, number: usize, action: &Action) {
    write!(out, "{number}. **{}**", coded::markdown(&action.title)).ok();
    let facts = [
        ("priority", &action.priority),
        ("impact", &action.impact),
        ("effort", &action.effort),
    ];
    let mut facts: Vec<String> = facts
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}: {}", text(value)))
        .collect();
    if !action.domain.is_empty() {
        facts.push(text(&action.domain));
    }
    if !facts.is_empty() {
        write!(out, " ({})", facts.join(", ")).ok();
    }
    if !action.detail.is_empty() {
        write!(out, "  \n   {}", coded::markdown(&action.detail)).ok();
    }
    out.push('\n');
    for place in &action.places {
        let parts = [
            text(&place.page),
            code(&place.element),
            text(&place.evidence),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        writeln!(out, "   - {}", parts.join(" — ")).ok();
    }
    if action.more > 0 {
        writeln!(out, "   - and {} more", action.more).ok();
    }
}

fn callout_into(out: &mut String, callout: &Callout) {
    if !callout.title.is_empty() {
        write!(out, "> **{}**\n>\n", text(&callout.title)).ok();
    }
    for line in clean::clean(&callout.text).trim().lines() {
        writeln!(out, "> {line}").ok();
    }
}
