//! How does an answer become JSON of a schema? It is found, checked, and mended once: the model is
//! told what is wrong and answers again.

use holloway_engine::checks::misfit;
use holloway_engine::failure::ToolFailure;
use holloway_engine::mark::Issued;
use holloway_engine::model::{Ask, find_json};
use serde_json::{Value, json};

use super::asking::{Account, Asking};

/// The field in which a schema that is no object's is answered.
const ONLY: &str = "value";

/// JSON of this schema, or why there is none.
pub(super) async fn of_schema(
    asking: &Asking,
    ask: Ask,
    schema: &Value,
    account: &Account,
) -> Result<Value, ToolFailure> {
    let wrapped = wrapped(schema);
    let ask = ask.with_schema(wrapped.clone().unwrap_or_else(|| schema.clone()));
    let said = asking.ask(ask.clone(), account).await?;
    let complaint = match read(&said, schema, wrapped.is_some()) {
        Ok(value) => return Ok(value),
        Err(complaint) => complaint,
    };
    let again = format!(
        "This does not fit: {complaint}. Answer once more, with JSON of the schema and nothing else."
    );
    let said = asking.ask(ask.follow_up(said, again), account).await?;
    read(&said, schema, wrapped.is_some()).map_err(|complaint| {
        let failure =
            ToolFailure::invalid(format!("the answer of the model does not fit: {complaint}"));
        account.told(ToolFailure {
            retryable: true,
            ..failure
        })
    })
}

/// Providers want objects; other schemas are answered as the only field of one.
fn wrapped(schema: &Value) -> Option<Value> {
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object")
        || schema.get("anyOf").is_some();
    (!is_object).then(|| {
        json!({"type": "object", "required": [ONLY], "additionalProperties": false, "properties": {ONLY: schema}})
    })
}

fn read(said: &str, schema: &Value, is_wrapped: bool) -> Result<Value, String> {
    let mut value = find_json::find(said)?;
    if is_wrapped && let Some(only) = value.get_mut(ONLY) {
        value = only.take();
    }
    match misfit(Some(schema), &value, &Issued::new()) {
        None => Ok(value),
        Some(complaint) => Err(complaint),
    }
}
