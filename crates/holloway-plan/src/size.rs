//! How large is a value? The size counts what a value takes in memory as well as its text, so
//! that a long list of small numbers is not mistaken for a small value.

use serde_json::Value;

/// How large one value of a run may be, unless the configuration says otherwise.
pub const VALUE_BYTES: usize = 64 << 20;

// Rows of tables count a little more than their JSON text; lists and objects of small parts count
// nearly what they take in memory, because there they could take twenty times their text.

/// What a value takes besides its text.
pub(crate) const OWN: usize = 8;
/// What an item of a list takes besides its value.
pub(crate) const ITEM: usize = 56;
/// What an object takes besides its fields.
pub(crate) const OBJECT: usize = 128;
/// What the name of a field takes besides its text.
pub(crate) const FIELD: usize = 8;

/// The size of a value in bytes.
pub fn size(value: &Value) -> usize {
    let mut room = usize::MAX;
    take(value, &mut room);
    usize::MAX - room
}

/// Whether a value is larger than `limit` bytes; looks no further than needed.
pub fn exceeds(value: &Value, limit: usize) -> bool {
    let mut room = limit;
    !take(value, &mut room)
}

/// Takes the size of a value off the room that is left; false when it does not fit.
pub(crate) fn take(value: &Value, room: &mut usize) -> bool {
    let own = match value {
        Value::String(text) => OWN.saturating_add(text.len()),
        Value::Array(items) => OWN.saturating_add(items.len().saturating_mul(ITEM)),
        Value::Object(_) => OBJECT,
        _ => OWN,
    };
    if !take_bytes(own, room) {
        return false;
    }
    match value {
        Value::Array(items) => items.iter().all(|item| take(item, room)),
        Value::Object(fields) => fields
            .iter()
            .all(|(name, field)| take_bytes(FIELD + name.len(), room) && take(field, room)),
        _ => true,
    }
}

/// The same for a number of bytes.
pub(crate) fn take_bytes(bytes: usize, room: &mut usize) -> bool {
    let left = room.checked_sub(bytes);
    *room = left.unwrap_or_default();
    left.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn small_parts_count_too() {
        assert_eq!(size(&json!("abc")), 11);
        assert_eq!(size(&json!([1, 2])), 8 + 2 * (56 + 8));
        assert_eq!(size(&json!({"ab": null})), 128 + 10 + 8);
        assert!(!exceeds(&json!([1, 2]), 136));
        assert!(exceeds(&json!([1, 2]), 135));
    }
}
