//! `template-render`: what does this template say about these values?

use std::io::{self, Write};
use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use holloway_plan::tool::{Effect, ToolSpec};
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::declaration::{Declaration, input, output};
use super::pure::{OUTPUT_LIMIT, Pure};
use super::{Tool, arguments};

/// Instructions that one rendering may take: a second or two.
const FUEL: u64 = 5_000_000;

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
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    let template = environment.template_from_str(&template).map_err(failure)?;
    let mut text = Limited(Vec::new());
    let values = minijinja::Value::from(minijinja::value::Serde(values));
    template
        .render_captured_to(values, &mut text)
        .map_err(failure)?;
    Ok(json!({ "text": String::from_utf8_lossy(&text.0) }))
}

/// Refuses to grow past the limit, whatever loops the template has.
struct Limited(Vec<u8>);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > OUTPUT_LIMIT {
            let message = format!("the text would be larger than {OUTPUT_LIMIT} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn failure(error: minijinja::Error) -> ToolFailure {
    let place = error
        .line()
        .map(|line| format!(" (line {line})"))
        .unwrap_or_default();
    let message = format!("the template does not render: {error}{place}");
    match error.kind() {
        ErrorKind::OutOfFuel | ErrorKind::WriteFailure => ToolFailure::limit(message),
        ErrorKind::SyntaxError => ToolFailure::invalid(message),
        ErrorKind::UndefinedError => ToolFailure::missing_value(message),
        _ => ToolFailure::permanent(message),
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
            (
                "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
                FailureName::LimitExceeded,
            ),
            ("{% include '/etc/passwd' %}", FailureName::ToolFailed),
        ] {
            assert_eq!(render(template).await.unwrap_err().name, name, "{template}");
        }
    }
}
