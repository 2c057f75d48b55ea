//! Where steps were given other ids, what refers to them follows.

use std::collections::BTreeMap;

use serde_json::Value;

/// Old ids and new ones.
pub(super) type Renamed = BTreeMap<String, String>;

/// Renames what a step, and the steps inside it, say about others.
pub(super) fn follow(step: &mut Value, renamed: &Renamed) {
    let Value::Object(fields) = step else { return };
    if renamed.is_empty() {
        return;
    }
    for (name, field) in fields {
        match (name.as_str(), field) {
            ("depends_on", Value::Array(ids)) => ids.iter_mut().for_each(|id| whole(id, renamed)),
            ("over", Value::String(path)) if !path.contains("{{") => *path = path_of(path, renamed),
            ("step" | "reducer", inner) => follow(inner, renamed),
            ("steps" | "then" | "otherwise", Value::Array(inner)) => {
                for step in inner {
                    follow(step, renamed);
                }
            }
            ("id" | "purpose", _) => {}
            (_, field) => references(field, renamed),
        }
    }
}

fn whole(id: &mut Value, renamed: &Renamed) {
    if let Some(new) = id.as_str().and_then(|id| renamed.get(id)) {
        *id = Value::from(new.as_str());
    }
}

fn references(value: &mut Value, renamed: &Renamed) {
    match value {
        Value::String(text) if text.contains("{{") => *text = inside(text, renamed),
        Value::Array(items) => items.iter_mut().for_each(|item| references(item, renamed)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|field| references(field, renamed)),
        _ => {}
    }
}

/// The first name of each reference.
fn inside(text: &str, renamed: &Renamed) -> String {
    let mut pieces = text.split("{{");
    let mut new = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        new.push_str("{{");
        new.push_str(&path_of(piece, renamed));
    }
    new
}

/// The text, with its first name replaced.
fn path_of(text: &str, renamed: &Renamed) -> String {
    let path = text.trim_start();
    let begins_with = |old: &str| {
        let rest = path.strip_prefix(old);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', ' ', '}', '|']))
    };
    let found = renamed
        .iter()
        .filter(|(old, _)| begins_with(old))
        .max_by_key(|(old, _)| old.len());
    match found {
        Some((old, new)) => format!("{new}{}", path.get(old.len()..).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_refers_to_a_step_follows() {
        let renamed = Renamed::from([
            ("1".to_owned(), "step_1".to_owned()),
            ("1 a".to_owned(), "step_1_a".to_owned()),
        ]);
        let mut step = json!({
            "id": "1", "purpose": "1", "depends_on": ["1", "2", "1 a"], "over": "1.links",
            "input": {"rows": ["1"], "text": "1 and {{ 1.text }} and {{10.x}} and {{1 a.y}}"},
            "then": [{"id": "x", "input": "{{1}}"}]
        });
        follow(&mut step, &renamed);
        let expected = json!({
            "id": "1", "purpose": "1", "depends_on": ["step_1", "2", "step_1_a"], "over": "step_1.links",
            "input": {"rows": ["1"], "text": "1 and {{step_1.text }} and {{10.x}} and {{step_1_a.y}}"},
            "then": [{"id": "x", "input": "{{step_1}}"}]
        });
        assert_eq!(step, expected);
    }
}
