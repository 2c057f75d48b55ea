//! `summarise`: what does this text say in short, in the words of the model?

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::asking::{Account, Asking};
use super::prompt;
use crate::declaration::{Declaration, input, output};
use crate::{Tool, arguments};

pub(super) fn tool(asking: &Arc<Asking>) -> Arc<dyn Tool> {
    Arc::new(Summarise(Arc::clone(asking)))
}

struct Summarise(Arc<Asking>);

const TASK: &str = "Summarise the text. Say only what the text says; keep names, numbers and dates exactly. \
    Write in the language of the text and answer with the summary alone.";

/// What the arguments look like, with a model and without.
pub(super) fn arguments_schema() -> Value {
    input(
        &["text"],
        json!({
            "text": {"type": "string"},
            "sentences": {"type": "integer", "minimum": 1, "maximum": 100, "default": 3, "description": "How long the summary is"},
            "focus": {"type": "string", "description": "What it is for, or what matters most"}
        }),
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub(super) text: String,
    #[serde(default = "three")]
    pub(super) sentences: usize,
    pub(super) focus: Option<String>,
}

fn three() -> usize {
    3
}

#[async_trait]
impl Tool for Summarise {
    fn spec(&self) -> ToolSpec {
        let at_hand = &self.0.at_hand;
        Declaration {
            name: "summarise",
            title: "Summarise with the model",
            category: "text",
            description: "Asks the configured model for a summary in its own words. Use it where wording matters; `text-summarise` picks sentences without a model. \
                Returns the summary.",
            effect: Effect::Read,
            latency_ms: at_hand.latency_ms,
            input: arguments_schema(),
            output: output(&["summary"], json!({"summary": {"type": "string"}})),
            example: json!({"text": "Prices fell in May. In May prices of phones fell most.", "sentences": 1}),
            does: &[],
        }
        .model(at_hand.price)
    }

    async fn call(&self, arguments: &Value, _: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let Arguments {
            text,
            sentences,
            focus,
        } = arguments::parse(arguments)?;
        let mut instructions = format!("Summarise the text in at most {sentences} sentences.");
        if let Some(focus) = focus {
            instructions.push_str(" It is for: ");
            instructions.push_str(&focus);
        }
        let question = prompt::question(&instructions, &prompt::only("text", &text));
        let account = Account::default();
        let ask = self.0.question(prompt::system(TASK), question);
        let summary = self.0.ask(ask, &account).await?;
        Ok(account.output(json!({"summary": summary.trim()})))
    }
}
