//! What do pages, assets and findings look like as data? Schemas that every tool around
//! websites shares, so that the result of one is the argument of the next.

use serde_json::{Value, json};

/// A fetched page. Only `url` and `html` must be known; the more is, the more is checked.
pub(crate) fn page_schema() -> Value {
    json!({
        "type": "object",
        "required": ["url", "html"],
        "properties": {
            "url": {"type": "string", "description": "Where the answer came from, after redirects"},
            "status": {"type": "integer"},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}, "description": "By lower-case name; without any, headers are not checked"},
            "cookies": {"type": "array", "items": {"type": "string"}, "description": "The Set-Cookie headers, one by one"},
            "html": {"type": "string"},
            "redirects": {"type": "array", "items": {"type": "string"}, "description": "Addresses that redirected here, first to last"},
            "transferred": {"type": "integer", "minimum": 0, "description": "Bytes of the body as transferred"},
            "bytes": {"type": "integer", "minimum": 0, "description": "Bytes of the body after decompression"},
            "first_byte_ms": {"type": "number"},
            "total_ms": {"type": "number"}
        }
    })
}

/// A style sheet, script, image or font that pages load.
pub(crate) fn asset_schema() -> Value {
    json!({
        "type": "object",
        "required": ["url"],
        "properties": {
            "url": {"type": "string"},
            "kind": {"enum": ["style", "script", "image", "font", "frame", "media", "icon", "other"]},
            "status": {"type": "integer"},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}, "description": "By lower-case name"},
            "transferred": {"type": "integer", "minimum": 0, "description": "Bytes as transferred"},
            "bytes": {"type": "integer", "minimum": 0, "description": "Bytes after decompression"},
            "total_ms": {"type": "number"},
            "text": {"type": "string", "description": "What a style sheet says"},
            "spare": {"type": "integer", "minimum": 0, "description": "Bytes of white space and comments"},
            "pixels": {"type": ["array", "null"], "items": {"type": "integer"}, "description": "Width and height of an image"}
        }
    })
}

/// One thing that is wrong in one place.
pub(crate) fn finding_schema() -> Value {
    json!({
        "type": "object",
        "required": ["rule", "domain", "severity", "where", "evidence", "mend"],
        "properties": {
            "rule": {"type": "string", "description": "Stable name, such as title-missing"},
            "domain": {"enum": ["seo", "performance", "accessibility", "security"]},
            "severity": severity_schema(),
            "where": {
                "type": "object",
                "required": ["page"],
                "properties": {
                    "page": {"type": "string"},
                    "element": {"type": "string", "description": "CSS path; absent if it is about the whole page"}
                }
            },
            "evidence": {"type": "string"},
            "mend": {"type": "string"},
            "reference": {"type": "string"},
            "saves": {"type": "integer", "minimum": 0, "description": "Bytes that mending saves, estimated"}
        }
    })
}

pub(crate) fn severity_schema() -> Value {
    json!({"enum": ["critical", "serious", "moderate", "minor"]})
}

/// How many findings there are of each severity.
pub(crate) fn summary_schema() -> Value {
    let count = || json!({"type": "integer", "minimum": 0});
    json!({
        "type": "object",
        "required": ["critical", "serious", "moderate", "minor", "total"],
        "properties": {
            "critical": count(), "serious": count(), "moderate": count(), "minor": count(), "total": count()
        }
    })
}

/// Results of checks, to be taken together.
pub(crate) fn results_schema() -> Value {
    json!({
        "type": "array",
        "maxItems": 1000,
        "description": "Results of checks as they are; each has `findings`, and null stands for a check that was skipped",
        "items": {"type": ["object", "null"], "required": ["findings"], "properties": {"findings": {"type": "array"}}}
    })
}

/// The arguments of a check: pages, and what they load if that was measured.
pub(crate) fn check_input() -> Value {
    super::super::declaration::input(
        &["pages"],
        json!({
            "pages": {"type": "array", "items": page_schema(), "maxItems": 10_000, "description": "Fetched pages; the first one is where visitors start"},
            "assets": {"type": "array", "items": asset_schema(), "maxItems": 100_000, "default": [], "description": "What the pages load, measured"},
            "listed": {"type": "array", "items": {"type": "string"}, "maxItems": 50_000, "default": [], "description": "Addresses that the sitemap lists"}
        }),
    )
}

/// The result of a check, with the facts that this check adds as `more`.
pub(crate) fn check_output(more: &[(&str, Value)]) -> Value {
    let mut properties = json!({
        "findings": {"type": "array", "items": finding_schema()},
        "summary": summary_schema(),
        "pages": {"type": "integer", "minimum": 0},
        "checked": {"type": "array", "items": {"type": "string"}, "description": "The checks that were made"}
    });
    let mut required = vec!["findings", "summary", "pages", "checked"];
    for (name, schema) in more {
        required.push(name);
        if let Some(properties) = properties.as_object_mut() {
            properties.insert((*name).to_owned(), schema.clone());
        }
    }
    super::super::declaration::output(&required, properties)
}
