//! A model on loopback that gives recorded answers, one after the other, and keeps what it was asked.
//! It counts as providers do: the schema and the messages, and what they share with an earlier question.

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
    pub(crate) fn serve(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // Who leaves early is no concern of the model.
                let _ = reply(stream, &answers, &kept);
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

fn reply(
    mut stream: TcpStream,
    answers: &[String],
    kept: &Mutex<Vec<Value>>,
) -> std::io::Result<()> {
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
    let (status, data) = match answer {
        Some(answer) => {
            let usage = json!({
                "prompt_tokens": prompt.len().div_ceil(TOKEN),
                "completion_tokens": answer.len().div_ceil(TOKEN),
                "prompt_tokens_details": {"cached_tokens": cached},
            });
            let message = json!({"role": "assistant", "content": answer});
            let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
            ("200 OK", json!({"choices": [choice], "usage": usage}))
        }
        None => (
            "400 Bad Request",
            json!({"error": {"message": "no answer is recorded for this question"}}),
        ),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{data}"
    )
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
