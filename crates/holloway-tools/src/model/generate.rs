//! `generate`: what does the model write about this? Text, or JSON of a schema that is given.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::model::{ChatMessage, Speaker};
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::asking::{Account, Asking};
use super::{answer, prompt};
use crate::declaration::Declaration;
use crate::{Tool, arguments};

pub(super) fn tool(asking: &Arc<Asking>) -> Arc<dyn Tool> {
    Arc::new(Generate(Arc::clone(asking)))
}

struct Generate(Arc<Asking>);

const TASK: &str =
    "Do what the instructions say and answer with the result alone, without any introduction.";

#[derive(Deserialize)]
struct Arguments {
    prompt: String,
    #[serde(default)]
    system: Option<String>,
    /// What was said before the prompt.
    #[serde(default)]
    messages: Vec<Message>,
    #[serde(default)]
    schema: Option<Value>,
    #[serde(default)]
    max_tokens: Option<u32>,
    #[serde(default)]
    data: Map<String, Value>,
    /// Whatever else a step gives is data as well.
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize)]
struct Message {
    role: Role,
    text: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Model,
}

#[async_trait]
impl Tool for Generate {
    fn spec(&self) -> ToolSpec {
        let at_hand = &self.0.at_hand;
        Declaration {
            name: "generate",
            title: "Ask the model",
            category: "text",
            description: "Asks the configured model to write something. Use it for wording, judgement and tasks that no other tool does; it may be wrong. \
                `data` and all other fields stand in the prompt between marks, as data. Returns the text, or JSON of `schema` where one is given.",
            effect: Effect::Read,
            latency_ms: at_hand.latency_ms,
            input: json!({
                "type": "object",
                "required": ["prompt"],
                "properties": {
                    "prompt": {"type": "string", "description": "What is to be written"},
                    "data": {"type": "object", "description": "What it is about, by name"},
                    "schema": {"type": "object", "description": "JSON Schema of the answer"},
                    "system": {"type": "string", "description": "What holds for the whole exchange"},
                    "messages": {"type": "array", "items": {
                        "type": "object", "required": ["role", "text"],
                        "properties": {"role": {"enum": ["user", "model"]}, "text": {"type": "string"}}
                    }},
                    "max_tokens": {"type": "integer", "minimum": 1}
                }
            }),
            output: Value::Null,
            example: json!({"prompt": "Write one friendly sentence about these figures.", "data": {"figures": {"sold": 3}}}),
            does: &[],
        }
        .model(at_hand.price)
    }

    async fn call(&self, arguments: &Value, _: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let mut arguments: Arguments = arguments::parse(arguments)?;
        arguments.data.append(&mut arguments.others);
        let system = arguments
            .system
            .take()
            .unwrap_or_else(|| prompt::system(TASK));
        let question = prompt::question(&arguments.prompt, &arguments.data);
        let mut ask = self.0.question(system, question);
        let before = arguments.messages.into_iter().map(|message| ChatMessage {
            speaker: match message.role {
                Role::User => Speaker::User,
                Role::Model => Speaker::Model,
            },
            text: message.text,
        });
        ask.messages.splice(0..0, before);
        if let Some(most) = arguments.max_tokens {
            ask.max_tokens = ask.max_tokens.min(most);
        }
        let account = Account::default();
        let value = match &arguments.schema {
            Some(schema) => answer::of_schema(&self.0, ask, schema, &account).await?,
            None => Value::String(self.0.ask(ask, &account).await?.trim().to_owned()),
        };
        Ok(account.output(value))
    }
}
