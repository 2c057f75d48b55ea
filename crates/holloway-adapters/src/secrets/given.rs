//! How do secrets that a run is given get to its calls and nowhere else? The run knows marks
//! only; they are filled in when a call is made, and what comes back has marks again.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::mark::{mark, marks};
use holloway_engine::ports::{
    CallLine, CallListener, CallOutput, CallRequest, ToolAnswer, ToolCaller, ToolProgress,
    ToolQuestion,
};
use serde_json::{Map, Value};

use super::{SecretText, Secrets};

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
}

#[async_trait]
impl ToolCaller for Revealing {
    async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
        let hiding = Hiding {
            secrets: self.secrets.clone(),
            line: request.line.clone(),
        };
        let mut arguments = Arc::clone(&request.arguments);
        if !self.secrets.is_empty() {
            self.secrets.reveal(Arc::make_mut(&mut arguments));
        }
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
                hide(&all, &mut output.value);
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
mod tests {
    use holloway_engine::entry::RunId;
    use holloway_plan::tool::{Effect, ToolId};
    use serde_json::json;

    use super::*;

    /// Gives back what it is given, and tells it on the way.
    struct Echo;

    #[async_trait]
    impl ToolCaller for Echo {
        async fn call(&self, request: CallRequest) -> Result<CallOutput, ToolFailure> {
            let text = request.arguments.to_string();
            if request.arguments.get("fail").is_some() {
                return Err(ToolFailure::permanent(text.clone()).with_hint(text));
            }
            request.line.progress(ToolProgress {
                message: Some(text),
                ..ToolProgress::default()
            });
            let question = ToolQuestion {
                message: "password?".to_owned(),
                schema: json!({}),
            };
            let answer = request.line.ask(question).await;
            let seen = request.arguments["seen"].as_str().unwrap_or_default();
            let digest = blake3::hash(seen.as_bytes()).to_hex().to_string();
            Ok(json!({"echo": *request.arguments, "digest": digest, "answer": format!("{answer:?}")}).into())
        }
    }

    /// Keeps what it hears, and answers with a mark.
    #[derive(Default)]
    struct Ear(std::sync::Mutex<Vec<String>>, String);

    #[async_trait]
    impl CallListener for Ear {
        fn progress(&self, report: ToolProgress) {
            self.0.lock().unwrap().extend(report.message);
        }

        async fn ask(&self, _: ToolQuestion) -> ToolAnswer {
            ToolAnswer::Accept(json!({ "it": self.1 }))
        }
    }

    fn request(arguments: Value, line: CallLine) -> CallRequest {
        CallRequest {
            tool: ToolId::new("x/echo"),
            arguments: Arc::new(arguments),
            effect: Effect::Read,
            key: "key".into(),
            run: RunId::new("run"),
            node: "node".into(),
            attempt: 1,
            may_replace: holloway_engine::ports::MayReplace::default(),
            line,
        }
    }

    #[tokio::test]
    async fn a_call_gets_the_secret_and_nobody_else_does() {
        let secrets = GivenSecrets::default();
        let word = secrets.take("password", 1, json!("hunter2-hunter2"));
        let pin = secrets.take("pin", 2, json!(271_828));
        let ear = Arc::new(Ear(std::sync::Mutex::default(), word.clone()));
        let tools = Revealing {
            tools: Arc::new(Echo),
            secrets,
        };
        let given = json!({"seen": word, "header": format!("Bearer {word}!"), "pin": pin, "other": "${x#12}"});
        let line = CallLine::new(Arc::clone(&ear) as _);
        let output = tools
            .call(request(given.clone(), line))
            .await
            .unwrap()
            .value;
        assert_eq!(
            output["echo"],
            json!({
            "seen": word, "header": format!("Bearer {word}!"), "pin": pin, "other": "${x#12}"})
        );
        // The tool did have it.
        let digest = blake3::hash(b"hunter2-hunter2").to_hex().to_string();
        assert_eq!(output["digest"], digest);
        assert!(
            output["answer"].as_str().unwrap().contains(&word),
            "{output}"
        );
        let heard = ear.0.lock().unwrap().join(" ");
        assert!(
            heard.contains(&word) && !heard.contains("hunter2") && !heard.contains("271828"),
            "{heard}"
        );
        let mut failing = given;
        failing["fail"] = json!(true);
        let failure = tools
            .call(request(failing, CallLine::default()))
            .await
            .unwrap_err();
        let told = format!("{} {:?}", failure.message, failure.hint);
        assert!(
            !told.contains("hunter2") && !told.contains("271828"),
            "{told}"
        );
    }

    #[test]
    fn other_spellings_are_taken_out_and_marks_are_left_whole() {
        let secrets = GivenSecrets::default();
        // The name of the mark holds the secret itself.
        let mark = secrets.take("password", 3, json!("password"));
        let all = secrets.all();
        assert_eq!(hidden(&all, "a password!"), format!("a {mark}!"));
        assert_eq!(hidden(&all, "cGFzc3dvcmQ="), "‹secret password›");
        let mut back = json!({ "password": format!("x{mark}") });
        reveal(&all, &mut back);
        assert_eq!(back, json!({"password": "xpassword"}));
        assert_eq!(hidden(&BTreeMap::new(), "plain"), "plain");
    }
}
