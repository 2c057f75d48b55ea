//! What does a mapping cost while it is read, and a value when it is repeated?

use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

/// The fields of a mapping, put into one only when their number is known: most are
/// small, and a growing mapping takes room for more.
#[derive(Default)]
pub(super) struct Fields {
    list: Vec<(String, Value)>,
    names: FxHashSet<String>,
}

impl Fields {
    /// So many names are compared one by one.
    const FEW: usize = 16;

    pub(super) fn contains(&self, name: &str) -> bool {
        if self.list.len() <= Self::FEW {
            self.list.iter().any(|(known, _)| known == name)
        } else {
            self.names.contains(name)
        }
    }

    pub(super) fn push(&mut self, name: String, value: Value) {
        if self.list.len() == Self::FEW {
            self.names = self.list.iter().map(|(name, _)| name.clone()).collect();
        }
        if self.list.len() >= Self::FEW {
            self.names.insert(name.clone());
        }
        self.list.push((name, value));
    }

    pub(super) fn into_value(self) -> Value {
        let mut fields = Map::with_capacity(self.list.len());
        fields.extend(self.list);
        Value::Object(fields)
    }
}

/// Levels of lists and mappings, and bytes of texts and names.
pub(super) fn extent(value: &Value) -> (usize, usize) {
    let deeper = |(depth, bytes): (usize, usize), inner: (usize, usize)| {
        (depth.max(inner.0), bytes + inner.1)
    };
    match value {
        Value::String(text) => (0, text.len()),
        Value::Array(items) => {
            let (depth, bytes) = items.iter().map(extent).fold((0, 0), deeper);
            (depth + 1, bytes)
        }
        Value::Object(fields) => {
            let inner = fields.iter().map(|(name, value)| {
                let (depth, bytes) = extent(value);
                (depth, bytes + name.len())
            });
            let (depth, bytes) = inner.fold((0, 0), deeper);
            (depth + 1, bytes)
        }
        _ => (0, 0),
    }
}
