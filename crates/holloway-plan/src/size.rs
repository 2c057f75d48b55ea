//! How large is a value? The size counts what a value takes in memory as well as its text, so
//! that a long list of small numbers is not mistaken for a small value.

use serde_json::Value;

/// How large one value of a run may be, unless the configuration says otherwise.
pub const VALUE_BYTES: usize = 64 << 20;

// Rows of tables count about twice their JSON text; lists and objects of small parts count what
// they take in memory, because there they could take a hundred times their text.

/// What a value takes besides its text.
pub(crate) const OWN: usize = 8;
/// What an item of a list takes besides its value.
pub(crate) const ITEM: usize = 104;
/// What the name of a field takes besides its text.
pub(crate) const FIELD: usize = 8;
/// What a text takes besides its bytes.
const TEXT: usize = 24;
/// What an object takes besides its fields: room for the first four, and an index.
const OBJECT: usize = 512;
/// A list has room for so many items from its first one on.
const FIRST_ITEMS: usize = 4;

/// What a list takes besides the values in it.
pub(crate) fn list(items: usize) -> usize {
    match items {
        0 => OWN,
        items => OWN.saturating_add(items.max(FIRST_ITEMS).saturating_mul(ITEM)),
    }
}

/// What a text takes.
pub(crate) fn text(bytes: usize) -> usize {
    OWN.saturating_add(TEXT).saturating_add(bytes)
}

/// What an object takes besides its fields.
pub(crate) fn object(fields: usize) -> usize {
    if fields == 0 { OWN } else { OBJECT }
}

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
        Value::String(own) => text(own.len()),
        Value::Array(items) => list(items.len()),
        Value::Object(fields) => object(fields.len()),
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
        assert_eq!(size(&json!("abc")), 35);
        assert_eq!(size(&json!([])), 8);
        assert_eq!(size(&json!([1, 2])), 8 + 4 * 104 + 2 * 8);
        assert_eq!(size(&json!([1, 2, 3, 4, 5])), 8 + 5 * (104 + 8));
        assert_eq!(size(&json!({})), 8);
        assert_eq!(size(&json!({"ab": null})), 512 + 10 + 8);
        assert!(!exceeds(&json!([1, 2]), 440));
        assert!(exceeds(&json!([1, 2]), 439));
    }
}
