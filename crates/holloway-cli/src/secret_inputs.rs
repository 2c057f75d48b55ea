//! How do secrets get into a run that must not write them down? Those among its inputs are taken
//! out before it begins, with marks in their place; when it goes on later, they come from where
//! secrets are kept, or are asked for again.

use std::io::IsTerminal as _;
use std::time::Duration;

use holloway_adapters::secrets::Secrets;
use holloway_adapters::secrets::given::GivenSecrets;
use holloway_engine::entry::RunId;
use holloway_engine::mark::marks;
use holloway_flow::confidential::{TakenOut, visit_secrets};
use holloway_plan::plan::Plan;
use serde_json::Value;

use crate::carry::form::Prompt;
use crate::carry::keys;
use crate::commands::History;
use crate::error::CliError;
use crate::run_name;
use crate::secret_file::SecretFile;
use crate::session::Session;

/// How often it is looked whether something was typed.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Takes the secrets out of what a plan is given.
pub(crate) fn taken_out(
    plan: &Plan,
    context: &mut Value,
    session: &Session,
) -> Result<GivenSecrets, CliError> {
    let given = GivenSecrets::default();
    let Some(input) = context.get_mut("input") else {
        return Ok(given);
    };
    let source = Source::open(session)?;
    visit_secrets(plan, input, &mut |taken: TakenOut| {
        let text = taken.value.as_str().unwrap_or_default();
        if let Some(name) = whole_mark(text) {
            given.put(text.to_owned(), source.again(name)?);
            return Ok(taken.value);
        }
        let (name, value) = match referred(text) {
            Some(name) => (name.to_owned(), source.kept(name)?),
            None => (taken.name, taken.value),
        };
        let number = run_name::random()?;
        Ok::<_, CliError>(Value::String(given.take(&name, number, value)))
    })?;
    Ok(given)
}

/// The secrets of a run that goes on.
pub(crate) fn recalled(run: &RunId, session: &Session) -> Result<GivenSecrets, CliError> {
    let given = GivenSecrets::default();
    let history = History::read(run, session.store()?)?;
    let Some(start) = history.start() else {
        return Ok(given);
    };
    let mut found = Vec::new();
    collect(&start.context, &mut found);
    if found.is_empty() {
        return Ok(given);
    }
    let source = Source::open(session)?;
    for mark in found {
        if let Some(name) = whole_mark(mark) {
            given.put(mark.to_owned(), source.again(name)?);
        }
    }
    Ok(given)
}

fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if whole_mark(text).is_some() && !found.contains(&text.as_str()) => {
            found.push(text);
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, found)),
        _ => {}
    }
}

/// The name of a mark that is the whole text.
fn whole_mark(text: &str) -> Option<&str> {
    match marks(text).as_slice() {
        [(range, name)] if range.len() == text.len() => Some(name),
        _ => None,
    }
}

/// The name in `${NAME}`, where a text is nothing else.
fn referred(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (starts && name.chars().all(fits)).then_some(name)
}

/// Where secrets come from.
struct Source {
    secrets: Secrets,
    can_ask: bool,
}

impl Source {
    fn open(session: &Session) -> Result<Self, CliError> {
        let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        Ok(Self {
            secrets: SecretFile::open()?.secrets(),
            can_ask: terminal && !session.json,
        })
    }

    /// A secret that is kept, or in the environment.
    fn kept(&self, name: &str) -> Result<Value, CliError> {
        self.found(name).ok_or_else(|| {
            CliError::usage("secret-missing", format!("the secret `{name}` is not set")).hint(
                format!("keep it with `holloway secrets set {name}`, or set it in the environment"),
            )
        })
    }

    fn found(&self, name: &str) -> Option<Value> {
        let reference = format!("${{{name}}}");
        referred(&reference)?;
        let secret = self.secrets.resolve(&reference).ok()?;
        Some(Value::from(secret.reveal()))
    }

    /// The same for a run that had it before; a person is asked where it is not kept.
    fn again(&self, name: &str) -> Result<Value, CliError> {
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
                return Ok(Value::from(typed));
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
}
