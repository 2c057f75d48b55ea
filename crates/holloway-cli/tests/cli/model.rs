//! A model on loopback that says what the test tells it to, piece by piece, and keeps what
//! it was asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// Long enough for a busy machine; what has happened is noticed at once.
const PATIENCE: Duration = Duration::from_mins(1);

/// What happened, in order; whoever waits for something is told.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<(Mutex<Vec<String>>, Condvar)>);

impl Log {
    pub(crate) fn note(&self, what: impl Into<String>) {
        self.0.0.lock().unwrap().push(what.into());
        self.0.1.notify_all();
    }

    /// Waits until something has happened; says whether it did.
    pub(crate) fn wait_for(&self, what: &str) -> bool {
        let noted = self.0.0.lock().unwrap();
        let lacks = |noted: &mut Vec<String>| !noted.iter().any(|known| known == what);
        let (_noted, waited) = self.0.1.wait_timeout_while(noted, PATIENCE, lacks).unwrap();
        !waited.timed_out()
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.0.0.lock().unwrap().clone()
    }

    pub(crate) fn count(&self, what: &str) -> usize {
        self.all().iter().filter(|known| *known == what).count()
    }
}

/// What the model says to one question.
#[derive(Clone)]
pub(crate) enum Says {
    /// These pieces, one event each.
    Pieces(Vec<String>),
    /// The first text, then the second once something has happened.
    Held(String, &'static str, String),
    /// Nothing, for as long as anybody listens.
    Nothing,
}

impl Says {
    pub(crate) fn text(text: &str) -> Self {
        // Cut in the middle of words, as tokens are.
        let letters: Vec<char> = text.chars().collect();
        Self::Pieces(
            letters
                .chunks(7)
                .map(|part| part.iter().collect())
                .collect(),
        )
    }
}

/// The model: one answer to questions about the request, another to those for plans.
pub(crate) struct Model {
    pub(crate) base_url: String,
    pub(crate) log: Log,
}

impl Model {
    pub(crate) fn serve(frame: Says, plan: Says, log: Log) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let noted = log.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (frame, plan, log) = (frame.clone(), plan.clone(), noted.clone());
                // Who leaves early is no concern of the model.
                std::thread::spawn(move || answer(stream, &frame, &plan, &log).ok());
            }
        });
        Self { base_url, log }
    }

    /// The table `[model]` of the configuration.
    pub(crate) fn settings(&self, more: &str) -> String {
        format!(
            "[model]\nprovider = \"openai\"\nname = \"scripted\"\nbase_url = \"{}\"\nprice_in = 10\n{more}",
            self.base_url
        )
    }
}

fn answer(mut stream: TcpStream, frame: &Says, plan: &Says, log: &Log) -> std::io::Result<()> {
    let body = body(&stream)?;
    let asks_for_plan = body["messages"]
        .to_string()
        .contains("Second question: which plans?");
    let (kind, says) = if asks_for_plan {
        ("plan", plan)
    } else {
        ("frame", frame)
    };
    log.note(format!("{kind} asked"));
    let pieces = match says {
        Says::Nothing => {
            // Until the other side closes.
            let _ = stream.read(&mut [0]);
            return Ok(());
        }
        Says::Pieces(pieces) => pieces.clone(),
        Says::Held(first, _, rest) => vec![first.clone(), rest.clone()],
    };
    if body["stream"] != true {
        let whole = json!({
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": pieces.concat()}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        });
        return write!(
            stream,
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{whole}"
        );
    }
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )?;
    for (place, piece) in pieces.iter().enumerate() {
        if let (Says::Held(_, until, _), 1) = (says, place)
            && !log.wait_for(until)
        {
            log.note(format!("waited in vain for {until}"));
        }
        event(
            &mut stream,
            &json!({"choices": [{"index": 0, "delta": {"content": piece}}]}),
        )?;
    }
    log.note(format!("{kind} ends"));
    event(
        &mut stream,
        &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
    )?;
    event(
        &mut stream,
        &json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}}),
    )?;
    write!(stream, "data: [DONE]\n\n")
}

fn event(stream: &mut TcpStream, data: &Value) -> std::io::Result<()> {
    write!(stream, "data: {data}\n\n")?;
    stream.flush()
}

pub(crate) fn body(stream: &TcpStream) -> std::io::Result<Value> {
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

/// A web server with one page, which notes who asks for it.
pub(crate) fn page(log: Log) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/page.html", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut first = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            if reader.read_line(&mut first).unwrap_or(0) == 0 {
                continue;
            }
            let path = first.split(' ').nth(1).unwrap_or_default();
            log.note(format!("web {path}"));
            let text = "<!doctype html><title>Page</title><p>one two three</p>";
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
                text.len()
            );
        }
    });
    address
}
