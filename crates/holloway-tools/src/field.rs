//! Which value inside an item does a field path mean? `name`, `address.city`,
//! `tags.0`, or a JSON pointer such as `/address/city`.

use serde_json::Value;

/// The value at `path`; the item itself for an empty path.
pub(crate) fn get<'a>(item: &'a Value, path: &str) -> Option<&'a Value> {
    if path.is_empty() || path.starts_with('/') {
        return item.pointer(path);
    }
    // A field may itself have a dot in its name.
    if let Some(value) = item.get(path) {
        return Some(value);
    }
    path.split('.').try_fold(item, |value, name| match value {
        Value::Array(items) => items.get(name.parse::<usize>().ok()?),
        other => other.get(name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_lead_to_values() {
        let item = json!({"a": {"b": [10, 20]}, "c.d": 1});
        for (path, expected) in [
            ("", Some(item.clone())),
            ("a.b.1", Some(json!(20))),
            ("/a/b/0", Some(json!(10))),
            ("c.d", Some(json!(1))),
            ("a.x", None),
            ("a.b.9", None),
        ] {
            assert_eq!(get(&item, path), expected.as_ref(), "{path}");
        }
    }
}
