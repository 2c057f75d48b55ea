//! What answers the tests? A small HTTP server on loopback that hands each request
//! to a function and remembers it.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    /// With its query.
    pub(crate) target: String,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value)
    }
}

/// Status, further header lines, body; `None` hangs up without a word.
pub(crate) type Reply = Option<(u16, String, Vec<u8>)>;
type Handler = dyn Fn(&Asked) -> Reply + Send + Sync;

pub(crate) struct Server {
    pub(crate) address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub(crate) async fn start(handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, handler): (_, Arc<Handler>) = (Arc::clone(&asked), Arc::new(handler));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&seen), Arc::clone(&handler)));
            }
        });
        Self { address, asked }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn last(&self) -> Asked {
        self.asked().pop().unwrap()
    }
}

#[allow(clippy::unnecessary_wraps)] // it stands where a reply stands
pub(crate) fn json(status: u16, body: &serde_json::Value) -> Reply {
    let body = body.to_string().into_bytes();
    Some((
        status,
        "content-type: application/json\r\n".to_owned(),
        body,
    ))
}

async fn serve(mut stream: TcpStream, seen: Arc<Mutex<Vec<Asked>>>, handler: Arc<Handler>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let asked = loop {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
        if let Some(asked) = whole(&bytes) {
            break asked;
        }
    };
    seen.lock().unwrap().push(asked.clone());
    let Some((status, headers, body)) = handler(&asked) else {
        return;
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Said\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream
        .write_all(&[head.as_bytes(), &body].concat())
        .await
        .ok();
}

fn whole(bytes: &[u8]) -> Option<Asked> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut words = head.split(' ');
    let asked = Asked {
        method: words.next()?.to_owned(),
        target: words.next()?.to_owned(),
        head: head.to_owned(),
        body: body.to_owned(),
    };
    let length = asked
        .header("content-length")
        .map_or(0, |length| length.parse().unwrap());
    let begin = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    (bytes.len() - begin >= length).then_some(asked)
}
