//! Samples that seem to tell somebody. Nothing leaves the machine, but they count as
//! writing, so that approvals and dry runs can be tried out.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::declaration::{Declaration, input, output};
use super::super::pure::Pure;
use super::super::{Tool, arguments};

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    let notify = spec(
        "send_notification",
        "Sample: send a notification",
        "Sample for trying out plans: pretends to send a notification; nothing leaves the machine. Returns that it was \
            delivered, the channel and the message.",
    );
    let escalate = spec(
        "escalate",
        "Sample: escalate to a person",
        "Sample for trying out plans: pretends to call in a person; nothing leaves the machine. Returns that it was \
            delivered, the channel and the message.",
    );
    vec![
        Pure::tool(notify, |arguments| deliver(arguments, "notification")),
        Pure::tool(escalate, |arguments| deliver(arguments, "escalation")),
    ]
}

fn spec(name: &'static str, title: &'static str, description: &'static str) -> ToolSpec {
    Declaration {
        name,
        title,
        category: "sample",
        description,
        effect: Effect::Write,
        latency_ms: 1,
        input: input(
            &["message"],
            json!({
                "message": {"type": "string", "minLength": 1},
                "channel": {"type": "string", "description": "Where it would go"}
            }),
        ),
        output: output(
            &["delivered", "channel", "message"],
            json!({
                "delivered": {"type": "boolean"},
                "channel": {"type": "string"},
                "message": {"type": "string"}
            }),
        ),
        example: json!({"message": "The report is ready"}),
        does: &[],
    }
    .sample()
}

fn deliver(arguments: &Value, default_channel: &str) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        message: String,
        channel: Option<String>,
    }
    let Arguments { message, channel } = arguments::parse(arguments)?;
    let channel = channel.unwrap_or_else(|| default_channel.to_owned());
    Ok(json!({ "delivered": true, "channel": channel, "message": message }))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::run;
    use super::super::super::{Grants, Toolbox};
    use super::*;

    #[tokio::test]
    async fn messages_are_said_to_be_delivered() {
        let toolbox = Toolbox::builtin(Grants::default()).with_samples();
        for (tool, channel) in [
            ("send_notification", "notification"),
            ("escalate", "escalation"),
        ] {
            let result = run(
                &toolbox,
                &format!("sample/{tool}"),
                json!({"message": "hi"}),
            )
            .await;
            let expected = json!({"delivered": true, "channel": channel, "message": "hi"});
            assert_eq!(result.unwrap(), expected);
        }
    }
}
