//! One way to hash data: blake3 over JSON with sorted keys, as 32 hex digits.

use serde::Serialize;
use serde_json::Value;

/// The digest of anything that has a JSON form; key order does not matter.
pub fn of_json<T: Serialize + ?Sized>(data: &T) -> String {
    // A value that cannot be serialised (a map with non-text keys) does not occur in plans.
    let value = serde_json::to_value(data).unwrap_or(Value::Null);
    let mut hasher = blake3::Hasher::new();
    feed(&mut hasher, &value);
    hasher.finalize().to_hex()[..32].to_owned()
}

fn feed(hasher: &mut blake3::Hasher, value: &Value) {
    match value {
        Value::Object(fields) => {
            let mut keys: Vec<_> = fields.iter().collect();
            keys.sort_by_key(|(key, _)| *key);
            hasher.update(b"{");
            for (key, field) in keys {
                feed_text(hasher, key);
                feed(hasher, field);
            }
            hasher.update(b"}");
        }
        Value::Array(items) => {
            hasher.update(b"[");
            for item in items {
                feed(hasher, item);
            }
            hasher.update(b"]");
        }
        Value::String(text) => feed_text(hasher, text),
        other => {
            hasher.update(other.to_string().as_bytes());
            hasher.update(b",");
        }
    }
}

/// Length first, so that no two different texts run together.
fn feed_text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(b"\"");
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
