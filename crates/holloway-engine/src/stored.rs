//! How does a value stand in the journal? As it is, or by reference when it is
//! large. A tool cannot pass its own result off as a reference.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

/// Marks a reference.
const BLOB: &str = "$blob";
/// Marks a value that could be taken for a mark.
const PLAIN: &str = "$value";

/// A value in the journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    Value(Arc<Value>),
    Blob {
        /// Digest of the bytes in the blob folder.
        blob: String,
        bytes: u64,
        /// The beginning, for people.
        preview: String,
    },
}

impl Stored {
    pub fn of(value: &Arc<Value>) -> Self {
        Self::Value(Arc::clone(value))
    }

    /// The value, unless it is kept elsewhere.
    pub fn value(&self) -> Option<&Arc<Value>> {
        match self {
            Self::Value(value) => Some(value),
            Self::Blob { .. } => None,
        }
    }
}

/// Whether a plain value must be wrapped so that it is not taken for a mark.
fn looks_marked(value: &Value) -> bool {
    value.get(BLOB).is_some() || value.get(PLAIN).is_some()
}

impl Serialize for Stored {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) if looks_marked(value) => {
                json!({ PLAIN: **value }).serialize(serializer)
            }
            Self::Value(value) => value.serialize(serializer),
            Self::Blob {
                blob,
                bytes,
                preview,
            } => json!({ BLOB: blob, "bytes": bytes, "preview": preview }).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Stored {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Reference {
            #[serde(rename = "$blob")]
            blob: String,
            bytes: u64,
            preview: String,
        }
        let mut value = Value::deserialize(deserializer)?;
        if value.get(BLOB).is_some() {
            let Reference {
                blob,
                bytes,
                preview,
            } = serde_json::from_value(value).map_err(serde::de::Error::custom)?;
            return Ok(Self::Blob {
                blob,
                bytes,
                preview,
            });
        }
        let plain = value.get_mut(PLAIN).map(Value::take);
        Ok(Self::Value(Arc::new(plain.unwrap_or(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_looks_like_a_reference_stays_a_result() {
        for value in [
            json!(null),
            json!({"$blob": "ab", "bytes": 1, "preview": "", "other": 5}),
            json!({"$value": 3}),
            json!([1]),
        ] {
            let stored = Stored::Value(Arc::new(value));
            let text = serde_json::to_string(&stored).unwrap();
            assert_eq!(
                serde_json::from_str::<Stored>(&text).unwrap(),
                stored,
                "{text}"
            );
        }
        let blob = Stored::Blob {
            blob: "ab".to_owned(),
            bytes: 3,
            preview: "[1]".to_owned(),
        };
        let text = serde_json::to_string(&blob).unwrap();
        assert_eq!(
            serde_json::from_str::<Stored>(&text).unwrap(),
            blob,
            "{text}"
        );
    }
}
