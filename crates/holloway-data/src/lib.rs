//! What do these rows say? Tables, statistics, trends, outliers and prices, from JSON
//! rows to JSON results. Nothing here reads files, and nothing grows without bound.
//!
//! The journey: `tables` takes rows apart (`load`, `select`, `join`, `group`) and asks
//! them questions; `figures` does the arithmetic; `price` finds amounts in text.

pub mod cell;
pub mod date;
pub mod error;
pub mod figures;
pub mod limits;
pub mod price;
pub mod question;
pub mod table;
pub mod tables;

pub use error::{DataError, Kind};
pub use question::Question;
