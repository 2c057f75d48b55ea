//! What are steps, items and results called in expressions?

use serde_json::{Value, json};

use crate::catalogue::ports::Port;
use crate::lexicon::lists::List;

/// Names that mean something else in expressions.
static RESERVED: List = List::named("tools_assemble.reserved");

/// What a loop over calls gives: a list of what each call gives.
pub(super) fn list_of(schema: &Value) -> Value {
    let mut list = json!({"type": "array", "items": schema});
    // What a schema points to stands in its document, which this one is now.
    for definitions in ["$defs", "definitions"] {
        if let (Some(own), Some(list)) = (schema.get(definitions), list.as_object_mut()) {
            list.insert(definitions.to_owned(), own.clone());
        }
    }
    list
}

/// A path below a name.
pub(super) fn joined(root: &str, path: &str) -> String {
    match path {
        "" => root.to_owned(),
        path => format!("{root}.{path}"),
    }
}

/// What one item of a list is called.
pub(super) fn one_of_many(list: &str, port: &Port) -> String {
    let last = list.rsplit('.').next().filter(|_| list.contains('.'));
    let single = last.unwrap_or(&port.name);
    let single = match single.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => single.strip_suffix('s').unwrap_or(single).to_owned(),
    };
    format!("one_{}", identifier(&single).trim_end_matches("_step"))
}

/// A name that expressions can use.
pub(super) fn identifier(name: &str) -> String {
    const LONGEST: usize = 48;
    let mut id = String::new();
    let mut before_was_small = false;
    for letter in name.chars().take(LONGEST) {
        if letter.is_ascii_uppercase() && before_was_small {
            id.push('_');
        }
        before_was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if letter.is_ascii_alphanumeric() {
            id.push(letter.to_ascii_lowercase());
        } else if !id.ends_with('_') {
            id.push('_');
        }
    }
    match id.trim_matches('_') {
        "" => "call".to_owned(),
        id if !id.starts_with(|first: char| first.is_ascii_alphabetic()) => format!("call_{id}"),
        id if RESERVED.contains(&id) => format!("{id}_step"),
        id => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn names_can_stand_in_expressions() {
        for (name, expected) in [
            ("meta-tags-check", "meta_tags_check"),
            ("getWeatherNow", "get_weather_now"),
            ("2fa", "call_2fa"),
            ("not", "not_step"),
            ("天気", "call"),
        ] {
            assert_eq!(identifier(name), expected, "{name}");
        }
    }
}
