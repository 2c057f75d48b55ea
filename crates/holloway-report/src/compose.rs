//! How do the results of other tools become a report? Each is taken as it comes: scores,
//! findings, action plans, rows, classes, outliers. Charts are chosen by what the data is.

use serde::Deserialize;
use serde_json::Value;

use crate::Error;
use crate::clean;
use crate::figure;
use crate::model::{Block, Callout, Figure, Finding, Findings, Heading, Report, Severity, Tone};

mod actions;
mod data;
mod described;
mod findings;
mod pick;
mod rows;
mod scores;
mod sections;
mod series;

pub use described::chart;

/// What a report is made from; everything but the title may be left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parts {
    pub title: String,
    pub subtitle: String,
    pub date: String,
    pub author: String,
    pub language: Option<String>,
    pub summary: Value,
    pub figures: Value,
    pub scores: Value,
    pub findings: Value,
    pub actions: Value,
    pub data: Value,
    pub charts: Value,
    pub tables: Value,
    pub sections: Value,
    pub notes: Value,
}

/// The report that these parts make, the most important first. A part that is not
/// understood is an error: left out, it would read as if all were well.
pub fn compose(parts: &Parts) -> Result<Report, Error> {
    let scores = scores::scores(&parts.scores)?;
    let mut findings = findings::findings(&parts.findings)?;
    let titles = actions::titles(&parts.actions);
    for finding in findings
        .iter_mut()
        .filter(|finding| finding.title.is_empty())
    {
        // What the plan calls it is easier to read than the name of a rule.
        finding.title = titles.get(&finding.rule).cloned().unwrap_or_default();
    }
    let actions = actions::actions(&parts.actions)?;
    let mut blocks = Vec::new();
    let mut figures = given_figures(&parts.figures);
    if figures.is_empty() && !parts.findings.is_null() {
        figures = counted(&findings, &parts.findings);
    }
    if !figures.is_empty() {
        blocks.push(Block::Figures { items: figures });
    }
    if !scores.is_empty() {
        chapter(&mut blocks, "Scores");
        blocks.push(Block::Scores { items: scores });
    }
    if !actions.is_empty() {
        chapter(&mut blocks, "What to do");
        blocks.push(Block::Actions {
            items: actions,
            start: 1,
        });
    }
    if !parts.findings.is_null() {
        chapter(&mut blocks, "Findings");
        blocks.extend(findings::charts(&findings).into_iter().map(Block::Chart));
        blocks.push(Block::Findings(Findings {
            items: findings,
            ..Findings::default()
        }));
    }
    blocks.extend(sections::sections(&parts.sections)?);
    blocks.extend(data::blocks(&parts.data));
    blocks.extend(described::charts(&parts.charts));
    blocks.extend(described::tables(&parts.tables)?);
    if let Some(text) = pick::text(&parts.notes) {
        chapter(&mut blocks, "Notes");
        blocks.push(Block::Paragraph { text });
    }
    Ok(Report {
        title: if parts.title.trim().is_empty() {
            "Report".to_owned()
        } else {
            clean::line(&parts.title)
        },
        subtitle: parts.subtitle.clone(),
        date: parts.date.clone(),
        author: parts.author.clone(),
        facts: Vec::new(),
        language: parts.language.clone().unwrap_or_else(|| "en".to_owned()),
        summary: pick::text(&parts.summary).unwrap_or_default(),
        blocks,
    })
}

/// A document from Markdown alone: its first heading is the title unless one is given.
pub fn from_markdown(markdown: &str, title: Option<&str>) -> Report {
    let trimmed = markdown.trim_start();
    let (first, rest) = trimmed.split_once('\n').unwrap_or((trimmed, ""));
    let heading = first.strip_prefix("# ").map(clean::line);
    let (title, text) = match (title, heading) {
        (Some(title), _) => (clean::line(title), markdown),
        (None, Some(heading)) => (heading, rest),
        (None, None) => ("Document".to_owned(), markdown),
    };
    let mut blocks = Vec::new();
    let mut prose = String::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let marks = line.chars().take_while(|letter| *letter == '#').count();
        let words = line.get(marks..).and_then(|rest| rest.strip_prefix(' '));
        match words {
            // Headings outside the prose are what contents and outline are made of.
            Some(words) if (1..=4).contains(&marks) && !fenced => {
                push_prose(&mut blocks, &mut prose);
                let level = u8::try_from(marks.saturating_sub(1).clamp(1, 3)).unwrap_or(1);
                let text = words.trim_end_matches(['#', ' ']);
                blocks.push(Block::Heading(Heading {
                    text: unmarked(text),
                    level,
                }));
            }
            _ => {
                prose.push_str(line);
                prose.push('\n');
            }
        }
    }
    push_prose(&mut blocks, &mut prose);
    Report {
        title,
        language: "en".to_owned(),
        blocks,
        ..Report::default()
    }
}

/// The words of a heading without the marks of emphasis.
fn unmarked(text: &str) -> String {
    let parts = crate::rich::parts(text);
    let spans = parts.iter().flat_map(|part| match part {
        crate::rich::Part::Paragraph(spans) => spans.as_slice(),
        _ => &[],
    });
    let words: String = spans.map(|span| span.text.as_str()).collect();
    if words.is_empty() {
        clean::line(text)
    } else {
        clean::line(&words)
    }
}

fn push_prose(blocks: &mut Vec<Block>, prose: &mut String) {
    let text = std::mem::take(prose);
    if !text.trim().is_empty() {
        blocks.push(Block::Paragraph { text });
    }
}

pub(crate) fn chapter(blocks: &mut Vec<Block>, text: &str) {
    blocks.push(Block::Heading(Heading {
        text: text.to_owned(),
        level: 1,
    }));
}

fn given_figures(value: &Value) -> Vec<Figure> {
    match value {
        Value::Array(items) => items.iter().filter_map(figure).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_array() && !value.is_null())
            .map(|(name, value)| match figure(value) {
                Some(figure) => figure,
                None => Figure {
                    label: clean::words(name),
                    value: value.clone(),
                    ..Figure::default()
                },
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn figure(value: &Value) -> Option<Figure> {
    let label = pick::string(value, &["label", "name", "title"])?;
    let shown = pick::any(value, &["value", "score", "count"])?.clone();
    let tone = value
        .get("tone")
        .cloned()
        .and_then(|tone| serde_json::from_value(tone).ok());
    Some(Figure {
        label,
        value: shown,
        unit: pick::string(value, &["unit"]).unwrap_or_default(),
        change: pick::string(value, &["change", "note"]).unwrap_or_default(),
        tone: tone.unwrap_or(Tone::Neutral),
    })
}

/// How many pages and how many findings of the two worst kinds.
fn counted(findings: &[Finding], source: &Value) -> Vec<Figure> {
    let count = |severity| {
        findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    let figure = |label: &str, value: usize, tone| Figure {
        label: label.to_owned(),
        value: Value::from(value),
        tone,
        ..Figure::default()
    };
    let mut figures = Vec::new();
    if let Some(pages) = pick::number(source, &["pages", "checked"]).filter(|pages| *pages >= 0.0) {
        figures.push(figure("Pages checked", pages as usize, Tone::Neutral));
    }
    figures.push(figure(
        "Findings",
        findings.len(),
        if findings.is_empty() {
            Tone::Good
        } else {
            Tone::Neutral
        },
    ));
    for (severity, tone) in [
        (Severity::Critical, Tone::Poor),
        (Severity::Serious, Tone::Fair),
    ] {
        let number = count(severity);
        figures.push(figure(
            severity.name(),
            number,
            if number == 0 { Tone::Good } else { tone },
        ));
    }
    figures
}

/// A remark in the tone of good or bad news.
pub(crate) fn remark(text: String, tone: Tone) -> Block {
    Block::Callout(Callout {
        tone,
        title: String::new(),
        text,
    })
}

/// Names and values of an object as a line each.
pub(crate) fn facts(fields: &serde_json::Map<String, Value>) -> String {
    let lines = fields.iter().map(|(name, value)| {
        format!(
            "- **{}:** {}",
            crate::markdown::text(&clean::words(name)),
            crate::markdown::text(&figure::text(value))
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
