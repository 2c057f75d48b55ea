//! What does one cell of a table hold? Missing: no field, null, or blank text.
//! A number: a JSON number, or text that is written exactly like one (`12`, ` -3.5 `,
//! `1e3`; not `007`, `1,234` or `12 €`).

use std::cmp::Ordering;

use serde_json::Value;

/// A cell as it stands in a row.
pub type Cell<'a> = Option<&'a Value>;

/// The value, unless it is missing.
pub fn present(cell: Cell<'_>) -> Cell<'_> {
    cell.filter(|value| match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        _ => true,
    })
}

/// The number that a value is or is written like.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64().filter(|number| number.is_finite()),
        Value::String(text) => number_in(text),
        _ => None,
    }
}

/// A plain number as JSON writes it; `007` is a code and stays text.
pub fn number_in(text: &str) -> Option<f64> {
    let text = text.trim();
    let starts = text.bytes().next()?;
    if !(starts == b'-' || starts.is_ascii_digit()) {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// What rows are grouped and joined by: equal exactly when the keys are equal.
/// 1 and 1.0 are one key, the text `1` is another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key<'a> {
    Missing,
    Bool(bool),
    Whole(i128),
    /// The bits of a number that is not whole.
    Number(u64),
    Text(&'a str),
    /// Lists and objects, by their JSON text with sorted fields.
    Other(String),
}

impl<'a> Key<'a> {
    pub fn of(cell: Cell<'a>) -> Self {
        let Some(value) = present(cell) else {
            return Self::Missing;
        };
        match value {
            Value::Null => Self::Missing,
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Number(number) => whole(number).map_or_else(
                || Self::Number(number.as_f64().unwrap_or_default().to_bits()),
                Self::Whole,
            ),
            Value::String(text) => Self::Text(text),
            other => Self::Other(canonical(other).to_string()),
        }
    }

    /// What kind of key it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Bool(_) => "true or false",
            Self::Whole(_) | Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::Other(_) => "a list or an object",
        }
    }
}

/// Fields in order of their names, whole numbers without a point. Parsing has bounded
/// how deep a value may be.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => whole(number)
            .and_then(|whole| i64::try_from(whole).ok())
            .map_or_else(|| value.clone(), Value::from),
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields
                .iter()
                .map(|(name, value)| (name.clone(), canonical(value)))
                .collect();
            fields.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(fields.into_iter().collect())
        }
        _ => value.clone(),
    }
}

/// Large whole numbers keep all their digits: identifiers must not fall together.
fn whole(number: &serde_json::Number) -> Option<i128> {
    if let Some(exact) = number.as_i128() {
        return Some(exact);
    }
    let float = number.as_f64()?;
    (float.fract().abs() <= 0.0 && float.abs() < 1e30).then_some(float as i128)
}

/// An order over all values: missing last, then false, true, numbers, texts, the rest
/// by their JSON text. Text that is a number is ordered among the numbers.
pub fn compare(left: Cell<'_>, right: Cell<'_>) -> Ordering {
    match (present(left), present(right)) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(left), Some(right)) => compare_values(left, right),
    }
}

fn compare_values(left: &Value, right: &Value) -> Ordering {
    if let (Some(left), Some(right)) = (number(left), number(right)) {
        return left.total_cmp(&right);
    }
    match (left, right) {
        (Value::String(left), Value::String(right)) if !is_mixed(left, right) => left.cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        _ => rank(left)
            .cmp(&rank(right))
            .then_with(|| left.to_string().cmp(&right.to_string())),
    }
}

fn is_mixed(left: &str, right: &str) -> bool {
    number_in(left).is_some() != number_in(right).is_some()
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 9,
        Value::Bool(_) => 0,
        value if number(value).is_some() => 1,
        Value::Number(_) | Value::String(_) => 2,
        Value::Array(_) => 3,
        Value::Object(_) => 4,
    }
}

/// A value as text, for names and messages; long ones are cut.
pub fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => format!("\"{text}\""),
        other => other.to_string(),
    };
    if text.chars().count() <= 60 {
        return text;
    }
    let start: String = text.chars().take(59).collect();
    format!("{start}…")
}

/// A figure in JSON: whole when it is made of whole numbers only, null when not finite.
pub fn figure(value: f64, is_whole: bool) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if is_whole && value.fract().abs() <= 0.0 && value.abs() < EXACT {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_is_a_number_when_it_is_written_like_one() {
        for (text, expected) in [
            ("12", Some(12.0)),
            (" -3.5 ", Some(-3.5)),
            ("1e3", Some(1000.0)),
            ("007", None),
            ("1,234", None),
            ("12 €", None),
            ("NaN", None),
            ("inf", None),
            ("1e999", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(number(&json!(text)), expected, "{text}");
        }
    }

    #[test]
    fn keys_are_equal_when_the_values_are() {
        let key = |value: &Value| format!("{:?}", Key::of(Some(value)));
        assert_eq!(key(&json!(1)), key(&json!(1.0)));
        assert_ne!(key(&json!(1)), key(&json!("1")));
        assert_ne!(
            key(&json!(9_007_199_254_740_993_u64)),
            key(&json!(9_007_199_254_740_992_u64))
        );
        assert_eq!(key(&json!("  ")), key(&json!(null)));
        assert_eq!(key(&json!(-0.0)), key(&json!(0)));
        assert_eq!(
            key(&json!({"a": [1], "b": 2})),
            key(&json!({"b": 2.0, "a": [1.0]}))
        );
        assert_ne!(key(&json!([1])), key(&json!(["1"])));
    }

    #[test]
    fn every_two_values_have_an_order() {
        let mut values = [
            json!(null),
            json!([1]),
            json!("b"),
            json!("10"),
            json!(9),
            json!(true),
            json!("a"),
            json!({}),
            json!(""),
        ];
        values.sort_by(|left, right| compare(Some(left), Some(right)));
        let ordered = json!(values).to_string();
        assert_eq!(ordered, r#"[true,9,"10","a","b",[1],{},null,""]"#);
    }
}
