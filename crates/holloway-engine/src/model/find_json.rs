//! Where is the JSON in an answer? On its own, in a fenced block, or with prose around it.
//! The first object or list that can be read to its end is taken; nothing is guessed.

use serde_json::Value;

/// Longer answers are refused before they are read.
pub const MOST_BYTES: usize = 1 << 20;

/// So many places are tried at most: prose may be full of brackets.
const MOST_STARTS: usize = 200;
/// And so many bytes are read for all of them together.
const MOST_READ: usize = 4 * 1024 * 1024;

/// The JSON of an answer, or why there is none.
pub fn find(answer: &str) -> Result<Value, String> {
    if answer.len() > MOST_BYTES {
        return Err(format!(
            "the answer has {} bytes; at most {MOST_BYTES} are read",
            answer.len()
        ));
    }
    let text = answer.trim();
    if text.is_empty() {
        return Err("the answer is empty".to_owned());
    }
    let whole = match serde_json::from_str::<Value>(text) {
        Ok(value) => return of_use(value),
        Err(error) => error,
    };
    let starts = text.char_indices().filter(|(_, c)| matches!(c, '{' | '['));
    let mut unread = MOST_READ;
    for (start, _) in starts.take(MOST_STARTS) {
        let rest = text.get(start..).unwrap_or_default();
        let Some(left) = unread.checked_sub(rest.len()) else {
            break;
        };
        unread = left;
        if let Some(value) = read_from(rest) {
            return Ok(value);
        }
    }
    // The error of the part that looks like JSON says more than that of the prose before it.
    let begun = text.find('{').and_then(|start| text.get(start..));
    let error = begun.map_or(whole, |begun| {
        serde_json::from_str::<Value>(begun)
            .err()
            .unwrap_or_else(|| serde::de::Error::custom("no object"))
    });
    Err(format!("{error}; it begins with `{}`", beginning(text)))
}

/// The value that begins here, if it holds anything of ours.
fn read_from(text: &str) -> Option<Value> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = match values.next()? {
        Ok(value) => value,
        // Small models break lines inside texts.
        Err(_) => whole_lines(text)?,
    };
    // `[1]` in prose is a footnote.
    let is_ours = match &value {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => items.first().is_some_and(Value::is_object),
        _ => false,
    };
    is_ours.then_some(value)
}

/// The value that begins here, where raw line breaks and tabs stand inside texts.
fn whole_lines(text: &str) -> Option<Value> {
    let mut escaped = String::with_capacity(text.len());
    let (mut inside, mut after_backslash, mut broken) = (false, false, false);
    for letter in text.chars() {
        let escape = match letter {
            '\n' => Some("\\n"),
            '\r' => Some("\\r"),
            '\t' => Some("\\t"),
            _ => None,
        };
        match escape.filter(|_| inside) {
            Some(escape) => {
                broken = true;
                escaped.push_str(escape);
            }
            None => escaped.push(letter),
        }
        inside ^= letter == '"' && !after_backslash;
        after_backslash = letter == '\\' && !after_backslash;
    }
    if !broken {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(&escaped).into_iter::<Value>();
    values.next()?.ok()
}

fn of_use(value: Value) -> Result<Value, String> {
    match value {
        Value::Object(_) | Value::Array(_) => Ok(value),
        // Some servers wrap the JSON they were asked for into a text.
        Value::String(inner) => match serde_json::from_str(&inner) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => Ok(value),
            _ => Err("found a text, expected an object".to_owned()),
        },
        Value::Null => Err("found null, expected an object".to_owned()),
        Value::Bool(_) => Err("found a truth value, expected an object".to_owned()),
        Value::Number(_) => Err("found a number, expected an object".to_owned()),
    }
}

fn beginning(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    short.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(answer: &str, expected: Result<Value, &str>) {
        match (find(answer), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{answer}"),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{answer}: {found}"),
            (found, expected) => panic!("{answer}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn json_is_found_where_it_stands() {
        check(r#"{"a": 1}"#, Ok(json!({"a": 1})));
        check(
            "Sure! Here is the plan:\n```json\n{\"a\": [1, 2]}\n```\nGood luck [1].",
            Ok(json!({"a": [1, 2]})),
        );
        check(
            "As said in [1], {} is empty, but {\"a\": \"}\"} is not.",
            Ok(json!({"a": "}"})),
        );
        check("```\n[{\"id\": 1}]\n```", Ok(json!([{"id": 1}])));
        check(r#""{\"a\": 1}""#, Ok(json!({"a": 1})));
        check("<think>{not json}</think>{\"a\":1}", Ok(json!({"a": 1})));
    }

    #[test]
    fn lines_may_break_inside_a_text() {
        check(
            "{\"steps\": [{\"text\": \"one\ntwo\tthree \\\" four\"}]}",
            Ok(json!({"steps": [{"text": "one\ntwo\tthree \" four"}]})),
        );
    }

    #[test]
    fn what_is_not_json_is_not_guessed() {
        check("", Err("empty"));
        check("I cannot do that.", Err("begins with `I cannot do that.`"));
        check(r#"{"a": 1,}"#, Err("trailing comma"));
        check(r#"{"a": [1, 2"#, Err("EOF"));
        check("42", Err("found a number"));
        check("null", Err("found null"));
        check(&"x".repeat(MOST_BYTES + 1), Err("at most"));
        check(&"[".repeat(100_000), Err("recursion limit"));
    }

    proptest! {
        #[test]
        fn prose_around_it_does_no_harm(before in "[a-z .\\[(]{0,40}", after in "[^\\]]{0,40}") {
            let answer = format!("{before}{{\"steps\": [{{\"id\": \"a\"}}]}}{after}");
            prop_assert_eq!(find(&answer), Ok(json!({"steps": [{"id": "a"}]})));
        }

        #[test]
        fn no_text_is_trouble(answer in ".{0,200}") {
            let _ = find(&answer);
        }
    }
}
