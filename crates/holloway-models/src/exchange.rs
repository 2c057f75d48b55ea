//! How does one request go out and its answer come in? Statuses become failures, sizes
//! are bounded, and whatever the provider says is cleaned of the key before anybody sees it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt as _};
use holloway_engine::model::{ModelFailure, OnPiece};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};
use sse_stream::SseStream;
use url::Url;

use crate::key::{self, Keys};
use crate::pause::asked_for;
use crate::settings::{BadSetting, Settings, is_this_machine};
use crate::wire::{self, End, Outgoing, Part};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Answers have some ten thousand tokens; events wrap each of them in a line of JSON.
const MOST_BYTES: usize = 16 << 20;
const MOST_ERROR_BYTES: usize = 16 << 10;

/// The way to one provider.
pub(crate) struct Exchange {
    http: reqwest::Client,
    base: Url,
    settings: Settings,
    keys: Arc<dyn Keys>,
}

impl Exchange {
    pub(crate) fn new(settings: Settings, keys: Arc<dyn Keys>) -> Result<Self, BadSetting> {
        let base = settings.checked()?;
        let mut http = reqwest::Client::builder()
            .user_agent(concat!("holloway/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            // A redirect would carry the key and the request to somebody else.
            .redirect(Policy::none());
        if is_this_machine(&base) {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| BadSetting {
            key: "base_url",
            message: format!("no connection can be made: {error}"),
            hint: "check the certificates of this system",
        })?;
        Ok(Self {
            http,
            base,
            settings,
            keys,
        })
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn clean(&self, text: &str) -> String {
        self.keys.clean(text)
    }

    /// A whole answer.
    pub(crate) async fn whole(&self, outgoing: &Outgoing) -> Result<Part, ModelFailure> {
        let response = self.send(outgoing, "application/json").await?;
        self.answer_in(response).await
    }

    async fn answer_in(&self, response: Response) -> Result<Part, ModelFailure> {
        let body = self.body(response, MOST_BYTES).await?;
        let parsed = serde_json::from_slice(&body).ok();
        let part = parsed.and_then(|body| wire::answer(self.settings.provider, &body));
        part.ok_or_else(|| self.unreadable(&body))
    }

    /// An answer in pieces. `told` says whether anybody heard of one.
    pub(crate) async fn pieces(
        &self,
        outgoing: &Outgoing,
        on_piece: &mut OnPiece<'_>,
        told: &mut bool,
    ) -> Result<Part, ModelFailure> {
        let response = self.send(outgoing, "text/event-stream").await?;
        if !is_events(response.headers()) {
            // Some servers answer in one piece whatever they are asked for.
            let whole = self.answer_in(response).await?;
            if !whole.text.is_empty() {
                *told = true;
                on_piece(&whole.text);
            }
            return Ok(whole);
        }
        let mut events = SseStream::from_bytes_stream(bounded(response.bytes_stream()));
        let mut whole = Part::default();
        while let Some(event) = events.next().await {
            let event = event.map_err(|error| self.not_read(&error))?;
            let Some(data) = event.data.filter(|data| !data.trim().is_empty()) else {
                continue;
            };
            let part = wire::event(self.settings.provider, &data);
            let part = part.ok_or_else(|| self.unreadable(data.as_bytes()))?;
            if !part.text.is_empty() {
                *told = true;
                on_piece(&part.text);
                whole.text.push_str(&part.text);
            }
            whole.counts.take(part.counts);
            if let Some(more) = part.certainty {
                whole.certainty = Some(whole.certainty.unwrap_or(0.0) + more);
            }
            whole.end = whole.end.or(part.end);
            if matches!(whole.end, Some(End::Failed { .. })) {
                break;
            }
        }
        if whole.end.is_none() {
            return Err(self.broken("the stream ended before the answer did"));
        }
        Ok(whole)
    }

    async fn send(&self, outgoing: &Outgoing, accept: &str) -> Result<Response, ModelFailure> {
        let mut request = self
            .http
            .post(self.address(outgoing))
            .header(ACCEPT, accept)
            .header(CONTENT_TYPE, "application/json")
            .body(outgoing.body.to_string());
        for (name, value) in &outgoing.headers {
            request = request.header(*name, *value);
        }
        if let Some(name) = &self.settings.key {
            request = self.with_key(request, name)?;
        }
        let response = request.send().await.map_err(|error| {
            let why = self.clean(&cause(&error.without_url()));
            ModelFailure::Unreachable(why)
        })?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.refused(response).await)
    }

    fn address(&self, outgoing: &Outgoing) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}{}", url.path().trim_end_matches('/'), outgoing.path);
        url.set_path(&path);
        url.set_query(outgoing.query);
        url
    }

    fn with_key(
        &self,
        request: reqwest::RequestBuilder,
        name: &str,
    ) -> Result<reqwest::RequestBuilder, ModelFailure> {
        let key = self.keys.key(name).filter(|key| !key.trim().is_empty());
        let key = key.ok_or_else(|| {
            ModelFailure::NoKey(format!(
                "the secret `{name}` is not set; set it with `holloway secrets set {name}`"
            ))
        })?;
        let (header, before) = wire::key_header(self.settings.provider);
        let value = key::header(&format!("{before}{}", key.trim()));
        let value = value.ok_or_else(|| {
            ModelFailure::NoKey(format!(
                "the secret `{name}` holds characters that no key has"
            ))
        })?;
        Ok(request.header(header, value))
    }

    async fn refused(&self, response: Response) -> ModelFailure {
        let status = response.status();
        let headers = response.headers().clone();
        let asked = asked_for(|name| Some(headers.get(name)?.to_str().ok()?.to_owned()));
        let body = self
            .body(response, MOST_ERROR_BYTES)
            .await
            .unwrap_or_default();
        let body = String::from_utf8_lossy(&body);
        let message = self.clean(&wire::message_of(&body));
        let out_of_credit = body.contains("insufficient_quota");
        let status_code = status.as_u16();
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::PAYMENT_REQUIRED => {
                ModelFailure::Refused {
                    status: status_code,
                    message,
                }
            }
            // Waiting does not help who has run out of credit.
            StatusCode::TOO_MANY_REQUESTS if out_of_credit => ModelFailure::Refused {
                status: status_code,
                message,
            },
            StatusCode::TOO_MANY_REQUESTS => ModelFailure::RateLimited {
                retry_after: asked,
                message,
            },
            _ if status.is_server_error() && asked.is_some() => ModelFailure::RateLimited {
                retry_after: asked,
                message,
            },
            StatusCode::REQUEST_TIMEOUT => ModelFailure::Server {
                status: status_code,
                message,
            },
            _ if status.is_server_error() => ModelFailure::Server {
                status: status_code,
                message,
            },
            _ if status.is_redirection() => ModelFailure::BadRequest {
                status: status_code,
                message: "it sends us to another address".to_owned(),
            },
            _ => ModelFailure::BadRequest {
                status: status_code,
                message,
            },
        }
    }

    /// The body, unless it is longer than `limit`.
    async fn body(&self, mut response: Response, limit: usize) -> Result<Vec<u8>, ModelFailure> {
        let mut body = Vec::new();
        loop {
            let chunk = response
                .chunk()
                .await
                .map_err(|error| self.broken(&cause(&error.without_url())))?;
            let Some(chunk) = chunk else { return Ok(body) };
            if body.len() + chunk.len() > limit {
                return Err(ModelFailure::Unreadable(format!(
                    "it is longer than {limit} bytes"
                )));
            }
            body.extend_from_slice(&chunk);
        }
    }

    fn broken(&self, why: &str) -> ModelFailure {
        ModelFailure::Broken(self.clean(why))
    }

    /// Only a connection that fails is worth another try.
    fn not_read(&self, error: &sse_stream::Error) -> ModelFailure {
        match error {
            sse_stream::Error::Body(fault)
                if !matches!(fault.downcast_ref(), Some(Fault::TooLong)) =>
            {
                self.broken(&cause(error))
            }
            _ => ModelFailure::Unreadable(self.clean(&cause(error))),
        }
    }

    fn unreadable(&self, body: &[u8]) -> ModelFailure {
        let start: String = String::from_utf8_lossy(body).chars().take(100).collect();
        let start = self.clean(&start);
        ModelFailure::Unreadable(format!("it begins with `{}`", start.escape_debug()))
    }
}

fn is_events(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| {
        kind.trim_start()
            .to_ascii_lowercase()
            .starts_with("text/event-stream")
    })
}

/// What ends a stream of bytes before its time.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("it is longer than {MOST_BYTES} bytes")]
    TooLong,
    #[error(transparent)]
    Connection(reqwest::Error),
}

fn bounded<B: AsRef<[u8]>>(
    bytes: impl Stream<Item = reqwest::Result<B>>,
) -> impl Stream<Item = Result<B, Fault>> {
    let mut size = 0_usize;
    bytes.map(move |chunk| {
        let chunk = chunk.map_err(|error| Fault::Connection(error.without_url()))?;
        size = size.saturating_add(chunk.as_ref().len());
        if size > MOST_BYTES {
            Err(Fault::TooLong)
        } else {
            Ok(chunk)
        }
    })
}

/// The innermost reason: "connection refused" says more than "error sending request".
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error.to_string();
    let mut inner = error.source();
    while let Some(error) = inner {
        innermost = error.to_string();
        inner = error.source();
    }
    innermost
}
