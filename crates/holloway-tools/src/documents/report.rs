//! `report-write`: how does a report become a file? The extension says in which format.

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use holloway_report::{Report, html, markdown, pdf, xlsx};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::arguments;
use super::super::declaration::{Declaration, input, output};
use super::{Files, failure, path_schema};

const FORMATS: [&str; 5] = ["html", "pdf", "markdown", "xlsx", "json"];

pub(crate) fn spec() -> ToolSpec {
    Declaration {
        name: "report-write",
        title: "Write a report",
        category: "report",
        description: "Writes a report into a granted folder as one self-contained HTML page, a PDF with outline and page numbers, \
            an Excel workbook with native charts, Markdown or JSON. Use it on what report-build returns. The format follows \
            from the extension of the path. The file changes at once or not at all. Returns the path, the bytes and the format, and which characters a PDF could not show.",
        effect: Effect::Idempotent,
        latency_ms: 100,
        input: input(
            &["report", "path"],
            json!({
                "report": {"type": "object", "description": "As report-build returns it: title, summary and blocks"},
                "path": path_schema(),
                "format": {"type": "string", "enum": FORMATS, "description": "When the extension does not say it"},
                "paper": {"type": "string", "enum": ["a4", "letter"], "default": "a4", "description": "For PDF"}
            }),
        ),
        output: output(
            &["path", "bytes", "format"],
            json!({
                "path": {"type": "string"},
                "bytes": {"type": "integer"},
                "format": {"type": "string", "enum": FORMATS},
                "missing": {"type": "string", "description": "Characters that the fonts of a PDF do not have, up to twenty of them"}
            }),
        ),
        example: json!({"report": {"title": "This week", "blocks": [{"type": "paragraph", "text": "All is **well**."}]}, "path": "week.pdf"}),
        does: &[
            "save report:report -> file.html|file.pdf|file.markdown|file.xlsx|file.json:path with path=target.path",
        ],
    }
    .builtin()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    report: Value,
    path: String,
    format: Option<Format>,
    #[serde(default)]
    paper: pdf::Paper,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Html,
    Pdf,
    Markdown,
    Xlsx,
    Json,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Pdf => "pdf",
            Self::Markdown => "markdown",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
        }
    }

    fn of(path: &str) -> Result<Self, ToolFailure> {
        let extension = path
            .rsplit_once('.')
            .map(|(_, extension)| extension.to_lowercase());
        match extension.as_deref() {
            Some("html" | "htm") => Ok(Self::Html),
            Some("pdf") => Ok(Self::Pdf),
            Some("md" | "markdown") => Ok(Self::Markdown),
            Some("xlsx") => Ok(Self::Xlsx),
            Some("json") => Ok(Self::Json),
            _ => {
                let message = format!("the extension of `{path}` names no format");
                let hint = format!(
                    "end the path in .html, .pdf, .md, .xlsx or .json, or give `format`: {}",
                    FORMATS.join(", ")
                );
                Err(ToolFailure::invalid(message).with_hint(hint))
            }
        }
    }
}

pub(crate) fn write(arguments: &Value, files: &Files<'_>) -> Result<Value, ToolFailure> {
    let arguments: Arguments = arguments::parse(arguments)?;
    let format = arguments
        .format
        .map_or_else(|| Format::of(&arguments.path), Ok)?;
    let report = report(&arguments.report)?;
    let mut missing = String::new();
    let bytes = match format {
        Format::Html => html::write(&report).into_bytes(),
        Format::Pdf => {
            let written = pdf::written(&report, arguments.paper).map_err(failure)?;
            missing = written.missing;
            written.bytes
        }
        Format::Markdown => markdown::write(&report).into_bytes(),
        Format::Xlsx => xlsx::write(&report).map_err(failure)?,
        Format::Json => serde_json::to_vec_pretty(&report).unwrap_or_default(),
    };
    files.save(&arguments.path, &bytes)?;
    let mut result =
        json!({ "path": arguments.path, "bytes": bytes.len(), "format": format.name() });
    if let Some(fields) = result.as_object_mut().filter(|_| !missing.is_empty()) {
        fields.insert("missing".to_owned(), json!(missing));
    }
    Ok(result)
}

/// The report itself, or the whole result of `report-build`.
fn report(value: &Value) -> Result<Report, ToolFailure> {
    let inner = value
        .get("report")
        .filter(|inner| inner.is_object())
        .unwrap_or(value);
    Report::deserialize(inner).map_err(|error| {
        ToolFailure::invalid(format!("`report` does not fit: {error}"))
            .with_hint("build it with report-build")
    })
}
