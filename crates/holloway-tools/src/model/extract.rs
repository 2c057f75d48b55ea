//! `extract`: which values of a schema does this text name? JSON that fits the schema, or a failure.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec, full_schema};
use serde::Deserialize;
use serde_json::{Value, json};

use super::asking::{Account, Asking};
use super::{answer, prompt};
use crate::declaration::{Declaration, input, output};
use crate::{Tool, arguments};

pub(super) fn tool(asking: &Arc<Asking>) -> Arc<dyn Tool> {
    Arc::new(Extract(Arc::clone(asking)))
}

struct Extract(Arc<Asking>);

const TASK: &str = "Take values out of the text. Take only what the text says; leave out or set to null what it does not say. \
    Answer with JSON of the schema alone.";

/// What the arguments look like, with a model and without.
pub(super) fn arguments_schema() -> Value {
    input(
        &["text", "schema"],
        json!({
            "text": {"type": "string"},
            "schema": {"type": "object", "description": "JSON Schema of the values; the short form {name: {type: string}} works too"},
            "about": {"type": "string", "description": "What is looked for, in words"}
        }),
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub(super) text: String,
    schema: Value,
    pub(super) about: Option<String>,
}

impl Arguments {
    pub(super) fn schema(&self) -> Value {
        full_schema(self.schema.clone())
    }
}

#[async_trait]
impl Tool for Extract {
    fn spec(&self) -> ToolSpec {
        let at_hand = &self.0.at_hand;
        Declaration {
            name: "extract",
            title: "Extract values with the model",
            category: "text",
            description: "Asks the configured model for the values that a text names, as JSON of a schema. The answer is checked against the schema and mended once. \
                Returns the values under `values`.",
            effect: Effect::Read,
            latency_ms: at_hand.latency_ms,
            input: arguments_schema(),
            output: output(&["values"], json!({"values": {}})),
            example: json!({"text": "Invoice 17 of 3 May 2026, total 20 EUR", "schema": {"number": {"type": "integer"}, "total": {"type": "string"}}}),
            does: &[],
        }
        .model(at_hand.price)
    }

    async fn call(&self, arguments: &Value, _: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let schema = arguments.schema();
        let about = arguments.about.as_deref().unwrap_or("all of them");
        let instructions =
            format!("Take the values of this schema out of the text: {schema}\nWanted: {about}");
        let question = prompt::question(&instructions, &prompt::only("text", &arguments.text));
        let account = Account::default();
        let ask = self.0.question(prompt::system(TASK), question);
        let values = answer::of_schema(&self.0, ask, &schema, &account).await?;
        Ok(account.output(json!({"values": values})))
    }
}
