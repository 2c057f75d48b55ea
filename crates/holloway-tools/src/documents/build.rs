//! `report-build`: which document do these results make?

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::Effect;
use holloway_report::compose::{Parts, compose};
use holloway_report::markdown;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::{Pure, within_limit};
use super::super::{Tool, arguments};
use super::failure;

pub(crate) fn tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "report-build",
        title: "Build a report",
        category: "report",
        description: "Makes a structured report from the results of other tools, as they are: scores (gauges), check results with \
            `findings` (grouped by rule, charted by area and severity), an action plan (numbered), rows, trends, histograms and \
            outliers (tables, and the chart that fits: lines over time, bars over names, points over numbers), and own \
            sections. Use it as the step before report-write. Returns the report, for report-write, and the same as Markdown.",
        effect: Effect::Read,
        latency_ms: 20,
        input: input(
            &["title"],
            json!({
                "title": {"type": "string"},
                "subtitle": {"type": "string"},
                "date": {"type": "string", "description": "As it is to be read, such as 16 November 2026"},
                "author": {"type": "string"},
                "language": {"type": "string", "default": "en", "description": "Language of the text, such as en or de"},
                "summary": {"description": "Markdown, a list of sentences, or a result with a text"},
                "figures": {"type": ["array", "object", "null"], "description": "Key figures: {name: value} or [{label, value, unit?, change?, tone?: good|fair|poor|neutral}]; counted from the findings when left out"},
                "scores": {"description": "0 to 100: {name: number}, [{name, score, note?}], or {score, domains: {...}}"},
                "findings": {"description": "Findings, check results with `findings`, or lists of these"},
                "actions": {"description": "A list of texts or of {title, detail?, priority?, effort?, impact?}, or a result with `actions`"},
                "data": {"description": "Results of data tools by name; each becomes a section with chart and table"},
                "charts": {"type": ["array", "object", "null"], "description": "Charts as chart-draw takes them"},
                "tables": {"type": ["array", "object", "null"], "description": "Rows by name, or [{title?, columns?: [{key, title?, align?, format?: integer|number|percent|bytes|date, decimals?, unit?}], rows, note?}]"},
                "sections": {"type": ["array", "object", "null"], "description": "[{title, text?: Markdown, data?, chart?, table?, findings?, level?}], or blocks: {type: heading|paragraph|table|figures|chart|findings|scores|actions|callout|page-break, ...}"},
                "notes": {"description": "Markdown or a list of texts for the end: method, sources"}
            }),
        ),
        output: output(
            &["report", "markdown"],
            json!({
                "report": {"type": "object", "description": "Title, summary and blocks, as report-write takes it"},
                "markdown": {"type": "string"}
            }),
        ),
        example: json!({
            "title": "Site audit",
            "date": "16 November 2026",
            "summary": "The site is **fast**, but two images have no text.",
            "scores": {"seo": 92, "accessibility": 61},
            "findings": [{"findings": [{"rule": "image-alt", "domain": "accessibility", "severity": "critical", "where": {"page": "/"}, "evidence": "<img src=a.png>", "mend": "Add an alt text."}]}],
            "actions": ["Describe the images"],
            "data": {"visits": {"rows": [{"day": "2026-11-14", "visits": 120}, {"day": "2026-11-15", "visits": 131}, {"day": "2026-11-16", "visits": 128}]}}
        }),
        does: &[
            r#"report table:data -> report:report with title=title title:="Report""#,
            r#"tabulate table:data -> report:report with title=title title:="Report""#,
            r#"compose findings[]:findings score:scores? actions:actions? -> report:report with title=title title:="Report""#,
        ],
    };
    Pure::pooled(spec.builtin(), build)
}

fn build(arguments: &Value) -> Result<Value, ToolFailure> {
    let parts: Parts = arguments::parse(arguments)?;
    if parts.title.trim().is_empty() {
        return Err(ToolFailure::invalid("`title` is missing"));
    }
    let report = compose(&parts).map_err(failure)?;
    let markdown = markdown::write(&report);
    within_limit(markdown.len())?;
    Ok(json!({ "report": report, "markdown": markdown }))
}
