//! What does a request name? Addresses, files, amounts, dates, quoted words and names, each with its
//! place. `read::entities` finds them.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something the request names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    pub kind: EntityKind,
    /// As written.
    pub text: String,
    /// As data: a number without its unit, a date as `2026-03-18`.
    pub value: Value,
    /// Where it stands in the request, in bytes.
    pub place: Range<usize>,
    /// The word it stands with: "limit" in "with a limit of 5", "km" in "5 km".
    pub label: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    Url,
    Email,
    Path,
    /// A name of a file without a folder.
    File,
    Money,
    Number,
    /// A number with a unit.
    Quantity,
    Date,
    Time,
    Quoted,
    /// Words that begin with capitals inside a sentence: a person, a place, a product.
    Name,
    /// Identifiers such as `TJ12345678`.
    Code,
}
