//! Which part of a result is what somebody wanted to read? A text or a list, by the names that
//! tools commonly use.

use serde_json::{Map, Value};

/// Where tools put a text that is the result.
const TEXTS: [&str; 6] = [
    "markdown",
    "summary",
    "answer",
    "text",
    "content",
    "translation",
];
/// Where tools put a list that is the result.
const LISTS: [&str; 6] = ["rows", "items", "entries", "results", "findings", "records"];

/// The part of an object that is the result.
pub enum MainPart<'a> {
    Text(&'a str),
    /// A list and its name.
    List(&'a str, &'a [Value]),
}

/// The part of these fields that is the result; nothing where none stands out.
pub fn main_part(fields: &Map<String, Value>) -> Option<MainPart<'_>> {
    let text = TEXTS.iter().find_map(|name| fields.get(*name)?.as_str());
    if let Some(text) = text {
        return Some(MainPart::Text(text));
    }
    let list = |name: &&'static str| Some((*name, fields.get(*name)?.as_array()?));
    let known = LISTS.iter().find_map(list);
    if let Some((name, list)) = known {
        return Some(MainPart::List(name, list));
    }
    let mut lists = fields.iter().filter_map(|(name, value)| {
        let list = value.as_array()?;
        let alike = list.iter().all(Value::is_object);
        alike.then_some((name.as_str(), list.as_slice()))
    });
    match (lists.next(), lists.next()) {
        (Some((name, list)), None) => Some(MainPart::List(name, list)),
        _ => None,
    }
}
