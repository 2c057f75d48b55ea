//! How does a report become one HTML file? Everything is inside: style, charts, text.
//! Nothing is loaded from elsewhere and nothing runs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::chart::{self, inline};
use crate::clean::{self, escape};
use crate::figure;
use crate::limits::bounded;
use crate::model::{Block, Callout, Figure, Report, Score, Tone};

mod actions;
mod contents;
mod findings;
mod image;
mod prose;
mod spot;
mod table;

pub use prose::markdown_to_html;

/// A screen can scroll, but not without end.
const MOST_ROWS: usize = 2000;
const STYLE: &str = include_str!("html/style.css");

pub fn write(report: &Report) -> String {
    let report = bounded(report, MOST_ROWS);
    let mut page = Page {
        rules: rules(&report),
        ..Page::default()
    };
    for block in &report.blocks {
        page.block(block);
    }
    let contents = contents::list(&page.headings);
    let title = escape(&clean::line(&report.title));
    let language: String = report
        .language
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}{contents}{}</main>\n</body>\n</html>\n",
        head(&report),
        page.body
    )
}

/// Date, facts and author, as far as they are said.
pub(crate) fn byline(report: &Report) -> Vec<String> {
    let parts = std::iter::once(&report.date)
        .chain(&report.facts)
        .chain([&report.author]);
    let parts = parts.map(|text| clean::line(text));
    parts.filter(|text| !text.is_empty()).collect()
}

/// What an action can lead to.
fn rules(report: &Report) -> BTreeSet<String> {
    let findings = report.blocks.iter().filter_map(|block| match block {
        Block::Findings(findings) => Some(&findings.items),
        _ => None,
    });
    let rules = findings.flatten().map(|finding| finding.rule.clone());
    rules.collect()
}

/// The anchor of a rule.
fn anchor(rule: &str) -> String {
    let plain = rule
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-');
    format!("rule-{}", plain.collect::<String>())
}

fn head(report: &Report) -> String {
    let mut head = format!(
        "<header>\n<h1>{}</h1>\n",
        escape(&clean::line(&report.title))
    );
    if !report.subtitle.is_empty() {
        let text = escape(&clean::line(&report.subtitle));
        // An address is what the report is about: it can be opened.
        let linked = match clean::outside_link(&report.subtitle) {
            Some(target) if report.subtitle.starts_with("http") => {
                format!("<a href=\"{}\">{text}</a>", escape(&target))
            }
            _ => text,
        };
        writeln!(head, "<p class=\"subtitle\">{linked}</p>").ok();
    }
    let byline = byline(report);
    let byline: Vec<String> = byline.iter().map(|text| escape(text)).collect();
    if !byline.is_empty() {
        writeln!(head, "<p class=\"byline\">{}</p>", byline.join(" · ")).ok();
    }
    head.push_str("</header>\n");
    if !report.summary.trim().is_empty() {
        write!(
            head,
            "<section class=\"summary\" aria-label=\"Summary\">\n{}</section>\n",
            prose::convert(&report.summary)
        )
        .ok();
    }
    head
}

/// What has been written so far.
#[derive(Default)]
struct Page {
    body: String,
    /// Level, identifier and text of each heading.
    headings: Vec<(u8, String, String)>,
    drawings: usize,
    /// Rules whose findings are in this document.
    rules: BTreeSet<String>,
    /// Those that an anchor stands for already.
    anchored: BTreeSet<String>,
}

impl Page {
    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(heading) => {
                let text = clean::line(&heading.text);
                let level = heading.level.clamp(1, 3);
                let id = format!("s{}", self.headings.len() + 1);
                writeln!(
                    self.body,
                    "<h{0} id=\"{id}\">{1}</h{0}>",
                    level + 1,
                    escape(&text)
                )
                .ok();
                self.headings.push((level, id, text));
            }
            Block::Paragraph { text } => self.body.push_str(&prose::convert(text)),
            Block::Table(table) => self.body.push_str(&table::html(table)),
            Block::Figures { items } => self.body.push_str(&figures(items)),
            Block::Chart(chart) => self.drawing(&chart.scene()),
            Block::Findings(found) => {
                let html = findings::html(found, &mut self.anchored);
                self.body.push_str(&html);
            }
            Block::Scores { items } => self.scores(items),
            Block::Actions { items, start } => {
                let html = actions::html(items, *start, &self.rules);
                self.body.push_str(&html);
            }
            Block::Images { items } => self.body.push_str(&image::row(items)),
            Block::Callout(callout) => self.body.push_str(&callout_html(callout)),
            Block::PageBreak => self.body.push_str("<div class=\"page-break\"></div>\n"),
        }
    }

    fn drawing(&mut self, scene: &chart::Scene) {
        self.drawings += 1;
        let id = format!("c{}", self.drawings);
        write!(
            self.body,
            "<figure class=\"chart\">\n{}</figure>\n",
            inline(scene, &id)
        )
        .ok();
    }

    fn scores(&mut self, scores: &[Score]) {
        if !scores.is_empty() {
            self.drawing(&chart::gauges(scores));
        }
    }
}

fn tone_name(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Fair => "fair",
        Tone::Poor => "poor",
        Tone::Neutral => "neutral",
    }
}

fn figures(items: &[Figure]) -> String {
    let mut html = String::from("<dl class=\"figures\">\n");
    for item in items {
        let value = figure::with_unit(&figure::text(&item.value), &item.unit);
        write!(
            html,
            "<div class=\"tone-{}\"><dt>{}</dt><dd>{}</dd>",
            tone_name(item.tone),
            escape(&clean::line(&item.label)),
            escape(&value)
        )
        .ok();
        if !item.change.is_empty() {
            write!(
                html,
                "<dd class=\"change\">{}</dd>",
                escape(&clean::line(&item.change))
            )
            .ok();
        }
        html.push_str("</div>\n");
    }
    html.push_str("</dl>\n");
    html
}

fn callout_html(callout: &Callout) -> String {
    let title = if callout.title.is_empty() {
        String::new()
    } else {
        format!(
            "<p class=\"callout-title\">{}</p>\n",
            escape(&clean::line(&callout.title))
        )
    };
    format!(
        "<aside class=\"callout tone-{}\">\n{title}{}</aside>\n",
        tone_name(callout.tone),
        prose::convert(&callout.text)
    )
}
