//! How do results become a document that a person opens? A report of blocks in,
//! bytes of HTML, PDF, XLSX or Markdown out, with charts drawn as SVG.
//! Invariant: the same report gives the same bytes; dates are arguments.

pub mod model;

mod clean;
mod coded;
mod colour;
mod figure;
mod font;
mod grid;
mod grouping;
mod limits;
mod moment;
mod picture;
mod plan;
mod rich;

pub mod chart;
pub mod compose;
pub mod html;
pub mod markdown;
pub mod pdf;
pub mod xlsx;

pub use limits::bounded;
pub use model::{Block, Report, schema};

/// Why could a document not be made or read?
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the PDF could not be written: {0}")]
    Pdf(String),
    #[error("the spreadsheet could not be written: {0}")]
    Spreadsheet(#[from] rust_xlsxwriter::XlsxError),
    #[error("the spreadsheet could not be read: {0}")]
    Unreadable(String),
    #[error("{0}")]
    Input(String),
}
