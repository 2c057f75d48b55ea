//! What is known about a page that was fetched? The one shape that fetching makes
//! and every check takes, so that a page list goes from tool to tool without glue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A page as it came over the wire.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Where the answer came from, after redirects.
    pub url: String,
    #[serde(default = "ok")]
    pub status: u16,
    /// By lower-case name; repeated headers are joined by a comma, except cookies.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The `Set-Cookie` headers, one by one.
    #[serde(default)]
    pub cookies: Vec<String>,
    #[serde(default)]
    pub html: String,
    /// Addresses that redirected here, first to last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<String>,
    /// Bytes of the body before and after decompression.
    #[serde(default)]
    pub transferred: u64,
    #[serde(default)]
    pub bytes: u64,
    /// Milliseconds until the first byte and until the last.
    #[serde(default)]
    pub first_byte_ms: f64,
    #[serde(default)]
    pub total_ms: f64,
}

/// Something a page loads: a style sheet, script, image or font.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asset {
    pub url: String,
    #[serde(default)]
    pub kind: AssetKind,
    #[serde(default = "ok")]
    pub status: u16,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    #[serde(default)]
    pub transferred: u64,
    #[serde(default)]
    pub bytes: u64,
    #[serde(default)]
    pub total_ms: f64,
    /// What a style sheet says; other kinds are only measured.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum AssetKind {
    Style,
    Script,
    Image,
    Font,
    Frame,
    Media,
    #[default]
    Other,
}

fn ok() -> u16 {
    200
}
