//! Which figure of a result is the answer? A request such as "how many rows" or "the average
//! price" names it; what the result does not say under that name is not made up.

use serde_json::{Map, Value};

/// Where tools put the one thing they were asked for.
const PLAIN: [&str; 3] = ["value", "answer", "result"];
/// Where tools say how many there are, the widest first: a list may be a part of what matches.
const COUNTS: [&str; 3] = ["total", "matching", "count"];
/// Words for what stands in a table line by line.
const ROWS: [&str; 5] = ["row", "record", "line", "entry", "item"];
/// Lists that describe a table and are not what is counted.
const ABOUT: [&str; 5] = ["columns", "notes", "failed", "skipped", "without"];
/// What stands between the cue and what is counted.
const BETWEEN: [&str; 5] = ["the", "all", "of", "data", "in"];
/// With these, a count of the list is another figure.
const DISTINCT: [&str; 4] = ["different", "distinct", "unique", "kinds"];
/// Names of a figure, by the words that ask for it.
const NAMES: [(&[&str], &[&str]); 5] = [
    (&["average", "mean"], &["mean", "average", "avg"]),
    (&["median"], &["median"]),
    (&["sum", "total"], &["sum", "total"]),
    (
        &["highest", "maximum", "largest", "max", "most"],
        &["max", "maximum", "highest"],
    ),
    (
        &["lowest", "minimum", "smallest", "min", "cheapest", "least"],
        &["min", "minimum", "lowest"],
    ),
];

/// The figure that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// How many of these, in the singular.
    Count(String),
    /// A figure that tools call by one of these names.
    Named(&'static [&'static str]),
}

impl Wish {
    /// Nothing when the request asks for no single figure.
    pub(crate) fn of(request: &str) -> Option<Self> {
        let words: Vec<String> = request
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Some(counted) = counted(&words) {
            return (!words.iter().any(|word| DISTINCT.contains(word)))
                .then(|| Self::Count(singular(counted)));
        }
        // Of several figures none would be the answer.
        let mut asked = NAMES
            .iter()
            .filter(|(cues, _)| words.iter().any(|word| cues.contains(word)));
        match (asked.next(), asked.next()) {
            (Some((_, names)), None) => Some(Self::Named(names)),
            _ => None,
        }
    }

    /// What the result says to it, as it is shown.
    pub(crate) fn figure(&self, result: &Value) -> Option<String> {
        match (self, result) {
            (_, Value::Number(number)) => Some(number.to_string()),
            (Self::Count(_), Value::Array(list)) => Some(list.len().to_string()),
            (Self::Count(noun), Value::Object(fields)) => count(noun, fields),
            (Self::Named(names), Value::Object(fields)) => {
                number(fields, names).or_else(|| number(fields, &PLAIN))
            }
            _ => None,
        }
    }
}

/// What is to be counted.
fn counted<'a>(words: &[&'a str]) -> Option<&'a str> {
    let after = |cue: &[&str]| {
        let place = words.windows(cue.len()).position(|found| found == cue)?;
        words.get(place + cue.len()..)
    };
    let first = words.first().is_some_and(|word| *word == "count");
    let rest = after(&["how", "many"])
        .or_else(|| after(&["number", "of"]))
        .or_else(|| after(&["count", "of"]))
        .or_else(|| first.then(|| words.get(1..)).flatten())?;
    rest.iter().find(|word| !BETWEEN.contains(word)).copied()
}

fn count(noun: &str, fields: &Map<String, Value>) -> Option<String> {
    let same = |name: &str| singular(name) == noun;
    let named = fields
        .iter()
        .find(|(name, value)| same(name) && value.is_number());
    if let Some((_, value)) = named {
        return Some(value.to_string());
    }
    let lists: Vec<(&String, usize)> = fields
        .iter()
        .filter(|(name, _)| !ABOUT.contains(&name.as_str()))
        .filter_map(|(name, value)| Some((name, value.as_array()?.len())))
        .collect();
    let said = number(fields, &COUNTS).or_else(|| number(fields, &PLAIN));
    let meant = |name: &str| same(name) || name == "rows" && ROWS.contains(&noun);
    let is_cut = fields.get("truncated") == Some(&Value::Bool(true));
    match lists.as_slice() {
        [] => said,
        lists if lists.iter().any(|(name, _)| meant(name)) => said.or_else(|| {
            let (_, length) = lists.iter().find(|(name, _)| meant(name))?;
            (!is_cut).then(|| length.to_string())
        }),
        // Something else was counted, and the word says what.
        [(name, _)] => said.map(|count| format!("{count} {name}")),
        _ => None,
    }
}

fn number(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    let found = names.iter().find_map(|name| fields.get(*name)?.as_number());
    found.map(ToString::to_string)
}

pub(super) fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    let hisses = |stem: &str| {
        ["ss", "x", "ch", "sh"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    match (word.strip_suffix("ies"), word.strip_suffix("es")) {
        (Some(stem), _) if stem.len() > 1 => format!("{stem}y"),
        (_, Some(stem)) if hisses(stem) => stem.to_owned(),
        _ => word.strip_suffix('s').unwrap_or(&word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_of_many() {
        for (many, one) in [
            ("matches", "match"),
            ("rows", "row"),
            ("entries", "entry"),
            ("boxes", "box"),
            ("pages", "page"),
        ] {
            assert_eq!(singular(many), one);
        }
    }

    #[track_caller]
    fn check(request: &str, result: Value, expected: Option<&str>) {
        let figure = Wish::of(request).and_then(|wish| wish.figure(&result));
        assert_eq!(figure.as_deref(), expected, "{request}");
    }

    #[test]
    fn a_count_is_the_count_of_what_was_asked_for() {
        let table = json!({"columns": ["a"], "rows": [{"a": 1}], "count": 1, "matching": 7});
        check("how many rows has prices.csv", table.clone(), Some("7"));
        check("Count the records in prices.csv", table.clone(), Some("7"));
        check("tell me the number of rows", table.clone(), Some("7"));
        check(
            "how many products are there?",
            table.clone(),
            Some("7 rows"),
        );
        check("how many different shops are there", table.clone(), None);
        check("show prices.csv", table, None);
        check(
            "how many files are here",
            json!({"files": [1, 2]}),
            Some("2"),
        );
        check(
            "how many words",
            json!({"words": 12, "lines": [1]}),
            Some("12"),
        );
        check("how many pages", json!([1, 2, 3]), Some("3"));
        check("how many pages", json!(3), Some("3"));
    }

    #[test]
    fn what_the_result_does_not_say_is_not_made_up() {
        let keywords = json!({"language": "eng", "keywords": [{"phrase": "fox"}]});
        check("how many words are in notes.txt", keywords, None);
        let cut = json!({"entries": [1, 2], "truncated": true});
        check("how many entries", cut, None);
        check("how many rows", json!("three"), None);
        check(
            "the lowest and the highest price",
            json!({"min": 1, "max": 2}),
            None,
        );
    }

    #[test]
    fn a_figure_is_found_by_its_names() {
        let figures = json!({"count": 3, "sum": 33, "mean": 11.0, "min": 10, "max": 12});
        check("what is the average price", figures.clone(), Some("11.0"));
        check("sum of price in prices.csv", figures.clone(), Some("33"));
        check("the cheapest", figures.clone(), Some("10"));
        check("what is the median", figures, None);
        check("the mean", json!({"value": 2.5}), Some("2.5"));
    }
}
