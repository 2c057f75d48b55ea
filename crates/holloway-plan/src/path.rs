//! How is a value inside other values named? `page.links[0].url`: a name, then
//! fields and positions. The one grammar behind all three reference syntaxes.

use std::fmt;

use serde_json::Value;

/// A name and the way from its value to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub root: String,
    pub rest: Vec<Segment>,
}

/// One part of a path: a field or an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    Field(String),
    Item(usize),
}

/// Words of the expression language that cannot be names.
const RESERVED: [&str; 10] = [
    "true", "false", "none", "null", "not", "and", "or", "in", "is", "if",
];

/// A text that is told whole.
const SHORT: usize = 40;
/// So many fields of a record are named.
const NAMES: usize = 8;

impl Path {
    /// Reads `text` if it is a path and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (root, mut left) = name(text)?;
        if RESERVED.contains(&root) || root.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut rest = Vec::new();
        while !left.is_empty() {
            let (turn, after) = turn(left)?;
            rest.push(turn);
            left = after;
        }
        Some(Self {
            root: root.to_owned(),
            rest,
        })
    }

    /// The value this path leads to, or the place where it breaks off.
    pub fn walk<'a>(&self, root: &'a Value) -> Result<&'a Value, String> {
        let mut value = root;
        for (depth, turn) in self.rest.iter().enumerate() {
            let next = match (turn, value) {
                (Segment::Field(name), Value::Object(fields)) => fields.get(name),
                (Segment::Item(index), Value::Array(items)) => items.get(*index),
                // `rows.0` and `rows[0]` mean the same; so do fields that look like numbers.
                (Segment::Field(name), Value::Array(items)) => name
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| items.get(index)),
                (Segment::Item(index), Value::Object(fields)) => fields.get(&index.to_string()),
                _ => None,
            };
            value = next.ok_or_else(|| self.broken(depth, value))?;
        }
        Ok(value)
    }

    /// The paths in `text` that begin with this name, each with nothing but the path itself.
    pub fn all_from(root: &str, text: &str) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let mut before = None;
        for (at, _) in text.match_indices(root) {
            let is_inside = text
                .get(..at)
                .and_then(|start| start.chars().next_back())
                .is_some_and(|c| is_name_char(c) || ".\"'".contains(c));
            if is_inside || before.is_some_and(|end| at < end) {
                continue;
            }
            let rest = text.get(at..).unwrap_or_default();
            let Some((path, left)) = Self::at_start_of(rest) else {
                continue;
            };
            before = Some(text.len() - left.len());
            if path.root == root && !found.contains(&path) {
                found.push(path);
            }
        }
        found
    }

    /// The longest path at the start of `text`, and what follows it.
    fn at_start_of(text: &str) -> Option<(Self, &str)> {
        let (root, mut left) = name(text)?;
        let mut rest = Vec::new();
        while let Some((turn, after)) = turn(left) {
            rest.push(turn);
            left = after;
        }
        let root = root.to_owned();
        Some((Self { root, rest }, left))
    }

    fn broken(&self, depth: usize, value: &Value) -> String {
        let reached = Self {
            root: self.root.clone(),
            rest: self.rest.iter().take(depth).cloned().collect(),
        };
        format!("`{self}` is missing: `{reached}` is {}", brief(value))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        for turn in &self.rest {
            write!(f, "{turn}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) if is_plain(name) => write!(f, ".{name}"),
            Self::Field(name) => write!(f, "[{name:?}]"),
            Self::Item(index) => write!(f, "[{index}]"),
        }
    }
}

/// What a value is, in few words: itself if it is short, else what it consists of.
pub fn brief(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.is_empty() => "an empty text".to_owned(),
        Value::String(text) if text.chars().count() <= SHORT => format!("{text:?}"),
        Value::String(text) => format!("a text of {} characters", text.chars().count()),
        Value::Array(items) => match items.len() {
            0 => "an empty list".to_owned(),
            1 => "a list of 1 item".to_owned(),
            count => format!("a list of {count} items"),
        },
        Value::Object(fields) if fields.is_empty() => "empty".to_owned(),
        Value::Object(fields) => {
            let mut names: Vec<&str> = fields.keys().take(NAMES).map(String::as_str).collect();
            if fields.len() > NAMES {
                names.push("…");
            }
            format!("a record with {}", names.join(", "))
        }
    }
}

fn is_plain(name: &str) -> bool {
    name.chars().all(is_name_char) && !name.is_empty()
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// A name at the start of `text`, and what follows it. A hyphen must join two letters.
fn name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c| !is_name_char(c)).unwrap_or(text.len());
    let (name, left) = text.split_at_checked(end)?;
    (!name.is_empty() && !name.starts_with('-') && !name.ends_with('-')).then_some((name, left))
}

fn turn(text: &str) -> Option<(Segment, &str)> {
    if let Some(after) = text.strip_prefix('.') {
        let (field, left) = name(after)?;
        return Some((Segment::Field(field.to_owned()), left));
    }
    let (inside, left) = text.strip_prefix('[')?.split_once(']')?;
    let inside = inside.trim();
    for quote in ['"', '\''] {
        if let Some(quoted) = inside.strip_prefix(quote) {
            return Some((Segment::Field(quoted.strip_suffix(quote)?.to_owned()), left));
        }
    }
    Some((Segment::Item(inside.parse().ok()?), left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let page = json!({"links": [{"url": "u"}], "a-b": {"c d": 1}});
        let found = match Path::parse(text) {
            None => "not a path".to_owned(),
            Some(path) => path
                .walk(&page)
                .map_or_else(|broken| broken, ToString::to_string),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_are_found_in_an_expression() {
        let found = |root: &str, text: &str| {
            let paths = Path::all_from(root, text);
            let texts: Vec<String> = paths.iter().map(ToString::to_string).collect();
            texts.join(" ")
        };
        assert_eq!(found("count", "count > 0 and recount < 3"), "count");
        assert_eq!(
            found("rows", "rows[0].price * 2 > rows | length"),
            "rows[0].price rows"
        );
        assert_eq!(found("a", "b.a > 1 or x == 'a'"), "");
    }

    #[test]
    fn paths_lead_to_values_or_say_where_they_break_off() {
        check("page.links[0].url", "\"u\"");
        check("page.links.0.url", "\"u\"");
        check("page.a-b[\"c d\"]", "1");
        check(
            "page.lnks",
            "`page.lnks` is missing: `page` is a record with links, a-b",
        );
        check(
            "page.links[3]",
            "`page.links[3]` is missing: `page.links` is a list of 1 item",
        );
        check("page.links | length", "not a path");
        check("a + b", "not a path");
        check("true", "not a path");
        check("page.", "not a path");
        check("", "not a path");
        check("3.x", "not a path");
    }
}
