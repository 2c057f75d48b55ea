//! How does a report become pages? Blocks become pieces with a height, pieces flow onto
//! pages, pages are drawn with the embedded fonts. Charts stay vectors.

use crate::Error;
use crate::font::Fonts;
use crate::limits::bounded;
use crate::model::Report;

mod blocks;
mod brush;
mod contents;
mod draw;
mod findings;
mod flow;
mod item;
mod opening;
mod prose;
mod sheet;
mod table;
mod tags;
mod wrap;

pub use sheet::Paper;

/// Pages full of rows are not read; the whole table belongs into a spreadsheet.
const MOST_ROWS: usize = 1000;

/// The report as a PDF on this paper. The same report gives the same bytes.
pub fn write(report: &Report, paper: Paper) -> Result<Vec<u8>, Error> {
    written(report, paper).map(|written| written.bytes)
}

/// A PDF, and what it could not show.
#[derive(Clone, Debug)]
pub struct Written {
    pub bytes: Vec<u8>,
    /// Up to twenty characters for which no font has a glyph.
    pub missing: String,
}

/// Like `write`, and tells which characters are missing.
pub fn written(report: &Report, paper: Paper) -> Result<Written, Error> {
    let report = bounded(report, MOST_ROWS);
    let fonts = Fonts::new();
    let mut layout = blocks::Layout::new(&fonts, paper);
    opening::place(&mut layout, &report);
    for block in &report.blocks {
        if layout.flow.is_full() {
            break;
        }
        layout.block(block);
    }
    let (pages, tags) = layout.finish();
    let bytes = draw::document(&report, paper, &fonts, pages, tags)?;
    Ok(Written {
        bytes,
        missing: fonts.missing(),
    })
}
