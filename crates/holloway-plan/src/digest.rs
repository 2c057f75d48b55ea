//! One way to hash data: blake3 over JSON with sorted keys, as 32 hex digits.

mod sorted;

use serde::Serialize;
use serde_json::Value;

use sorted::Sorted;

/// The digest of anything that has a JSON form; key order does not matter.
pub fn of_json<T: Serialize + ?Sized>(data: &T) -> String {
    let mut bytes = Vec::new();
    // A value that cannot be serialised (a map with odd keys) does not occur in plans.
    if data.serialize(Sorted(&mut bytes)).is_err() {
        bytes.clear();
        feed(&mut bytes, &Value::Null);
    }
    blake3::hash(&bytes).to_hex()[..32].to_owned()
}

/// A value without fields or items.
fn feed(bytes: &mut Vec<u8>, value: &Value) {
    match value {
        Value::String(text) => feed_text(bytes, text),
        other => {
            bytes.extend_from_slice(other.to_string().as_bytes());
            bytes.push(b',');
        }
    }
}

/// Length first, so that no two different texts run together.
fn feed_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(b'"');
    bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;
    use serde_json::json;

    use super::*;

    #[derive(Serialize)]
    enum Kind {
        Plain,
        One(u8),
        Two(u8, Option<f64>),
        Named { b: bool, a: &'static str },
    }

    #[derive(Serialize)]
    struct Whole {
        z: Vec<Kind>,
        a: BTreeMap<u8, char>,
        unit: (),
        pair: (i64, f32),
        nothing: Option<u8>,
    }

    #[test]
    fn data_has_the_digest_of_its_json() {
        let whole = Whole {
            z: vec![
                Kind::Plain,
                Kind::One(1),
                Kind::Two(2, Some(0.5)),
                Kind::Named { b: true, a: "x" },
            ],
            a: BTreeMap::from([(10, 'c'), (9, 'd')]),
            unit: (),
            pair: (-3, 1.0),
            nothing: None,
        };
        let json = serde_json::to_value(&whole).unwrap();
        assert_eq!(of_json(&whole), of_json(&json));
    }

    #[test]
    fn digests_are_those_that_runs_were_stored_with() {
        let value = json!({"b": [1, 2.5, null, true], "a": {"é": "text", "": -1}});
        let other = json!({"a": {"": -1, "é": "text"}, "b": [1, 2.5, null, true]});
        assert_eq!(of_json(&value), of_json(&other));
        assert_eq!(of_json(&value), "52938d2f4aeb09140861de36ad86e6c7");
        assert_ne!(of_json(&json!(["ab", "c"])), of_json(&json!(["a", "bc"])));
    }
}
