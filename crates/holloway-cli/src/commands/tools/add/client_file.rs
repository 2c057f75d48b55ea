//! Which servers does another program know? Its configuration file, whatever it is
//! written in.

use holloway_plan::source::Source;
use holloway_sources::mcp::import::{Import, ImportError, from_json, from_value};
use serde_json::Value;

use crate::error::CliError;
use crate::input;
use crate::session::Session;

pub(super) fn read(file: &str, session: &Session) -> Result<Import, CliError> {
    let text = input::text_of(file, &session.folder)?;
    let ending = file.rsplit('.').next().unwrap_or_default();
    let import = match ending.to_lowercase().as_str() {
        "toml" => from_value(file, &toml_value(file, &text)?),
        "yaml" | "yml" => from_value(file, &yaml_value(file, &text, session)?),
        _ => from_json(file, &text),
    };
    import.map_err(|error| told(&error))
}

fn told(error: &ImportError) -> CliError {
    CliError::usage("input-invalid", error.to_string()).hint(error.hint.clone())
}

/// Messages name the place and do not repeat what stands there: it may be a key.
fn unreadable(file: &str, place: Option<String>) -> CliError {
    let place = place.map(|place| format!(":{place}")).unwrap_or_default();
    CliError::usage("input-invalid", format!("{file}{place} cannot be read"))
        .hint("mend the file, or check that its ending says what it is written in")
}

fn toml_value(file: &str, text: &str) -> Result<Value, CliError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let line = error.span().map(|span| {
            let before = text.get(..span.start).unwrap_or(text);
            (before.matches('\n').count() + 1).to_string()
        });
        unreadable(file, line)
    })
}

fn yaml_value(file: &str, text: &str, session: &Session) -> Result<Value, CliError> {
    let source = Source::parse(text, &session.limits);
    let source = source.map_err(|problem| {
        let place = problem.position.map(|at| at.to_string());
        unreadable(file, place)
    })?;
    Ok(source.value)
}
