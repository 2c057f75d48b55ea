//! `decide`: which of these ways is to be taken, and why? The answer is a proposal: a `conditional`
//! or an `approve` step acts on it.

use std::sync::Arc;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::asking::{Account, Asking};
use super::{answer, prompt};
use crate::declaration::{Declaration, input, output};
use crate::{Tool, arguments};

pub(super) fn tool(asking: &Arc<Asking>) -> Arc<dyn Tool> {
    Arc::new(Decide(Arc::clone(asking)))
}

struct Decide(Arc<Asking>);

const TASK: &str = "Answer the question from the data alone. Choose one of the options and give the reason in one sentence. \
    Answer with JSON of the schema alone.";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    question: String,
    #[serde(default = "yes_or_no")]
    options: Vec<String>,
    #[serde(default)]
    data: Map<String, Value>,
}

fn yes_or_no() -> Vec<String> {
    vec!["yes".to_owned(), "no".to_owned()]
}

#[async_trait]
impl Tool for Decide {
    fn spec(&self) -> ToolSpec {
        let at_hand = &self.0.at_hand;
        Declaration {
            name: "decide",
            title: "Decide with the model",
            category: "text",
            description: "Asks the configured model a question with a few possible answers, about the data given. Returns choice (one of the options) and reason.",
            effect: Effect::Read,
            latency_ms: at_hand.latency_ms,
            input: input(
                &["question"],
                json!({
                    "question": {"type": "string"},
                    "options": {"type": "array", "minItems": 2, "maxItems": 100, "items": {"type": "string"}, "default": ["yes", "no"]},
                    "data": {"type": "object", "description": "What it is to be decided from, by name"}
                }),
            ),
            output: output(
                &["choice", "reason"],
                json!({"choice": {"type": "string"}, "reason": {"type": "string"}}),
            ),
            example: json!({"question": "Is the price too high?", "data": {"price": 30, "usual": 20}}),
            does: &[],
        }
        .model(at_hand.price)
    }

    async fn call(&self, arguments: &Value, _: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let Arguments {
            question,
            options,
            data,
        } = arguments::parse(arguments)?;
        let schema = json!({
            "type": "object", "required": ["choice", "reason"], "additionalProperties": false,
            "properties": {"reason": {"type": "string"}, "choice": {"enum": options}}
        });
        let instructions = format!("{question}\nOptions: {}", options.join(" | "));
        let account = Account::default();
        let ask = self
            .0
            .question(prompt::system(TASK), prompt::question(&instructions, &data));
        let decision = answer::of_schema(&self.0, ask, &schema, &account).await?;
        Ok(account.output(decision))
    }
}
