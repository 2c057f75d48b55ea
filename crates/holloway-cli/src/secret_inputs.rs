//! How do secrets get into a run that must not write them down? Those among its inputs are taken
//! out before it begins, with marks in their place; when it goes on later, they come from where
//! secrets are kept, or are asked for again.

use std::io::IsTerminal as _;
use std::time::Duration;

use holloway_engine::checks::misfit;
use holloway_engine::entry::RunId;
use holloway_engine::mark::{Issued, marks};
use holloway_flow::confidential::{TakenOut, visit_secrets};
use holloway_plan::plan::Plan;
use holloway_plan::tool::ToolTable;
use holloway_tools::secrets::Secrets;
use holloway_tools::secrets::given::GivenSecrets;
use serde_json::Value;

use crate::carry::form::Prompt;
use crate::carry::keys;
use crate::commands::History;
use crate::error::CliError;
use crate::run_name;
use crate::secret_answers::SecretAnswers;
use crate::secret_file::SecretFile;
use crate::session::Session;

/// How often it is looked whether something was typed.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Takes the secrets out of what a plan is given. `known` are the marks of the run whose input it
/// was before; any other text that looks like a mark is a text.
pub(crate) fn taken_out(
    plan: &Plan,
    context: &mut Value,
    known: &Issued,
    session: &Session,
) -> Result<GivenSecrets, CliError> {
    let given = GivenSecrets::default();
    let Some(input) = context.get_mut("input") else {
        return Ok(given);
    };
    let source = Source::open(session)?;
    visit_secrets(plan, input, &mut |taken: TakenOut| {
        let text = taken.value.as_str().unwrap_or_default();
        let schema = taken.schema.as_ref();
        if let Some(name) = whole_mark(text).filter(|_| known.contains_key(text)) {
            given.put(text.to_owned(), typed(name, source.again(name)?, schema)?);
            return Ok(taken.value);
        }
        if !taken.secret {
            return Ok(taken.value);
        }
        let (name, value) = match referred(text) {
            Some(name) => (name.to_owned(), typed(name, source.kept(name)?, schema)?),
            None => (taken.name, taken.value),
        };
        let number = run_name::random()?;
        Ok::<_, CliError>(Value::String(given.take(&name, number, value)))
    })?;
    Ok(given)
}

/// The secrets of a run that goes on: those of its input, and those that answers named.
pub(crate) fn recalled(
    run: &RunId,
    plan: &Plan,
    tools: &ToolTable,
    session: &Session,
) -> Result<GivenSecrets, CliError> {
    let given = GivenSecrets::default();
    let history = History::read(run, session.store()?)?;
    let Some(start) = history.start() else {
        return Ok(given);
    };
    let mut input = start.context.get("input").cloned().unwrap_or_default();
    visit_secrets(plan, &mut input, &mut |taken: TakenOut| {
        recall(&given, taken, &start.marks, session)
    })?;
    let mut answers = SecretAnswers::new(tools.clone(), given.clone());
    for entry in &history.entries {
        answers.read(entry, |taken, known| recall(&given, taken, known, session))?;
    }
    Ok(given)
}

/// Looks up what a mark stands for, if it is one of those the run has issued.
fn recall(
    given: &GivenSecrets,
    taken: TakenOut,
    issued: &Issued,
    session: &Session,
) -> Result<Value, CliError> {
    let mark = taken.value.as_str().unwrap_or_default();
    let is_new = issued.contains_key(mark) && !given.knows(mark);
    if let Some(name) = whole_mark(mark).filter(|_| is_new) {
        let value = Source::open(session)?.again(name)?;
        let value = typed(name, value, taken.schema.as_ref())?;
        given.put(mark.to_owned(), value);
    }
    Ok(taken.value)
}

/// What is kept is text; a number or a yes where only that fits.
pub(crate) fn typed(name: &str, text: String, schema: Option<&Value>) -> Result<Value, CliError> {
    let read = serde_json::from_str::<Value>(&text).ok();
    let read = read.filter(|value| value.is_number() || value.is_boolean());
    let mut values = std::iter::once(Value::String(text)).chain(read);
    let fits = |value: &Value| misfit(schema, value, &Issued::new()).is_none();
    values.find(fits).ok_or_else(|| {
        let message = format!("the secret `{name}` is not what is wanted in its place");
        let kind = schema.and_then(|schema| schema.get("type"));
        let kind = kind.map_or_else(|| "something else".to_owned(), Value::to_string);
        CliError::usage("input-invalid", message).hint(format!(
            "it must be {kind}; set it again with `holloway secrets set {name}`, or in the environment"
        ))
    })
}

/// The name of a mark that is the whole text.
pub(crate) fn whole_mark(text: &str) -> Option<&str> {
    match marks(text).as_slice() {
        [(range, name)] if range.len() == text.len() => Some(name),
        _ => None,
    }
}

/// The name in `${NAME}`, where a text is nothing else.
pub(crate) fn referred(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (starts && name.chars().all(fits)).then_some(name)
}

/// Where secrets come from.
pub(crate) struct Source {
    secrets: Secrets,
    can_ask: bool,
}

impl Source {
    pub(crate) fn open(session: &Session) -> Result<Self, CliError> {
        let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        Ok(Self {
            secrets: SecretFile::open()?.secrets(),
            can_ask: terminal && !session.json,
        })
    }

    /// Where nobody is asked.
    pub(crate) fn of(file: SecretFile) -> Self {
        Self {
            secrets: file.secrets(),
            can_ask: false,
        }
    }

    /// A secret that is kept, or in the environment.
    fn kept(&self, name: &str) -> Result<String, CliError> {
        self.found(name).ok_or_else(|| {
            CliError::usage("secret-missing", format!("the secret `{name}` is not set")).hint(
                format!("keep it with `holloway secrets set {name}`, or set it in the environment"),
            )
        })
    }

    pub(crate) fn found(&self, name: &str) -> Option<String> {
        let reference = format!("${{{name}}}");
        referred(&reference)?;
        let secret = self.secrets.resolve(&reference).ok()?;
        Some(secret.reveal().to_owned())
    }

    /// The same for a run that had it before; a person is asked where it is not kept.
    fn again(&self, name: &str) -> Result<String, CliError> {
        if let Some(value) = self.found(name) {
            return Ok(value);
        }
        if self.can_ask {
            let text = format!("  {name} (not shown): ");
            let prompt = Prompt {
                text: &text,
                hidden: true,
            };
            let typed = keys::ask(&prompt, LOOK_EVERY, || true);
            if let Some(typed) = typed.filter(|typed| !typed.is_empty()) {
                return Ok(typed);
            }
        }
        let message = format!("the run was given the secret `{name}`, which is not written down");
        Err(CliError::usage("secret-missing", message).hint(format!(
            "keep it with `holloway secrets set {name}`, set it in the environment, or go on at a terminal, where it is asked for"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_texts_are_marks_and_references() {
        let mark = holloway_engine::mark::mark("password", 5);
        assert_eq!(whole_mark(&mark), Some("password"));
        assert_eq!(whole_mark(&format!("a{mark}")), None);
        assert_eq!(whole_mark("${password}"), None);
        assert_eq!(referred("${MY_KEY}"), Some("MY_KEY"));
        assert_eq!(referred("a ${MY_KEY}"), None);
        assert_eq!(referred("${a b}"), None);
    }

    #[test]
    fn what_is_kept_as_text_comes_back_as_it_is_wanted() {
        use serde_json::json;
        let check = |text: &str, schema: Value, expected: Option<Value>| {
            let read = typed("pin", text.to_owned(), Some(&schema));
            assert_eq!(read.ok(), expected, "{text} {schema}");
        };
        check("1234", json!({"type": "integer"}), Some(json!(1234)));
        check("12.5", json!({"type": "number"}), Some(json!(12.5)));
        check("true", json!({"type": "boolean"}), Some(json!(true)));
        check("1234", json!({"type": "string"}), Some(json!("1234")));
        check("0123", json!({}), Some(json!("0123")));
        check("2", json!({"enum": [1, 2]}), Some(json!(2)));
        check("12a4", json!({"type": "integer"}), None);
        check("12.5", json!({"type": "integer"}), None);
    }
}
