//! `http-download`: what is at this address, as a file. The body goes to the disk as it comes.
//! Invariant: the file is there whole or not at all, and an error status writes nothing.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_plan::tool::{Effect, ToolSpec};
use reqwest::{Method, Response, StatusCode, Url};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::super::blocking::blocking;
use super::super::declaration::{Declaration, input, output};
use super::super::files::replacement::Replacement;
use super::super::files::{Access, Place, locate};
use super::super::made::Made;
use super::super::{Grants, Tool, arguments};
use super::body::{content_type, next_chunk};
use super::fetch::default_timeout;
use super::{Http, Outgoing, parse_headers, parse_url};

/// So many pieces wait for the disk before no more are read.
const WAITING: usize = 8;

pub(crate) struct Download {
    http: Arc<Http>,
    made: Arc<Made>,
}

impl Download {
    pub(crate) fn new(http: &Arc<Http>, made: &Arc<Made>) -> Self {
        Self {
            http: Arc::clone(http),
            made: Arc::clone(made),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: String,
    path: String,
    #[serde(default)]
    headers: Map<String, Value>,
    #[serde(default = "default_timeout")]
    timeout_ms: u64,
    max_bytes: Option<u64>,
}

#[async_trait]
impl Tool for Download {
    fn spec(&self) -> ToolSpec {
        Declaration {
            name: "http-download",
            title: "Download a file",
            category: "http",
            description: "Requests an http or https URL with GET and saves the body, byte by byte, as a file in a granted, \
                writable folder; missing folders are created on the way. Use it for images, archives and other files \
                that need not be read here; `http-fetch` returns the body instead. Follows up to 10 redirects. Any \
                status but 2xx, and a body larger than the limit, is a failure and writes nothing. Private addresses \
                must be granted. Returns the path, the number of bytes, the status, the content type and the final URL.",
            effect: Effect::Idempotent,
            latency_ms: 1500,
            input: input(
                &["url", "path"],
                json!({
                    "url": {"type": "string", "minLength": 1, "description": "Absolute http or https URL without credentials"},
                    "path": {"type": "string", "minLength": 1, "description": "The file to make; relative to a granted folder, or absolute inside one"},
                    "headers": {"type": "object", "additionalProperties": {"type": "string"}, "default": {}, "description": "Request headers; not sent on to another host after a redirect"},
                    "timeout_ms": {"type": "integer", "minimum": 1, "maximum": 600_000, "default": 30_000, "description": "For the whole download"},
                    "max_bytes": {"type": "integer", "minimum": 1, "description": "The largest file that is saved; the grant's limit if left out"}
                }),
            ),
            output: output(
                &["path", "bytes", "status", "content_type", "url"],
                json!({
                    "path": {"type": "string"},
                    "bytes": {"type": "integer", "description": "Size of the file"},
                    "status": {"type": "integer", "description": "HTTP status, 200 to 299"},
                    "content_type": {"type": "string"},
                    "url": {"type": "string", "description": "Where the file came from, after redirects"}
                }),
            ),
            example: json!({"url": "https://example.com/", "path": "page.html"}),
            does: &["download url:url -> file:path with path=target.path"],
        }
        .builtin()
    }

    async fn call(&self, arguments: &Value, call: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let arguments: Arguments = arguments::parse(arguments)?;
        let outgoing = Outgoing {
            method: Method::GET,
            url: parse_url(&arguments.url)?,
            headers: parse_headers(&arguments.headers)?,
            body: None,
            follow: true,
        };
        self.http.guard.check(&outgoing.url)?;
        let place = self.place(&arguments.path, call).await?;
        let (sender, receiver) = channel(WAITING);
        let limit = self.http.grants.byte_limit(arguments.max_bytes);
        let fetching = self.fetch(outgoing, arguments.timeout_ms, limit, sender);
        let (made, call) = (Arc::clone(&self.made), call.clone());
        let saving = blocking(move || save(&place, receiver, &made, &call));
        // Both come to their end, so that nothing is left behind when this returns.
        let (fetched, saved) = tokio::join!(fetching, saving);
        let fetched = match (fetched, saved) {
            (_, Err(failure)) | (Err(failure), Ok(())) => return Err(failure),
            (Ok(fetched), Ok(())) => fetched,
        };
        Ok(CallOutput::from(json!({
            "path": arguments.path,
            "bytes": fetched.bytes,
            "status": fetched.status.as_u16(),
            "content_type": fetched.content_type,
            "url": fetched.url.as_str(),
        })))
    }
}

/// What came, and from where.
struct Fetched {
    url: Url,
    status: StatusCode,
    content_type: String,
    bytes: u64,
}

/// What is sent to the disk.
enum Piece {
    Bytes(Vec<u8>),
    /// The body is whole. Without it nothing is kept.
    End,
}

impl Download {
    /// Where the file goes. Asked before anything is fetched, so that a question comes first.
    async fn place(&self, path: &str, call: &CallRequest) -> Result<Place, ToolFailure> {
        let (grants, made): (Arc<Grants>, _) =
            (Arc::clone(&self.http.grants), Arc::clone(&self.made));
        let (path, call) = (path.to_owned(), call.clone());
        blocking(move || {
            let place = locate(&grants, &path, Access::Write)?;
            place.refuse_folder()?;
            place.may_change(&call, &made, place.exists())?;
            Ok(place)
        })
        .await
    }

    async fn fetch(
        &self,
        outgoing: Outgoing,
        timeout_ms: u64,
        limit: u64,
        sender: Sender<Piece>,
    ) -> Result<Fetched, ToolFailure> {
        let exchange = async {
            let response = self.http.exchange(outgoing).await?;
            pass_on(response, limit, &sender).await
        };
        let fetched = tokio::time::timeout(Duration::from_millis(timeout_ms), exchange).await;
        let fetched = fetched.map_err(|_| ToolFailure {
            // The file is written at the very end.
            uncertain: false,
            ..ToolFailure::timeout(timeout_ms)
        })??;
        // Where nobody listens any more, whoever listened tells why.
        sender.send(Piece::End).await.ok();
        Ok(fetched)
    }
}

/// Hands the body on, piece by piece.
async fn pass_on(
    mut response: Response,
    limit: u64,
    sender: &Sender<Piece>,
) -> Result<Fetched, ToolFailure> {
    let status = response.status();
    if !status.is_success() {
        return Err(refused(response.url(), status));
    }
    if response.content_length().is_some_and(|bytes| bytes > limit) {
        return Err(too_large(response.url(), limit));
    }
    let mut bytes = 0_u64;
    while let Some(chunk) = next_chunk(&mut response, &Method::GET).await? {
        bytes = bytes.saturating_add(chunk.len() as u64);
        if bytes > limit {
            return Err(too_large(response.url(), limit));
        }
        if sender.send(Piece::Bytes(chunk.to_vec())).await.is_err() {
            break;
        }
    }
    Ok(Fetched {
        url: response.url().clone(),
        status,
        content_type: content_type(response.headers()),
        bytes,
    })
}

fn refused(url: &Url, status: StatusCode) -> ToolFailure {
    let message = format!("{} answered with status {status}", plain(url));
    // Too many requests, or trouble of the server's own: both may pass.
    if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
        ToolFailure::transient(message)
    } else {
        ToolFailure::permanent(message)
    }
}

fn too_large(url: &Url, limit: u64) -> ToolFailure {
    let message = format!("{} has more than {limit} bytes", plain(url));
    ToolFailure::limit(message).with_hint("raise `max_bytes`, and `[grants] max_bytes` if need be")
}

/// Queries often hold keys.
fn plain(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// Writes what comes until it is whole. If it never is, nothing is left.
fn save(
    place: &Place,
    mut pieces: Receiver<Piece>,
    made: &Arc<Made>,
    call: &CallRequest,
) -> Result<(), ToolFailure> {
    let begin = || {
        let begun = Replacement::begin(place, &call.key);
        begun.map_err(|error| place.failure(&error))
    };
    let mut begun = None;
    while let Some(piece) = pieces.blocking_recv() {
        let mut replacement = match begun.take() {
            Some(replacement) => replacement,
            None => begin()?,
        };
        match piece {
            Piece::End => return replacement.finish(made, call),
            Piece::Bytes(bytes) => {
                let written = replacement.file().write_all(&bytes);
                written.map_err(|error| place.failure(&error))?;
            }
        }
        begun = Some(replacement);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
