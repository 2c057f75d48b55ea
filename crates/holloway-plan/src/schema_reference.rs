//! Where does a reference in a JSON Schema lead? Pointers and anchors of the same document are
//! followed as the validator follows them. Other documents are never fetched.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

/// Keywords whose contents are data, not schemas.
pub(crate) const DATA: [&str; 5] = ["const", "enum", "default", "examples", "example"];
/// Keywords that name schemas; any name can stand there.
const NAMED: [&str; 6] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
];

/// Whether a keyword refers to another schema.
pub(crate) fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
}

/// Whether a reference leads to the schema of schemas, which the validator has built in.
pub(crate) fn is_meta_schema(reference: &str) -> bool {
    ["http://json-schema.org/", "https://json-schema.org/"]
        .iter()
        .any(|start| reference.starts_with(start))
}

/// What a schema refers to, and the places that can be referred to.
pub struct References<'a> {
    root: &'a Value,
    anchors: FxHashMap<&'a str, &'a Value>,
    pub(crate) written: FxHashSet<&'a str>,
    /// Why it is not certain where a reference leads: an anchor has two places, or a part has an
    /// address of its own.
    ambiguous: Option<String>,
}

impl<'a> References<'a> {
    pub fn of(root: &'a Value) -> Self {
        let mut found = Self {
            root,
            anchors: FxHashMap::default(),
            written: FxHashSet::default(),
            ambiguous: None,
        };
        found.survey(root);
        found
    }

    /// Why some reference cannot be followed, if one cannot.
    pub(crate) fn refusal(&self) -> Option<String> {
        if self.written.is_empty() {
            return None;
        }
        if self.ambiguous.is_some() {
            return self.ambiguous.clone();
        }
        let mut unknown: Vec<&str> = self.written.iter().copied().collect();
        unknown.retain(|reference| !is_meta_schema(reference) && self.target(reference).is_none());
        let reference = unknown.into_iter().min()?;
        Some(format!("`$ref: {reference}` leads nowhere inside it"))
    }

    /// The schema that a reference leads to.
    pub fn target(&self, reference: &str) -> Option<&'a Value> {
        let own = self.root.get("$id").and_then(Value::as_str).unwrap_or("#");
        let rest = reference.strip_prefix(own.trim_end_matches('#'));
        let fragment = match rest.unwrap_or(reference) {
            "" => return Some(self.root),
            other => decoded(other.strip_prefix('#')?)?,
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            self.root.pointer(&fragment)
        } else {
            self.anchors.get(fragment.as_str()).copied()
        }
    }

    fn survey(&mut self, schema: &'a Value) {
        match schema {
            Value::Object(fields) => {
                self.names(schema, fields);
                for (keyword, inner) in fields {
                    match inner {
                        Value::String(text) if is_reference(keyword) => {
                            self.written.insert(text);
                        }
                        Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                            named.values().for_each(|inner| self.survey(inner));
                        }
                        _ if DATA.contains(&keyword.as_str()) => {}
                        inner => self.survey(inner),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.survey(item)),
            _ => {}
        }
    }

    /// Notes by which names a schema can be referred to.
    fn names(&mut self, schema: &'a Value, fields: &'a Map<String, Value>) {
        let text = |keyword: &str| fields.get(keyword).and_then(Value::as_str);
        let id = text("$id").or_else(|| text("id"));
        let anchor_of_old = id.and_then(|id| id.strip_prefix('#'));
        if let (Some(id), None) = (id, anchor_of_old)
            && !std::ptr::eq(schema, self.root)
        {
            self.ambiguous = Some(format!("a part of it has an address of its own, `{id}`"));
        }
        let names = [text("$anchor"), text("$dynamicAnchor"), anchor_of_old];
        for name in names.into_iter().flatten() {
            let other = self.anchors.insert(name, schema);
            if other.is_some_and(|other| !std::ptr::eq(other, schema)) {
                self.ambiguous = Some(format!("two parts of it have the anchor `{name}`"));
            }
        }
    }
}

/// A fragment with its `%20` and the like resolved.
fn decoded(fragment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_lead_where_the_validator_goes() {
        let schema = json!({
            "$id": "https://example.com/own.json",
            "$defs": {"a b": {"const": 1}, "c/d": {"$anchor": "here", "const": 2}, "e": {"$ref": "#here"}},
            "default": {"$ref": "#/nowhere"}
        });
        let references = References::of(&schema);
        assert_eq!(references.refusal(), None);
        for (reference, expected) in [
            ("#/$defs/a%20b", Some(1)),
            ("https://example.com/own.json#/$defs/a%20b", Some(1)),
            ("#here", Some(2)),
            ("#/$defs/c~1d", Some(2)),
            ("#there", None),
            ("#/$defs/x", None),
            ("other.json", None),
            ("#/%2", None),
        ] {
            let found = references.target(reference);
            let found = found.and_then(|found| found["const"].as_i64());
            assert_eq!(found, expected, "{reference}");
        }
        for whole in ["#", "", "https://example.com/own.json"] {
            assert!(std::ptr::eq(
                references.target(whole).unwrap(),
                &raw const schema
            ));
        }
    }

    #[test]
    fn what_cannot_be_followed_is_named() {
        for (schema, expected) in [
            (json!({"$ref": "#/$defs/x"}), Some("#/$defs/x")),
            (json!({"items": {"$ref": "other.json"}}), Some("other.json")),
            (
                json!({"items": {"$id": "inner.json", "$ref": "#"}}),
                Some("inner.json"),
            ),
            (
                json!({"$ref": "#a", "$defs": {"x": {"$anchor": "a"}, "y": {"$anchor": "a"}}}),
                Some("`a`"),
            ),
            (
                json!({"$ref": "http://json-schema.org/draft-07/schema#"}),
                None,
            ),
            (
                json!({"properties": {"id": {"type": "string"}, "default": {"$ref": "#"}}}),
                None,
            ),
            (json!({"items": {"$id": "inner.json"}}), None),
        ] {
            let refusal = References::of(&schema).refusal();
            let names = |part: &str| refusal.as_ref().is_some_and(|text| text.contains(part));
            assert!(expected.map_or(refusal.is_none(), names), "{refusal:?}");
        }
    }
}
