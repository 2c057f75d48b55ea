//! Do two conditions keep the same rows? A span is its two ends, a list of one value that value, and
//! what is left out begins the day after.

use serde_json::Value;

/// One thing that a condition says: a column, how it compares, with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    /// Empty where no column is named.
    pub(super) column: String,
    op: String,
    value: String,
}

/// Letters and digits: a column is known by them.
pub(super) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// What a condition `{column, op, value}` says; each of `any` of several values is one atom.
pub(super) fn atoms(condition: &Value) -> Vec<Atom> {
    let text = |field: &str| condition.get(field).and_then(Value::as_str);
    let op = text("op").unwrap_or("eq");
    let value = condition.get("value").or(condition.get("other"));
    let values: Vec<String> = match value {
        Some(Value::Array(items)) => items.iter().map(canonical).collect(),
        Some(one) => vec![canonical(one)],
        None => Vec::new(),
    };
    let pairs: Vec<(&str, String)> = match (op, values.as_slice()) {
        ("between", [low, high]) => vec![("gte", low.clone()), ("lte", high.clone())],
        ("in", values) => each("eq", values),
        ("not_in", values) => each("ne", values),
        (op, []) => vec![(op, String::new())],
        (op, values) => each(op, values),
    };
    let column = text("column").map(plain).unwrap_or_default();
    let atoms = pairs.into_iter().map(|(op, value)| {
        let (op, value) = whole_days(op, value);
        Atom {
            column: column.clone(),
            op: op.to_owned(),
            value,
        }
    });
    atoms.collect()
}

fn each<'o>(op: &'o str, values: &[String]) -> Vec<(&'o str, String)> {
    values.iter().map(|value| (op, value.clone())).collect()
}

impl Atom {
    /// Whether another one says the same; a column that is not named may be any.
    pub(super) fn is_said_by(&self, other: &Self) -> bool {
        let any = self.column.is_empty() || other.column.is_empty();
        (any || self.column == other.column) && self.op == other.op && self.value == other.value
    }
}

/// The last day of a span is told by the day after it.
fn whole_days(op: &str, value: String) -> (&str, String) {
    let exclusive = match op {
        "lte" => "lt",
        "gt" => "gte",
        _ => return (op, value),
    };
    match day_after(&value) {
        Some(next) => (exclusive, next),
        None => (op, value),
    }
}

/// Numbers as numbers, texts whatever their case.
fn canonical(value: &Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), |text| text.trim().to_lowercase());
    match text.parse::<f64>() {
        Ok(number) => number.to_string(),
        Err(_) => text,
    }
}

/// The day after `2026-03-31`: `2026-04-01`.
pub(super) fn day_after(day: &str) -> Option<String> {
    let mut parts = day.split('-').map(str::parse::<u32>);
    let (year, month, day) = (
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    );
    if parts.next().is_some() {
        return None;
    }
    let leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let last = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let (year, month, day) = match (month, day) {
        (12, 31) => (year + 1, 1, 1),
        (_, day) if day >= last => (year, month + 1, 1),
        _ => (year, month, day + 1),
    };
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(one: Value, others: &[Value], same: bool) {
        let known: Vec<Atom> = others.iter().flat_map(atoms).collect();
        let said = |atom: &Atom| known.iter().any(|other| atom.is_said_by(other));
        assert_eq!(atoms(&one).iter().all(said), same, "{one} {others:?}");
    }

    #[test]
    fn conditions_are_the_same_where_they_keep_the_same_rows() {
        let on = |op: &str, value: Value| json!({"column": "On day", "op": op, "value": value});
        let day = |day: &str| json!(day);
        check(on("gt", json!(100)), &[on("gt", json!("100.0"))], true);
        check(on("gt", json!(100)), &[on("lt", json!(100))], false);
        check(on("gt", json!(100)), &[on("gte", json!(100))], false);
        check(on("eq", day("paid")), &[on("in", json!(["Paid"]))], true);
        check(on("eq", day("paid")), &[on("ne", day("paid"))], false);
        let both = [on("eq", day("a")), on("eq", day("b"))];
        check(on("in", json!(["a", "b"])), &both, true);
        check(on("in", json!(["a", "c"])), &both, false);
        let span = json!(["2026-01-01", "2026-03-31"]);
        for (low, high, same) in [
            (("gte", "2026-01-01"), ("lte", "2026-03-31"), true),
            (("gt", "2025-12-31"), ("lt", "2026-04-01"), true),
            (("gte", "2026-01-01"), ("lt", "2026-03-31"), false),
        ] {
            let ends = [on(low.0, day(low.1)), on(high.0, day(high.1))];
            check(on("between", span.clone()), &ends, same);
        }
        let missing = json!({"column": "on_day", "op": "missing"});
        check(json!({"op": "missing"}), &[missing], true);
    }

    #[test]
    fn days_follow_each_other() {
        for (day, next) in [
            ("2026-12-31", Some("2027-01-01")),
            ("2028-02-28", Some("2028-02-29")),
            ("2026-02-28", Some("2026-03-01")),
            ("2026-01-30", Some("2026-01-31")),
            ("monday", None),
            ("12", None),
        ] {
            assert_eq!(day_after(day).as_deref(), next);
        }
    }
}
