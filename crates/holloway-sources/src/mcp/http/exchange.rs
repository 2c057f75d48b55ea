//! How does one message travel over HTTP? A POST out; a body or a stream of events
//! back, bounded, with results kept as received.

use std::collections::HashMap;
use std::error::Error as _;
use std::sync::Arc;

use futures_util::StreamExt as _;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{RequestBuilder, Response, StatusCode};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, ServerJsonRpcMessage,
};
use rmcp::transport::common::client_side_sse::BoxedSseResponse;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::SseStream;

use super::fault::{Fault, LastFault};
use super::received::{Awaits, awaits, error_in, kept, message_in};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const SESSION: &str = "mcp-session-id";
/// How much of an answer that tells of an error is read.
const ERROR_BODY: usize = 64 * 1024;

type Trouble = StreamableHttpError<Fault>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// Sends and receives for one server.
#[derive(Clone)]
pub(in crate::mcp) struct Exchange {
    client: reqwest::Client,
    limit: usize,
    last: LastFault,
}

impl Exchange {
    pub(super) fn new(client: reqwest::Client, limit: usize, last: LastFault) -> Self {
        Self {
            client,
            limit,
            last,
        }
    }

    fn fault(&self, fault: Fault) -> Trouble {
        self.last.keep(&fault);
        StreamableHttpError::Client(fault)
    }

    async fn send(
        &self,
        mut request: RequestBuilder,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Response, Trouble> {
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        let headers: HeaderMap = headers.into_iter().collect();
        let response = request.headers(headers).send().await;
        let response = response.map_err(|error| self.fault(unsent(&error)))?;
        match response.status() {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(self.fault(Fault::Denied(response.status().as_u16())))
            }
            status if status.is_redirection() => Err(self.fault(elsewhere(&response))),
            _ => Ok(response),
        }
    }

    /// The body, unless it is longer than `limit`.
    async fn body(&self, mut response: Response, limit: usize) -> Result<Vec<u8>, Trouble> {
        let mut body = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.fault(Fault::Broken(cause(&error))))?
        {
            if body.len() + chunk.len() > limit {
                return Err(self.fault(Fault::TooLong(limit)));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// An answer that is no success.
    async fn refused(
        &self,
        response: Response,
        message: &ClientJsonRpcMessage,
        in_session: bool,
    ) -> Result<StreamableHttpPostResponse, Trouble> {
        let status = response.status();
        let session = session_of(&response);
        if in_session && status == StatusCode::NOT_FOUND {
            return Err(StreamableHttpError::SessionExpired);
        }
        let body = self.body(response, ERROR_BODY).await.unwrap_or_default();
        // Many servers say 400 where the protocol wants 404.
        let text = String::from_utf8_lossy(&body).to_lowercase();
        if in_session && status == StatusCode::BAD_REQUEST && speaks_of_lost_session(&text) {
            return Err(StreamableHttpError::SessionExpired);
        }
        if let JsonRpcMessage::Request(request) = message
            && status.is_client_error()
            && !in_session
            && matches!(request.request, ClientRequest::DiscoverRequest(_))
        {
            let why = format!("the question was refused with status {status}");
            let error = ErrorData::invalid_request(why, None);
            let answer = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, None));
        }
        match error_in(&body) {
            Some(answer) => Ok(StreamableHttpPostResponse::Json(answer, session)),
            None => Err(self.fault(Fault::Status(status.as_u16()))),
        }
    }

    async fn answered(
        &self,
        response: Response,
        awaits: Awaits,
    ) -> Result<StreamableHttpPostResponse, Trouble> {
        let session = session_of(&response);
        if is_kind(&response, EVENTS) {
            let events = self.events(response, awaits);
            return Ok(StreamableHttpPostResponse::Sse(events, session));
        }
        let is_json = is_kind(&response, JSON);
        let body = self.body(response, self.limit).await?;
        match (is_json, message_in(&body, awaits)) {
            (true, Some(answer)) => Ok(StreamableHttpPostResponse::Json(answer, session)),
            _ if awaits == Awaits::Nothing => Ok(StreamableHttpPostResponse::Accepted),
            _ => {
                let start: String = String::from_utf8_lossy(&body).chars().take(100).collect();
                Err(self.fault(Fault::Unreadable(start)))
            }
        }
    }

    fn events(&self, response: Response, awaits: Awaits) -> BoxedSseResponse {
        let (limit, last) = (self.limit, self.last.clone());
        let mut size = EventSize::default();
        let bytes = response.bytes_stream().map(move |chunk| match chunk {
            Ok(chunk) if size.of(&chunk) > limit => {
                let fault = Fault::TooLong(limit);
                last.keep(&fault);
                Err(fault)
            }
            Ok(chunk) => Ok(chunk),
            Err(error) => Err(Fault::Broken(cause(&error))),
        });
        let events = SseStream::from_bytes_stream(bytes).map(move |event| {
            event.map(|mut event| {
                event.data = event.data.map(|data| kept(data, awaits));
                event
            })
        });
        events.boxed()
    }
}

impl StreamableHttpClient for Exchange {
    type Error = Fault;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Trouble> {
        let awaits = awaits(&message);
        let mut request = self
            .client
            .post(uri.as_ref())
            .header(ACCEPT, format!("{JSON}, {EVENTS}"))
            .header(CONTENT_TYPE, JSON)
            .body(serde_json::to_vec(&message)?);
        if let Some(session) = &session {
            request = request.header(SESSION, session.as_ref());
        }
        let response = self.send(request, token, headers).await?;
        match response.status() {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => {
                Ok(StreamableHttpPostResponse::Accepted)
            }
            status if status.is_success() => self.answered(response, awaits).await,
            _ => self.refused(response, &message, session.is_some()).await,
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Trouble> {
        let request = self.client.delete(uri.as_ref());
        let request = request.header(SESSION, session.as_ref());
        // A server that keeps its sessions may do so.
        self.send(request, token, headers).await.map(drop)
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<BoxedSseResponse, Trouble> {
        let mut request = self.client.get(uri.as_ref()).header(ACCEPT, EVENTS);
        if let Some(session) = &session {
            request = request.header(SESSION, session.as_ref());
        }
        if let Some(last_event) = last_event {
            request = request.header("last-event-id", last_event);
        }
        let response = self.send(request, token, headers).await?;
        match response.status() {
            StatusCode::METHOD_NOT_ALLOWED => Err(StreamableHttpError::ServerDoesNotSupportSse),
            status if !status.is_success() => Err(self.fault(Fault::Status(status.as_u16()))),
            _ if !is_kind(&response, EVENTS) => Err(StreamableHttpError::ServerDoesNotSupportSse),
            // An answer that is picked up here is that of a call.
            _ => Ok(self.events(response, Awaits::Result)),
        }
    }
}

fn unsent(error: &reqwest::Error) -> Fault {
    if error.is_connect() || error.is_builder() {
        Fault::Unreachable(cause(error))
    } else {
        Fault::Broken(cause(error))
    }
}

/// The innermost reason; the outer ones repeat the address, which may hold a key.
fn cause(error: &reqwest::Error) -> String {
    let mut text = "the request failed".to_owned();
    let mut inner = error.source();
    while let Some(error) = inner {
        text = error.to_string();
        inner = error.source();
    }
    text
}

/// Where to, without what an address may hold of secrets.
fn elsewhere(response: &Response) -> Fault {
    let target = response.headers().get(LOCATION);
    let target = target.and_then(|target| target.to_str().ok());
    let target = target.and_then(|target| response.url().join(target).ok());
    Fault::Elsewhere(target.map_or_else(
        || "a redirect without a usable address".to_owned(),
        |url| format!("{}{}", url.origin().ascii_serialization(), url.path()),
    ))
}

/// The words of servers that do not know our session; a tool may speak of others.
fn speaks_of_lost_session(text: &str) -> bool {
    const WORDS: [&str; 7] = [
        "no such session",
        "session not found",
        "no valid session",
        "invalid session",
        "unknown session",
        "session expired",
        "session has expired",
    ];
    WORDS.iter().any(|words| text.contains(words))
}

fn session_of(response: &Response) -> Option<String> {
    let session = response.headers().get(SESSION)?;
    session.to_str().ok().map(str::to_owned)
}

fn is_kind(response: &Response, kind: &str) -> bool {
    let found = response.headers().get(CONTENT_TYPE);
    found.is_some_and(|found| {
        let found = found.as_bytes();
        found.len() >= kind.len()
            && found
                .iter()
                .zip(kind.as_bytes())
                .all(|(one, other)| one.eq_ignore_ascii_case(other))
    })
}

/// Counts the bytes since the last empty line.
#[derive(Default)]
struct EventSize {
    bytes: usize,
    line_is_empty: bool,
}

impl EventSize {
    /// The largest event so far in this chunk.
    fn of(&mut self, chunk: &[u8]) -> usize {
        let mut largest = 0;
        for byte in chunk {
            self.bytes += 1;
            match byte {
                b'\n' if self.line_is_empty => self.bytes = 0,
                b'\n' => self.line_is_empty = true,
                b'\r' => {}
                _ => self.line_is_empty = false,
            }
            largest = largest.max(self.bytes);
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_measured_one_by_one() {
        let mut size = EventSize::default();
        assert_eq!(size.of(b"data: 12\n\n"), 9);
        assert_eq!(size.of(b"data: 1"), 7);
        assert_eq!(size.of(b"2345\r\n\r\n"), 14);
        assert_eq!(size.of(b"x"), 1);
    }
}
