//! Which server do the tests talk to? A small one on loopback that answers by a
//! function and remembers what it was asked.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::super::testing::run;
use super::super::{Grants, Toolbox};
use holloway_engine::failure::ToolFailure;

pub(crate) struct Server {
    pub(crate) address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    head: String,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn is_head(&self) -> bool {
        self.head.starts_with("HEAD ")
    }

    pub(crate) fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().skip(1);
        let mut pairs = lines.filter_map(|line| line.split_once(": "));
        let found = pairs.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value).unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    silent: bool,
}

impl Answer {
    pub(crate) fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            silent: false,
        }
    }

    pub(crate) fn bytes(body: impl Into<Vec<u8>>, content_type: &str) -> Self {
        let mut answer = Self::status(200).with("content-type", content_type);
        answer.body = body.into();
        answer
    }

    pub(crate) fn text(body: &str) -> Self {
        Self::bytes(body, "text/plain")
    }

    pub(crate) fn html(body: &str) -> Self {
        Self::bytes(body, "text/html; charset=utf-8")
    }

    pub(crate) fn xml(body: &str) -> Self {
        Self::bytes(body, "application/xml")
    }

    pub(crate) fn redirect(location: &str) -> Self {
        Self::status(302).with("location", location)
    }

    /// Never answers.
    pub(crate) fn silence() -> Self {
        Self {
            silent: true,
            ..Self::status(200)
        }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn written(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Status\r\n", self.status);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        let length = self.body.len().to_string();
        head.extend([
            "content-length: ",
            &length,
            "
connection: close

",
        ]);
        [head.as_bytes(), &self.body].concat()
    }
}

impl Server {
    pub(crate) async fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let answer = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let seen = Arc::clone(&seen);
                let answer = Arc::clone(&answer);
                tokio::spawn(serve(stream, seen, answer));
            }
        });
        Self { address, requests }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn last(&self) -> Request {
        self.requests.lock().unwrap().last().cloned().unwrap()
    }

    pub(crate) fn count(&self) -> usize {
        self.requests.lock().unwrap().len()
    }

    /// The paths that were asked for, in their order.
    pub(crate) fn paths(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        requests
            .iter()
            .map(|request| request.path().to_owned())
            .collect()
    }

    /// All tools, with this server granted.
    pub(crate) fn toolbox(&self) -> Toolbox {
        Toolbox::builtin(Grants {
            private_hosts: vec![self.address.clone()],
            ..Grants::default()
        })
    }

    /// Calls a tool that may reach this server, without waiting between requests.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolFailure> {
        run(&self.toolbox(), &format!("builtin/{tool}"), arguments).await
    }
}

async fn serve(
    mut stream: TcpStream,
    seen: Arc<Mutex<Vec<Request>>>,
    answer: Arc<impl Fn(&Request) -> Answer + Send + Sync + 'static>,
) {
    let Some(request) = read(&mut stream).await else {
        return;
    };
    let answer = answer(&request);
    seen.lock().unwrap().push(request);
    if answer.silent {
        std::future::pending::<()>().await;
    }
    stream.write_all(&answer.written()).await.ok();
    stream.shutdown().await.ok();
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let request = Request {
                head: head.to_owned(),
                body: body.to_owned(),
            };
            let length = request.header("content-length").parse().unwrap_or(0);
            if request.body.len() >= length {
                return Some(request);
            }
        }
        let count = stream.read(&mut buffer).await.ok()?;
        if count == 0 {
            return None;
        }
        bytes.extend_from_slice(&buffer[..count]);
    }
}
