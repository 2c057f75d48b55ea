//! How does a report become one HTML file? Everything is inside: style, charts, text.
//! Nothing is loaded from elsewhere and nothing runs.

use std::fmt::Write as _;

use crate::chart::{self, inline};
use crate::clean::{self, escape};
use crate::coded;
use crate::figure;
use crate::limits::bounded;
use crate::model::{Action, Block, Callout, Figure, Report, Score, Tone};
use crate::plan;

mod contents;
mod findings;
mod prose;
mod table;

pub use prose::markdown_to_html;

/// A screen can scroll, but not without end.
const MOST_ROWS: usize = 2000;
const STYLE: &str = include_str!("html/style.css");

pub fn write(report: &Report) -> String {
    let report = bounded(report, MOST_ROWS);
    let mut page = Page::default();
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

fn head(report: &Report) -> String {
    let mut head = format!(
        "<header>\n<h1>{}</h1>\n",
        escape(&clean::line(&report.title))
    );
    if !report.subtitle.is_empty() {
        writeln!(
            head,
            "<p class=\"subtitle\">{}</p>",
            escape(&clean::line(&report.subtitle))
        )
        .ok();
    }
    let byline = [&report.date, &report.author].map(|text| escape(&clean::line(text)));
    let byline: Vec<String> = byline.into_iter().filter(|text| !text.is_empty()).collect();
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
            Block::Findings(found) => self.body.push_str(&findings::html(found)),
            Block::Scores { items } => self.scores(items),
            Block::Actions { items } => self.body.push_str(&actions(items)),
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

fn actions(items: &[Action]) -> String {
    let (full, rest) = plan::split(items);
    let mut html = String::from("<ol class=\"actions\">\n");
    for action in full {
        write!(
            html,
            "<li><strong>{}</strong>",
            coded::html(&clean::line(&action.title))
        )
        .ok();
        for (name, value) in [
            ("Priority", &action.priority),
            ("Impact", &action.impact),
            ("Effort", &action.effort),
            ("", &action.domain),
        ] {
            if !value.is_empty() {
                let name = if name.is_empty() {
                    String::new()
                } else {
                    format!("{name}: ")
                };
                write!(
                    html,
                    " <span class=\"tag\">{name}{}</span>",
                    escape(&clean::line(value))
                )
                .ok();
            }
        }
        if !action.detail.is_empty() {
            write!(html, "\n<p>{}</p>", coded::html(&action.detail)).ok();
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ol>\n");
    if let Some(rest) = rest {
        html.push_str(&table::html(&rest));
    }
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
