//! `template-render`: what does this template say about these values?

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::expression::ExpressionError;
use holloway_plan::template::render_text;
use holloway_plan::tool::{Effect, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::declaration::{Declaration, input, output};
use super::pure::Pure;
use super::{Tool, arguments};

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![Pure::pooled(spec(), render)]
}

fn spec() -> ToolSpec {
    Declaration {
        name: "template-render",
        title: "Render a template",
        category: "text",
        description: "Fills a Jinja template (MiniJinja: loops, conditions, filters) with values. Use it for letters, pages and \
            reports with a fixed form. A name without a value is an error, not an empty text. Templates cannot reach \
            files or the network. Returns the text.",
        effect: Effect::Read,
        latency_ms: 2,
        input: input(
            &["template"],
            json!({
                "template": {"type": "string"},
                "values": {"type": "object", "default": {}, "description": "The names the template may use"}
            }),
        ),
        output: output(&["text"], json!({"text": {"type": "string"}})),
            example: json!({"template": "Hi {{ name }}", "values": {"name": "Ada"}}),
        does: &[],
    }
    .builtin()
}

fn render(arguments: &Value) -> Result<Value, ToolFailure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Arguments {
        template: String,
        #[serde(default)]
        values: Map<String, Value>,
    }
    let Arguments { template, values } = arguments::parse(arguments)?;
    let names = |name: &str| values.get(name).cloned().map(Arc::new);
    let text = render_text(&template, &names).map_err(|error| failure(&error))?;
    Ok(json!({ "text": text }))
}

fn failure(error: &ExpressionError) -> ToolFailure {
    let message = format!("the template does not render: {error}");
    match error {
        ExpressionError::TooLarge { .. }
        | ExpressionError::InputTooLarge { .. }
        | ExpressionError::Endless { .. } => ToolFailure::limit(message),
        ExpressionError::Unreadable { .. } => ToolFailure::invalid(message),
        ExpressionError::Missing(_) => ToolFailure::missing_value(message),
        ExpressionError::Failed { .. } => ToolFailure::permanent(message),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::builtin;
    use super::*;
    use holloway_engine::failure::FailureName;

    async fn render(template: &str) -> Result<Value, ToolFailure> {
        let values = json!({"name": "Ada", "items": [{"n": 1}, {"n": 2}]});
        builtin(
            "template-render",
            json!({"template": template, "values": values}),
        )
        .await
    }

    #[tokio::test]
    async fn values_are_filled_in() {
        let template = "Dear {{ name|upper }}:{% for item in items %} {{ item.n }}{% endfor %}";
        assert_eq!(
            render(template).await.unwrap(),
            json!({"text": "Dear ADA: 1 2"})
        );
    }

    #[tokio::test]
    async fn mistakes_and_excess_are_told_apart() {
        for (template, name) in [
            ("{{ nobody }}", FailureName::MissingValue),
            ("{{ name", FailureName::ValidationFailed),
            ("{% include '/etc/passwd' %}", FailureName::ValidationFailed),
            ("{% set a = 1 %}", FailureName::ValidationFailed),
        ] {
            assert_eq!(render(template).await.unwrap_err().name, name, "{template}");
        }
        let grow = format!(
            "{{{{ name{} }}}}",
            " | replace('a', 'aaaaaaaaaaaa')".repeat(20)
        );
        let loops = "{% for a in name * 1 %}{% endfor %}";
        let nested = format!(
            "{}x{}",
            "{% for i in items %}".repeat(30),
            "{% endfor %}".repeat(30)
        );
        for template in [grow.as_str(), nested.as_str()] {
            assert_eq!(
                render(template).await.unwrap_err().name,
                FailureName::LimitExceeded,
                "{template}"
            );
        }
        assert!(render(loops).await.is_err());
    }
}
