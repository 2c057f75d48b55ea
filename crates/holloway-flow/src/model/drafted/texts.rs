//! Which texts must the steps of a plan have, so that a part of the request is served? Columns,
//! values, files and addresses as they are written; a span of days by its two ends.

use holloway_planner::frame::Part;
use serde_json::Value;

use super::conditions::day_after;

/// Fields of a part whose texts must stand in the arguments of a step. Others are said by the
/// choice of the tool, or in its own words.
const WRITTEN: [&str; 4] = ["path", "url", "column", "value"];
/// Slots that are no more than one text, and the same is true of them.
pub(super) const TEXTS: [&str; 8] = [
    "pattern",
    "replacement",
    "text",
    "recipient",
    "on",
    "columns",
    "column",
    "title",
];
/// Figures are ordered by names that a plan gives them itself.
const FREE: [&str; 2] = ["order", "compute"];
const BETWEEN: &str = "between";

/// Ways to write one text; any of them will do. In lower case, as JSON writes them.
pub(super) type Ways = Vec<String>;

/// The texts of a part.
pub(super) fn texts(part: &Part) -> Vec<Ways> {
    let mut found = Vec::new();
    if !FREE.contains(&part.slot.as_str()) {
        let fields = WRITTEN.iter().filter_map(|field| part.value.get(field));
        fields.for_each(|value| texts_of(value, &mut found));
    }
    if TEXTS.contains(&part.slot.as_str()) {
        texts_of(&part.value, &mut found);
    }
    let mut ways: Vec<Ways> = found.into_iter().map(|text| vec![text]).collect();
    if part.text("op") == Some(BETWEEN)
        && let Some(end) = ways.last_mut()
    {
        // What is left out begins the day after.
        let after = end.first().and_then(|day| day_after(day));
        end.extend(after);
    }
    ways
}

fn texts_of(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(_) => {
            let written = value.to_string().to_lowercase();
            found.push(written.trim_matches('"').trim_end_matches('/').to_owned());
        }
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use holloway_planner::frame::Said;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(slot: &str, value: Value, expected: &[&[&str]]) {
        assert_eq!(texts(&Part::new(slot, value, Said::default())), expected);
    }

    #[test]
    fn columns_values_and_files_must_be_written() {
        let filter = json!({"column": "Status", "op": "eq", "value": "paid"});
        check("filters", filter, &[&["status"], &["paid"]]);
        check(
            "sources",
            json!({"url": "https://A.example/"}),
            &[&["https://a.example"]],
        );
        check("order", json!({"column": "amount"}), &[]);
        check("pattern", json!("x\"y"), &[&["x\\\"y"]]);
        check("limit", json!({"rows": 3}), &[]);
    }

    #[test]
    fn a_span_ends_on_its_last_day_or_before_the_next() {
        let between =
            |end: &str| json!({"column": "on", "op": "between", "value": ["2026-01-01", end]});
        let first: &[&str] = &["2026-01-01"];
        for (end, next) in [
            ("2026-03-31", "2026-04-01"),
            ("2026-12-31", "2027-01-01"),
            ("2028-02-28", "2028-02-29"),
            ("2026-02-28", "2026-03-01"),
            ("2026-01-30", "2026-01-31"),
        ] {
            check("filters", between(end), &[&["on"], first, &[end, next]]);
        }
        check("filters", between("monday"), &[&["on"], first, &["monday"]]);
        // Numbers are said in many ways.
        let numbers = json!({"column": "price", "op": "between", "value": [1, 2]});
        check("filters", numbers, &[&["price"]]);
    }
}
