//! What is known about a page that was fetched? The one shape that fetching makes
//! and every check takes, so that a page list goes from tool to tool without glue.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// A page as it came over the wire.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Where the answer came from, after redirects.
    pub url: String,
    #[serde(default = "ok")]
    pub status: u16,
    /// By lower-case name; repeated headers are joined by a comma, except cookies.
    #[serde(default, deserialize_with = "by_lower_case_name")]
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
    #[serde(default, deserialize_with = "by_lower_case_name")]
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
    /// Bytes of white space and comments in a script or style sheet.
    #[serde(default, skip_serializing_if = "crate::finding::is_nothing")]
    pub spare: u64,
    /// Pixels of an image, where its format says them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixels: Option<(u32, u32)>,
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
    /// The small picture of a site in tabs and bookmarks.
    Icon,
    #[default]
    Other,
}

fn ok() -> u16 {
    200
}

/// Pages made by others name headers in any case; checks look for lower case.
fn by_lower_case_name<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in BTreeMap::<String, String>::deserialize(from)? {
        let joined = headers.entry(name.to_ascii_lowercase()).or_default();
        if !joined.is_empty() {
            joined.push_str(", ");
        }
        joined.push_str(&value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_headers_are_read_in_any_case() {
        let given =
            r#"{"url": "u", "headers": {"X-Frame-Options": "DENY", "Vary": "a", "vary": "b"}}"#;
        let page: Page = serde_json::from_str(given).unwrap();
        let asset: Asset = serde_json::from_str(given).unwrap();
        for headers in [page.headers, asset.headers] {
            assert_eq!(headers["x-frame-options"], "DENY");
            assert_eq!(headers["vary"], "a, b");
        }
    }
}
