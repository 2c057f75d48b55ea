//! Has the description of a service changed at its origin? It is read again before
//! the service is asked, so that changes are seen and held back like others.

use holloway_flow::catalog::SourceRecord;
use holloway_sources::SourceError;
use holloway_sources::openapi::read_document;
use serde_json::Value;

use crate::outside::Outside;

/// The record with the description as it is now; other kinds stay as they are.
pub(super) async fn reread(
    record: SourceRecord,
    outside: &Outside,
) -> Result<SourceRecord, SourceError> {
    let text = |key: &str| record.config.get(key).and_then(Value::as_str);
    let (Some("openapi"), Some(origin)) = (text("kind"), text("origin")) else {
        return Ok(record);
    };
    let around = outside.around();
    let read = read_document(origin, &around.folder, &around.grants).await?;
    if record.config.get("document") == Some(&read.document) {
        return Ok(record);
    }
    let mut changed = record;
    if let Some(fields) = changed.config.as_object_mut() {
        fields.insert("document".to_owned(), read.document);
    }
    outside.catalog.put_source(&changed)?;
    Ok(changed)
}
