//! Does a row fit? One condition on one column. A missing value fits only `missing`,
//! `ne` and `not_in`.

use std::cmp::Ordering;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::Value;

use crate::cell::{self, Cell};
use crate::date;
use crate::error::DataError;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    pub column: String,
    pub op: Operator,
    #[serde(default)]
    pub value: Value,
    /// A column of the same row to compare with, in place of a value.
    #[serde(default)]
    pub other: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    Eq,
    Ne,
    Lt,
    Lte,
    Gt,
    Gte,
    Between,
    In,
    NotIn,
    Contains,
    StartsWith,
    EndsWith,
    Matches,
    Missing,
    Present,
}

impl Operator {
    fn is_ordering(self) -> bool {
        use Operator::{Eq, Gt, Gte, Lt, Lte, Ne};
        matches!(self, Eq | Ne | Lt | Lte | Gt | Gte)
    }
}

/// A condition that is ready to be asked of many rows.
pub struct Check<'a> {
    condition: &'a Condition,
    /// The value in lower case, where case does not count.
    folded: Option<Value>,
    pattern: Option<Regex>,
}

impl Condition {
    /// With `ignore_case`, texts are compared without regard to it.
    pub fn ready(&self, ignore_case: bool) -> Result<Check<'_>, DataError> {
        let place = || format!("the condition on `{}`", self.column);
        let list_of = |count: Option<usize>| match self.value.as_array() {
            Some(items) => count.is_none_or(|count| items.len() == count),
            None => false,
        };
        let problem = match self.op {
            Operator::In | Operator::NotIn if !list_of(None) => "needs a list as `value`",
            Operator::Between if !list_of(Some(2)) => "needs [lowest, highest] as `value`",
            Operator::Contains | Operator::StartsWith | Operator::EndsWith | Operator::Matches
                if !self.value.is_string() =>
            {
                "needs a text as `value`"
            }
            op if self.other.is_some() && !op.is_ordering() => {
                "compares with another column by eq, ne, lt, lte, gt or gte only"
            }
            _ => "",
        };
        if !problem.is_empty() {
            return Err(DataError::request(format!("{} {problem}", place())));
        }
        let pattern = match (self.op, self.value.as_str()) {
            (Operator::Matches, Some(text)) => {
                Some(pattern(text, ignore_case).map_err(|error| {
                    DataError::request(format!("{} has no readable pattern: {error}", place()))
                })?)
            }
            _ => None,
        };
        Ok(Check {
            condition: self,
            folded: ignore_case.then(|| lower(&self.value)),
            pattern,
        })
    }
}

/// A pattern may have so many groups: each of its states can keep the positions of all of them.
const MOST_GROUPS: usize = 50;

fn pattern(text: &str, ignore_case: bool) -> Result<Regex, regex::Error> {
    let limit = 1 << 20;
    let mut builder = RegexBuilder::new(text);
    builder.size_limit(limit).case_insensitive(ignore_case);
    let pattern = builder.build()?;
    if pattern.captures_len() > MOST_GROUPS {
        return Err(regex::Error::CompiledTooBig(limit));
    }
    Ok(pattern)
}

/// Texts in lower case, also those in a list.
fn lower(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.to_lowercase()),
        Value::Array(items) => items.iter().map(lower).collect(),
        other => other.clone(),
    }
}

impl Check<'_> {
    /// Whether it looks at letters, not at what they mean.
    pub fn is_about_text(&self) -> bool {
        use Operator::{Contains, EndsWith, Matches, StartsWith};
        matches!(
            self.condition.op,
            Contains | StartsWith | EndsWith | Matches
        )
    }

    /// The column that the condition compares with.
    pub fn other(&self) -> Option<&str> {
        self.condition.other.as_deref()
    }

    /// Whether a cell fits beside that of another column; nothing fits a missing one.
    pub fn fits_beside(&self, cell: Cell<'_>, other: Cell<'_>) -> bool {
        cell::present(other).is_some_and(|other| self.holds(cell, other))
    }

    pub fn fits(&self, cell: Cell<'_>) -> bool {
        match (&self.folded, cell) {
            (Some(folded), Some(text @ Value::String(_))) if self.pattern.is_none() => {
                self.holds(Some(&lower(text)), folded)
            }
            (Some(folded), _) => self.holds(cell, folded),
            (None, _) => self.holds(cell, &self.condition.value),
        }
    }

    fn holds(&self, cell: Cell<'_>, value: &Value) -> bool {
        let op = self.condition.op;
        let Some(found) = cell::present(cell) else {
            return match op {
                Operator::Missing => true,
                Operator::Ne => cell::present(Some(value)).is_some(),
                Operator::NotIn => true,
                Operator::Eq => cell::present(Some(value)).is_none(),
                _ => false,
            };
        };
        let ordered = |against: &Value, wanted: &[Ordering]| {
            is_comparable(found, against) && wanted.contains(&compare(found, against))
        };
        let listed = || {
            let items = value.as_array().into_iter().flatten();
            items.into_iter().any(|item| is_equal(found, item))
        };
        let texts = || Some((found.as_str()?, value.as_str()?));
        match op {
            Operator::Eq => is_equal(found, value),
            Operator::Ne => !is_equal(found, value),
            Operator::Lt => ordered(value, &[Ordering::Less]),
            Operator::Lte => ordered(value, &[Ordering::Less, Ordering::Equal]),
            Operator::Gt => ordered(value, &[Ordering::Greater]),
            Operator::Gte => ordered(value, &[Ordering::Greater, Ordering::Equal]),
            Operator::Between => match value.as_array().map(Vec::as_slice) {
                Some([low, high]) => {
                    ordered(low, &[Ordering::Greater, Ordering::Equal])
                        && ordered(high, &[Ordering::Less, Ordering::Equal])
                }
                _ => false,
            },
            Operator::In => listed(),
            Operator::NotIn => !listed(),
            Operator::Contains => texts().is_some_and(|(text, part)| text.contains(part)),
            Operator::StartsWith => texts().is_some_and(|(text, part)| text.starts_with(part)),
            Operator::EndsWith => texts().is_some_and(|(text, part)| text.ends_with(part)),
            Operator::Matches => self
                .pattern
                .as_ref()
                .is_some_and(|pattern| found.as_str().is_some_and(|text| pattern.is_match(text))),
            Operator::Missing => false,
            Operator::Present => true,
        }
    }
}

/// Numbers compare with numbers, and texts with texts.
fn is_comparable(left: &Value, right: &Value) -> bool {
    let both_numbers = cell::number(left).is_some() && cell::number(right).is_some();
    both_numbers
        || matches!(
            (left, right),
            (Value::String(_), Value::String(_)) | (Value::Bool(_), Value::Bool(_))
        )
}

/// 1, 1.0 and "1" are the same here, and so are true and "true".
fn is_equal(left: &Value, right: &Value) -> bool {
    if let (Value::Bool(truth), Value::String(text)) | (Value::String(text), Value::Bool(truth)) =
        (left, right)
    {
        return text.eq_ignore_ascii_case(if *truth { "true" } else { "false" });
    }
    left == right || (is_comparable(left, right) && compare(left, right).is_eq())
}

/// Two dates by time, and by their days where one of them has no time.
fn compare(left: &Value, right: &Value) -> Ordering {
    let moment = |value: &Value| date::read(value.as_str()?);
    match (moment(left), moment(right)) {
        (Some(left), Some(right)) => left.compare(right),
        _ => cell::compare(Some(left), Some(right)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn conditions_fit_what_they_say() {
        let values = [
            json!(1),
            json!("10"),
            json!("abc"),
            json!(null),
            json!(true),
        ];
        let check = |op: &str, value: Value, expected: &[usize]| {
            let condition: Condition =
                serde_json::from_value(json!({"column": "c", "op": op, "value": value})).unwrap();
            let ready = condition.ready(false).unwrap();
            let fitting: Vec<usize> = (0..values.len())
                .filter(|at| ready.fits(Some(&values[*at])))
                .collect();
            assert_eq!(fitting, expected, "{op} {value}");
        };
        check("eq", json!(10), &[1]);
        check("ne", json!(10), &[0, 2, 3, 4]);
        check("gt", json!(5), &[1]);
        check("lte", json!("1"), &[0]);
        check("lt", json!("b"), &[1, 2]);
        check("between", json!([0, 10]), &[0, 1]);
        check("in", json!([1, "abc"]), &[0, 2]);
        check("not_in", json!([1, "abc"]), &[1, 3, 4]);
        check("contains", json!("b"), &[2]);
        let groups = json!({"column": "c", "op": "matches", "value": "(a)?".repeat(50)});
        let groups: Condition = serde_json::from_value(groups).unwrap();
        assert!(groups.ready(false).is_err(), "groups take memory");
        check("starts_with", json!("a"), &[2]);
        check("ends_with", json!("0"), &[1]);
        check("matches", json!("^[a-c]+$"), &[2]);
        check("missing", json!(null), &[3]);
        check("present", json!(null), &[0, 1, 2, 4]);
        check("eq", json!(true), &[4]);
    }

    #[test]
    fn a_day_holds_all_its_times() {
        let values = [
            json!("2026-05-01T06:00:00"),
            json!("2026-05-02 00:00"),
            json!("2026-05-03"),
        ];
        let check = |op: &str, value: Value, expected: &[usize]| {
            let condition: Condition =
                serde_json::from_value(json!({"column": "c", "op": op, "value": value})).unwrap();
            let ready = condition.ready(true).unwrap();
            let fits = |at: &usize| ready.fits(Some(&values[*at]));
            let fitting: Vec<usize> = (0..values.len()).filter(fits).collect();
            assert_eq!(fitting, expected, "{op} {value}");
        };
        check("eq", json!("2026-05-01"), &[0]);
        check("lte", json!("2026-05-02"), &[0, 1]);
        check("gt", json!("2026-05-01"), &[1, 2]);
        check("between", json!(["2026-05-01", "2026-05-02"]), &[0, 1]);
        check("in", json!(["2026-05-02"]), &[1]);
    }

    #[test]
    fn conditions_without_sense_are_refused() {
        for (op, value) in [
            ("in", json!(1)),
            ("between", json!([1])),
            ("matches", json!("(")),
            ("contains", json!(1)),
        ] {
            let condition: Condition =
                serde_json::from_value(json!({"column": "c", "op": op, "value": value})).unwrap();
            assert!(condition.ready(false).is_err(), "{op}");
        }
    }
}
