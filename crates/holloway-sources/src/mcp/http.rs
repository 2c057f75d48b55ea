//! How is a server reached by its address? With our own client: no proxy, no
//! leading elsewhere, answers bounded and kept as received.

mod exchange;
mod fault;
mod received;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use holloway_flow::catalog::SourceId;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use self::exchange::Exchange;
pub(super) use self::fault::{LastFault, of as fault_of};
pub(super) use self::received::unwrapped;
use super::McpConfig;
use super::launch::not_set;
use super::surroundings::McpSurroundings;
use crate::{SourceError, SourceErrorKind};
use holloway_tools::http::platform::{PublicSide, is_url as is_platform};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const REDIRECTS: usize = 3;
const CONCURRENT: usize = 64;
/// How often a broken stream of answers is picked up again.
const PICK_UP: usize = 3;
/// Set by the protocol, not by people.
const OURS: [&str; 5] = [
    "accept",
    "content-type",
    "mcp-session-id",
    "mcp-protocol-version",
    "last-event-id",
];

pub(super) type HttpTransport = StreamableHttpClientTransport<Exchange>;

/// A transport, and where it leaves word of what went wrong.
pub(super) fn transport(
    id: &SourceId,
    config: &McpConfig,
    surroundings: &McpSurroundings,
) -> Result<(HttpTransport, LastFault), SourceError> {
    let fill = |text: &str| {
        let filled = surroundings.secrets.resolve(text);
        filled.map_err(|missing| not_set(id, &missing))
    };
    let url = fill(&config.url)?;
    if !(url.reveal().starts_with("http://") || url.reveal().starts_with("https://")) {
        return Err(SourceError::new(
            SourceErrorKind::Start,
            format!("the address of `{id}` does not begin with http:// or https://"),
            "give the whole address of the server, such as https://example.com/mcp",
        ));
    }
    refuse_platform(id, url.reveal())?;
    let mut headers = HashMap::new();
    for (name, value) in &config.headers {
        let (name, value) = header(id, name, fill(value)?.reveal())?;
        headers.insert(name, value);
    }
    let limit = surroundings.limits.message_bytes;
    let mut settings = StreamableHttpClientTransportConfig::with_uri(url.reveal())
        .custom_headers(headers)
        .max_concurrent_requests(CONCURRENT)
        .max_sse_event_size(limit)
        // A new session may offer something else, so it goes the way of a restart.
        .reinit_on_expired_session(false);
    let mut retry = ExponentialBackoff::default();
    retry.max_times = Some(PICK_UP);
    retry.base_duration = Duration::from_millis(200);
    settings.retry_config = Arc::new(retry);
    let last = LastFault::default();
    let exchange = Exchange::new(client(id)?, limit, last.clone());
    Ok((
        StreamableHttpClientTransport::with_client(exchange, settings),
        last,
    ))
}

fn client(id: &SourceId) -> Result<reqwest::Client, SourceError> {
    reqwest::Client::builder()
        .no_proxy()
        .redirect(Policy::custom(stay))
        .dns_resolver(Arc::new(PublicSide))
        .connect_timeout(CONNECT_TIMEOUT)
        .build()
        .map_err(|error| {
            SourceError::new(
                SourceErrorKind::Start,
                format!("`{id}` cannot be reached: {error}"),
                "check the certificates of this system",
            )
        })
}

/// A server may be inside the own network, but never the service at which this machine is told
/// its keys.
fn refuse_platform(id: &SourceId, url: &str) -> Result<(), SourceError> {
    if !is_platform(url) {
        return Ok(());
    }
    Err(SourceError::new(
        SourceErrorKind::Start,
        format!("the address of `{id}` is that of the platform's metadata service"),
        "give the address of an MCP server; no server is at that address",
    ))
}

/// A server may add a slash to its own address; it may not send us, and the headers
/// with the keys in them, anywhere else.
fn stay(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let here = attempt.previous().last().map(reqwest::Url::origin);
    let same = here.is_some_and(|here| here == attempt.url().origin());
    let keeps_body = matches!(attempt.status().as_u16(), 307 | 308);
    if same && keeps_body && attempt.previous().len() <= REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

fn header(
    id: &SourceId,
    name: &str,
    value: &str,
) -> Result<(HeaderName, HeaderValue), SourceError> {
    let refuse = |why: &str| {
        SourceError::new(
            SourceErrorKind::Start,
            format!("the header `{name}` of `{id}` {why}"),
            "change or remove it in the configuration of the source",
        )
    };
    let parsed = name
        .parse::<HeaderName>()
        .map_err(|_| refuse("has a name that cannot be sent"))?;
    if OURS.contains(&parsed.as_str()) {
        return Err(refuse("is set by the protocol itself"));
    }
    // The value may be secret and is not shown.
    let mut value =
        HeaderValue::from_str(value).map_err(|_| refuse("has a value that cannot be sent"))?;
    value.set_sensitive(true);
    Ok((parsed, value))
}
