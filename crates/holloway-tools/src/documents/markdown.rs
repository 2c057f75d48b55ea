//! How does Markdown become a page or a paper? `markdown-to-html`, `html-write` and
//! `pdf-write`.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_report::{Report, compose, html, pdf};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::{Pure, within_limit};
use super::super::{Tool, arguments};
use super::{Files, failure, path_schema};

pub(crate) fn to_html_tool() -> Arc<dyn Tool> {
    let spec = Declaration {
        name: "markdown-to-html",
        title: "Markdown to HTML",
        category: "text",
        description: "Turns Markdown (with tables, strikethrough and task lists) into an HTML fragment. Raw HTML in it is shown as \
            text, links keep only safe targets and images become their description, so the result cannot run scripts or load \
            anything. Use it to show text in a page or a mail. Returns the HTML.",
        effect: Effect::Read,
        latency_ms: 2,
        input: input(&["markdown"], json!({"markdown": {"type": "string"}})),
        output: output(&["html"], json!({"html": {"type": "string"}})),
        example: json!({"markdown": "# Hello\n\n*World*"}),
        does: &[],
    };
    Pure::tool(spec.builtin(), to_html)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    markdown: String,
}

fn to_html(arguments: &Value) -> Result<Value, ToolFailure> {
    let arguments: Text = arguments::parse(arguments)?;
    let html = html::markdown_to_html(&arguments.markdown);
    within_limit(html.len())?;
    Ok(json!({ "html": html }))
}

pub(crate) fn html_spec() -> ToolSpec {
    Declaration {
        name: "html-write",
        title: "Write an HTML page",
        category: "files",
        description: "Writes Markdown as one self-contained, styled HTML page into a granted folder: no scripts, nothing loaded \
            from elsewhere, good to print, with contents when it is long. Use it to hand a text to people; for results of tools \
            use report-build and report-write. Returns the path and the bytes.",
        effect: Effect::Idempotent,
        latency_ms: 30,
        input: input(&["markdown", "path"], page_properties(&json!({}))),
        output: written(),
        example: json!({"markdown": "# Hello\n\n*World*", "path": "hello.html"}),
        does: &[
            "save text.markdown|text.text:markdown -> file.html:path with path=target.path title=title",
        ],
    }
    .builtin()
}

pub(crate) fn pdf_spec() -> ToolSpec {
    let paper = json!({"paper": {"type": "string", "enum": ["a4", "letter"], "default": "a4"}});
    Declaration {
        name: "pdf-write",
        title: "Write a PDF",
        category: "files",
        description: "Writes Markdown as a PDF into a granted folder: headings with an outline, lists, tables, code, links, page \
            numbers, embedded fonts for Latin, Greek, Cyrillic, Hebrew and Arabic. Use it to hand a text to people; for results \
            of tools use report-build and report-write. Returns the path and the bytes.",
        effect: Effect::Idempotent,
        latency_ms: 100,
        input: input(&["markdown", "path"], page_properties(&paper)),
        output: written(),
        example: json!({"markdown": "# Hello\n\n*World*", "path": "hello.pdf", "date": "16 November 2026"}),
        does: &[
            "save text.markdown|text.text:markdown -> file.pdf:path with path=target.path title=title",
        ],
    }
    .builtin()
}

fn page_properties(more: &Value) -> Value {
    let mut properties = json!({
        "markdown": {"type": "string"},
        "path": path_schema(),
        "title": {"type": "string", "description": "The first heading when left out"},
        "subtitle": {"type": "string"},
        "date": {"type": "string", "description": "As it is to be read"},
        "author": {"type": "string"}
    });
    if let (Some(properties), Some(more)) = (properties.as_object_mut(), more.as_object()) {
        properties.extend(more.clone());
    }
    properties
}

fn written() -> Value {
    output(
        &["path", "bytes"],
        json!({"path": {"type": "string"}, "bytes": {"type": "integer"}}),
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    markdown: String,
    path: String,
    title: Option<String>,
    #[serde(default)]
    subtitle: String,
    #[serde(default)]
    date: String,
    #[serde(default)]
    author: String,
    paper: Option<pdf::Paper>,
}

impl Document {
    fn report(&self) -> Report {
        Report {
            subtitle: self.subtitle.clone(),
            date: self.date.clone(),
            author: self.author.clone(),
            ..compose::from_markdown(&self.markdown, self.title.as_deref())
        }
    }

    fn save(&self, files: &Files<'_>, bytes: &[u8]) -> Result<Value, ToolFailure> {
        files.save(&self.path, bytes)?;
        Ok(json!({ "path": self.path, "bytes": bytes.len() }))
    }
}

pub(crate) fn write_html(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let document: Document = arguments::parse(arguments)?;
    if document.paper.is_some() {
        return Err(ToolFailure::invalid("a page has no `paper`"));
    }
    document.save(files, html::write(&document.report()).as_bytes())
}

pub(crate) fn write_pdf(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let document: Document = arguments::parse(arguments)?;
    let bytes =
        pdf::write(&document.report(), document.paper.unwrap_or_default()).map_err(failure)?;
    document.save(files, &bytes)
}
