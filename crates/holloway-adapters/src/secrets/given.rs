//! How do secrets that a run is given get to its calls and nowhere else? The run knows marks
//! only; they are filled in when a call is made, and what comes back has marks again.
//!
//! Invariant: a mark in what comes back stands where the tool gave the secret back. A mark that a
//! tool writes by itself is taken out.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use holloway_engine::checks::misfit;
use holloway_engine::failure::ToolFailure;
use holloway_engine::mark::{Issued, MarkKind, mark, marks};
use holloway_engine::ports::{
    CallLine, CallListener, CallOutput, CallRequest, ToolAnswer, ToolCaller, ToolProgress,
    ToolQuestion,
};
use holloway_plan::tool::ToolTable;
use serde_json::{Map, Value};

use super::{SecretText, Secrets};

/// What stands in place of a mark that a tool has written.
const DEFUSED: &str = "‹mark of a secret›";

/// Shorter ones are not looked for in what comes back: too much else would go with them.
const SHORTEST: usize = 4;

/// The secrets of one run, by their marks.
#[derive(Clone, Default)]
pub struct GivenSecrets {
    values: Arc<RwLock<BTreeMap<String, Given>>>,
}

#[derive(Clone)]
struct Given {
    /// As it was given; a number stays one.
    value: Value,
    text: SecretText,
    /// Knows it in other spellings.
    cleaning: Secrets,
}

impl GivenSecrets {
    /// Takes a secret in; the mark is what the run may know. `number` must not be guessed.
    pub fn take(&self, name: &str, number: u64, value: Value) -> String {
        let mark = mark(name, number);
        self.put(mark.clone(), value);
        mark
    }

    /// The secret that a mark from before stands for.
    pub fn put(&self, mark: String, value: Value) {
        let text = match &value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let found = marks(&mark);
        let name = found.first().map_or("secret", |(_, name)| name);
        let cleaning = Secrets::none();
        cleaning.remember(&text, name);
        let given = Given {
            value,
            text: SecretText::new(text),
            cleaning,
        };
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        values.insert(mark, given);
    }

    /// The marks, and the kinds of values they stand for.
    pub fn issued(&self) -> Issued {
        let all = self.all();
        let kinds = all.into_iter();
        kinds
            .map(|(mark, given)| (mark, MarkKind::of(&given.value)))
            .collect()
    }

    /// Whether it is known what a mark stands for.
    pub fn knows(&self, mark: &str) -> bool {
        self.all().contains_key(mark)
    }

    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    /// Fills in the secrets.
    pub fn reveal(&self, value: &mut Value) {
        reveal(&self.all(), value);
    }

    fn all(&self) -> BTreeMap<String, Given> {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        values.clone()
    }
}

/// Tools that are called with the secrets in place of their marks.
pub struct Revealing {
    pub tools: Arc<dyn ToolCaller>,
    pub secrets: GivenSecrets,
    /// What the arguments must look like once the secrets are in them.
    pub table: ToolTable,
}

impl Revealing {
    /// The arguments with the secrets, which nobody could check before.
    fn filled(
        &self,
        all: &BTreeMap<String, Given>,
        request: &CallRequest,
    ) -> Result<Arc<Value>, ToolFailure> {
        let mut arguments = Arc::clone(&request.arguments);
        if !holds_mark(all, &arguments) {
            return Ok(arguments);
        }
        reveal(all, Arc::make_mut(&mut arguments));
        let schema = self.table.get(&request.tool).map(|tool| &tool.input_schema);
        match misfit(schema, &arguments, &Issued::new()) {
            None => Ok(arguments),
            Some(complaint) => {
                let message = format!("input of `{}`: {complaint}", request.tool);
                Err(ToolFailure::invalid(hidden(all, &message)))
            }
        }
    }
}

#[async_trait]
impl ToolCaller for Revealing {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        let hiding = Hiding {
            secrets: self.secrets.clone(),
            line: request.line.clone(),
        };
        let arguments = self.filled(&self.secrets.all(), &request)?;
        // Also without any: what the tool asks during its call may be answered with one.
        let request = CallRequest {
            arguments,
            line: CallLine::new(Arc::new(hiding)),
            ..request
        };
        let result = self.tools.call(request).await;
        let all = self.secrets.all();
        match result {
            _ if all.is_empty() => result,
            Ok(mut output) => {
                without_marks(&all, &mut output.value);
                hide(&all, &mut output.value);
                for given in all.values() {
                    given.cleaning.clean_spread(&mut output.value);
                }
                Ok(output)
            }
            Err(mut failure) => {
                failure.message = hidden(&all, &failure.message);
                failure.hint = failure.hint.map(|hint| hidden(&all, &hint));
                failure.replaces = failure.replaces.map(|file| hidden(&all, &file));
                Err(failure)
            }
        }
    }
}

/// The line of a call: secrets go in, and none comes out.
struct Hiding {
    secrets: GivenSecrets,
    line: CallLine,
}

#[async_trait]
impl CallListener for Hiding {
    fn progress(&self, mut progress: ToolProgress) {
        let all = self.secrets.all();
        progress.message = progress.message.map(|message| hidden(&all, &message));
        self.line.progress(progress);
    }

    async fn ask(&self, mut question: ToolQuestion) -> ToolAnswer {
        let all = self.secrets.all();
        question.message = hidden(&all, &question.message);
        without_marks(&all, &mut question.schema);
        hide(&all, &mut question.schema);
        match self.line.ask(question).await {
            ToolAnswer::Accept(mut content) => {
                self.secrets.reveal(&mut content);
                ToolAnswer::Accept(content)
            }
            other => other,
        }
    }
}

/// Whether one of the marks stands in a value.
fn holds_mark(all: &BTreeMap<String, Given>, value: &Value) -> bool {
    match value {
        Value::String(text) => has_mark(all, text),
        Value::Array(items) => items.iter().any(|item| holds_mark(all, item)),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, field)| has_mark(all, name) || holds_mark(all, field)),
        _ => false,
    }
}

fn has_mark(all: &BTreeMap<String, Given>, text: &str) -> bool {
    let mut found = marks(text).into_iter();
    found.any(|(range, _)| text.get(range).is_some_and(|mark| all.contains_key(mark)))
}

/// Takes out the marks that a tool has written: it never was given one.
fn without_marks(all: &BTreeMap<String, Given>, value: &mut Value) {
    if all.is_empty() || !holds_mark(all, value) {
        return;
    }
    match value {
        Value::String(text) => *text = defused(all, text),
        Value::Array(items) => items.iter_mut().for_each(|item| without_marks(all, item)),
        Value::Object(fields) => {
            for (key, mut field) in std::mem::take(fields) {
                without_marks(all, &mut field);
                fields.insert(defused(all, &key), field);
            }
        }
        _ => {}
    }
}

fn defused(all: &BTreeMap<String, Given>, text: &str) -> String {
    let mut plain = text.to_owned();
    for mark in all.keys() {
        if plain.contains(mark.as_str()) {
            plain = plain.replace(mark.as_str(), DEFUSED);
        }
    }
    plain
}

/// Fills in the secrets.
fn reveal(all: &BTreeMap<String, Given>, value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(given) = all.get(text.as_str()) {
                *value = given.value.clone();
            } else if let Some(filled) = filled(all, text) {
                *text = filled;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| reveal(all, item)),
        Value::Object(fields) => {
            for (key, mut field) in std::mem::take(fields) {
                reveal(all, &mut field);
                fields.insert(filled(all, &key).unwrap_or(key), field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn filled(all: &BTreeMap<String, Given>, text: &str) -> Option<String> {
    let found = marks(text);
    if found.is_empty() {
        return None;
    }
    let mut filled = String::new();
    let mut done = 0;
    for (range, _) in found {
        filled.push_str(text.get(done..range.start)?);
        let mark = text.get(range.clone())?;
        filled.push_str(all.get(mark).map_or(mark, |given| given.text.reveal()));
        done = range.end;
    }
    filled.push_str(text.get(done..)?);
    Some(filled)
}

/// Puts marks back in place of the secrets.
fn hide(all: &BTreeMap<String, Given>, value: &mut Value) {
    match value {
        Value::String(text) => *text = hidden(all, text),
        Value::Number(number) => {
            let text = number.to_string();
            let cleaned = hidden(all, &text);
            if cleaned != text {
                *value = Value::String(cleaned);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(all, item)),
        Value::Object(fields) => {
            let mut cleaned = Map::new();
            for (key, mut field) in std::mem::take(fields) {
                hide(all, &mut field);
                cleaned.insert(hidden(all, &key), field);
            }
            *fields = cleaned;
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// As it is, a secret becomes its mark, so that what is passed on can be filled in again; in any
/// other spelling it is taken out.
fn hidden(all: &BTreeMap<String, Given>, text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((at, length, mark)) = first_in(all, rest) {
        out.push_str(&cleaned(all, rest.get(..at).unwrap_or_default()));
        out.push_str(mark);
        rest = rest.get(at + length..).unwrap_or_default();
    }
    out.push_str(&cleaned(all, rest));
    out
}

/// The first secret in a text, the longest of those that begin there.
fn first_in<'a>(all: &'a BTreeMap<String, Given>, text: &str) -> Option<(usize, usize, &'a str)> {
    let found = all.iter().filter_map(|(mark, given)| {
        let secret = given.text.reveal();
        let is_long = secret.chars().count() >= SHORTEST;
        let at = text.find(secret).filter(|_| is_long)?;
        Some((at, secret.len(), mark.as_str()))
    });
    found.min_by_key(|(at, length, _)| (*at, usize::MAX - length))
}

fn cleaned(all: &BTreeMap<String, Given>, text: &str) -> String {
    let secrets = all.values();
    secrets.fold(text.to_owned(), |text, given| given.cleaning.clean(&text))
}

#[cfg(test)]
mod tests;
