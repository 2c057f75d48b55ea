//! What does a report look like? Writes the sample report in every format into a folder:
//! `cargo run -p holloway-report --example sample -- <folder> [report.json]`.
//! The file holds a report, or the parts that `compose` makes one from.

#![allow(clippy::disallowed_methods, reason = "an example may write files")]

use std::path::PathBuf;

use holloway_report::compose::compose;
use holloway_report::{Block, Report, html, markdown, pdf, xlsx};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    let text = match std::env::args().nth(2) {
        Some(path) => std::fs::read_to_string(path)?,
        None => include_str!("../tests/sample.json").to_owned(),
    };
    let report: Report = match serde_json::from_str(&text) {
        Ok(report) => report,
        Err(_) => compose(&serde_json::from_str(&text)?)?,
    };
    std::fs::write(folder.join("report.html"), html::write(&report))?;
    std::fs::write(folder.join("report.md"), markdown::write(&report))?;
    std::fs::write(
        folder.join("report.pdf"),
        pdf::write(&report, pdf::Paper::A4)?,
    )?;
    std::fs::write(folder.join("report.xlsx"), xlsx::write(&report)?)?;
    for (number, block) in report.blocks.iter().enumerate() {
        if let Block::Chart(chart) = block {
            std::fs::write(folder.join(format!("chart-{number}.svg")), chart.svg())?;
        }
    }
    Ok(())
}
