//! A model on loopback that gives recorded answers, one after the other, and keeps what it was asked.
//! It counts as providers do: the schema and the messages, and what they share with an earlier question.
//! An answer may also be bad service: `{"$": "status", "code": 500}`, `{"$": "silence"}`, `{"$": "hang up"}`,
//! `{"$": "body", "body": "…"}`, or a long one, `{"$": "repeat", "text": "a", "times": 9}`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// Characters of a token, roughly.
const TOKEN: usize = 4;

/// The model and the bodies of all questions.
pub(crate) struct Recorded {
    base_url: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Recorded {
    /// What is asked after the last answer is refused.
    pub(crate) fn serve(answers: Vec<Value>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in listener.incoming().flatten() {
                // Who leaves early is no concern of the model.
                silent.extend(reply(stream, &answers, &kept).ok().flatten());
            }
        });
        Self { base_url, asked }
    }

    /// The table `[model]` of the configuration.
    pub(crate) fn settings(&self, more: &str) -> String {
        format!(
            "[model]\nprovider = \"openai\"\nname = \"recorded\"\nprofile = \"capable\"\nbase_url = \"{}\"\n{more}",
            self.base_url
        )
    }

    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

/// What a provider reads, in the order in which it is cached.
fn read_by_provider(body: &Value) -> String {
    let schema = body["response_format"]["json_schema"]["schema"].to_string();
    let messages = body["messages"].as_array().unwrap().iter();
    let texts = messages.map(|message| message["content"].as_str().unwrap().to_owned());
    std::iter::once(schema)
        .chain(texts)
        .collect::<Vec<_>>()
        .join("\n")
}

fn shared(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(one, other)| one == other).count()
}

/// Answers one question; a connection that stays open without an answer is given back.
fn reply(
    mut stream: TcpStream,
    answers: &[Value],
    kept: &Mutex<Vec<Value>>,
) -> std::io::Result<Option<TcpStream>> {
    let body = body(&stream)?;
    let prompt = read_by_provider(&body);
    let mut kept = kept.lock().unwrap();
    let cached = kept
        .iter()
        .map(|known| shared(&read_by_provider(known), &prompt));
    let cached = cached.max().unwrap_or(0) / TOKEN;
    let answer = answers.get(kept.len());
    kept.push(body);
    drop(kept);
    let service = answer.and_then(|answer| answer["$"].as_str());
    let (status, data) = match (answer, service) {
        (_, Some("silence")) => return Ok(Some(stream)),
        (_, Some("hang up")) => return Ok(None),
        (Some(answer), Some("status")) => {
            let error = json!({"error": {"message": "no"}});
            (format!("{} No", answer["code"]), error.to_string())
        }
        (Some(answer), Some("body")) => ("200 OK".to_owned(), text(&answer["body"])),
        (Some(answer), _) => ("200 OK".to_owned(), chat(&text(answer), &prompt, cached)),
        (None, _) => {
            let message = "no answer is recorded for this question";
            let error = json!({"error": {"message": message}});
            ("400 Bad Request".to_owned(), error.to_string())
        }
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{data}"
    )?;
    Ok(None)
}

/// An answer as the model says it.
fn text(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        Value::Object(fields) if fields.get("$") == Some(&json!("repeat")) => {
            let times = answer["times"].as_u64().unwrap();
            text(&answer["text"]).repeat(usize::try_from(times).unwrap())
        }
        other => other.to_string(),
    }
}

/// The answer as a provider sends it.
fn chat(answer: &str, prompt: &str, cached: usize) -> String {
    let usage = json!({
        "prompt_tokens": prompt.len().div_ceil(TOKEN),
        "completion_tokens": answer.len().div_ceil(TOKEN),
        "prompt_tokens_details": {"cached_tokens": cached},
    });
    let message = json!({"role": "assistant", "content": answer});
    let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
    json!({"choices": [choice], "usage": usage}).to_string()
}

fn body(stream: &TcpStream) -> std::io::Result<Value> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut length, mut line) = (0, String::new());
    while reader.read_line(&mut line)? > 2 {
        let lower = line.to_lowercase();
        if let Some(count) = lower.strip_prefix("content-length:") {
            length = count.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}
