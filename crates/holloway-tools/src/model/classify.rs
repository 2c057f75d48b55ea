//! `classify`: which of these labels fits the text?

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::asking::{Account, Asking};
use super::{answer, prompt};
use crate::declaration::{Declaration, input, output};
use crate::{Tool, arguments};

pub(super) fn tool(asking: &Arc<Asking>) -> Arc<dyn Tool> {
    Arc::new(Classify(Arc::clone(asking)))
}

struct Classify(Arc<Asking>);

const TASK: &str =
    "Choose the one label that fits the text best. Answer with JSON of the schema alone.";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    text: String,
    labels: Vec<String>,
    about: Option<String>,
}

#[async_trait]
impl Tool for Classify {
    fn spec(&self) -> ToolSpec {
        let at_hand = &self.0.at_hand;
        Declaration {
            name: "classify",
            title: "Classify with the model",
            category: "text",
            description: "Asks the configured model which one of a few labels fits a text. Returns the label, one of those that were given.",
            effect: Effect::Read,
            latency_ms: at_hand.latency_ms,
            input: input(
                &["text", "labels"],
                json!({
                    "text": {"type": "string"},
                    "labels": {"type": "array", "minItems": 2, "maxItems": 100, "items": {"type": "string"}},
                    "about": {"type": "string", "description": "What the labels are about"}
                }),
            ),
            output: output(&["label"], json!({"label": {"type": "string"}})),
            example: json!({"text": "I want my money back", "labels": ["complaint", "praise"]}),
            does: &[],
        }
        .model(at_hand.price)
    }

    async fn call(&self, arguments: &Value, _: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let Arguments {
            text,
            labels,
            about,
        } = arguments::parse(arguments)?;
        let schema = json!({
            "type": "object", "required": ["label"], "additionalProperties": false,
            "properties": {"label": {"enum": labels}}
        });
        let about = about.map(|about| format!(" about {about}"));
        let instructions = format!(
            "Which of these labels{} fits the text? {}",
            about.unwrap_or_default(),
            labels.join(" | ")
        );
        let question = prompt::question(&instructions, &prompt::only("text", &text));
        let account = Account::default();
        let ask = self.0.question(prompt::system(TASK), question);
        let label = answer::of_schema(&self.0, ask, &schema, &account).await?;
        Ok(account.output(label))
    }
}
