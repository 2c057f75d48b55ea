//! How large is a page on the wire, and how long does it take? An exchange that
//! keeps the body compressed, so that both sizes are counted and headers stay whole.

use std::time::{Duration, Instant};

use holloway_engine::failure::ToolFailure;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use reqwest::{Method, Response, Url};

use super::super::blocking::blocking;
use super::{Decoding, Http, Outgoing, decode, failure, next_hop};

/// Bodies up to this size are decompressed in place.
const LIGHT: usize = 32 * 1024;

/// What to fetch, and within which bounds.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    /// For the body, before and after decompression.
    pub(crate) max_bytes: u64,
    pub(crate) timeout_ms: u64,
    /// Only whether it is there: no body.
    pub(crate) head: bool,
}

impl Ask {
    pub(crate) fn new(url: Url, max_bytes: u64, timeout_ms: u64) -> Self {
        Self {
            url,
            headers: HeaderMap::new(),
            max_bytes,
            timeout_ms,
            head: false,
        }
    }
}

/// An answer with everything that can be measured about it.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    pub(crate) url: Url,
    /// Where it sends us on to; its body is not read then.
    pub(crate) next: Option<Url>,
    /// The addresses that redirected, first to last.
    pub(crate) redirects: Vec<Url>,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// Decompressed.
    pub(crate) body: Vec<u8>,
    /// Bytes of the body on the wire.
    pub(crate) transferred: u64,
    /// The body went on past the limit.
    pub(crate) truncated: bool,
    pub(crate) first_byte_ms: f64,
    pub(crate) total_ms: f64,
}

impl Raw {
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

impl Http {
    /// Fetches with GET or HEAD; error statuses and redirects are answers, not failures.
    pub(crate) async fn fetch(&self, ask: Ask) -> Result<Raw, ToolFailure> {
        let timeout = Duration::from_millis(ask.timeout_ms);
        let timeout_ms = ask.timeout_ms;
        let fetching = tokio::time::timeout(timeout, self.fetch_untimed(ask)).await;
        // Reading has no effect that could have happened all the same.
        fetching.map_err(|_| ToolFailure {
            uncertain: false,
            ..ToolFailure::timeout(timeout_ms)
        })?
    }

    async fn fetch_untimed(&self, ask: Ask) -> Result<Raw, ToolFailure> {
        let limit = self.grants.byte_limit(Some(ask.max_bytes)) as usize;
        let outgoing = Outgoing {
            method: if ask.head { Method::HEAD } else { Method::GET },
            url: ask.url,
            headers: ask.headers,
            body: None,
            follow: false,
        };
        let started = Instant::now();
        let response = self.send_once(&outgoing, Decoding::ByCaller).await?;
        let first_byte_ms = milliseconds(started);
        read(response, limit, started, first_byte_ms).await
    }
}

async fn read(
    mut response: Response,
    limit: usize,
    started: Instant,
    first_byte_ms: f64,
) -> Result<Raw, ToolFailure> {
    let next = next_hop(&response);
    let (body, cut) = match next {
        Some(_) => (Vec::new(), false),
        None => read_wire(&mut response, limit).await?,
    };
    let total_ms = milliseconds(started);
    let transferred = body.len() as u64;
    let (body, cut_after) = decompress(body, cut, response.headers(), limit).await?;
    Ok(Raw {
        url: response.url().clone(),
        next,
        redirects: Vec::new(),
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body,
        transferred,
        truncated: cut || cut_after,
        first_byte_ms,
        total_ms,
    })
}

async fn read_wire(response: &mut Response, limit: usize) -> Result<(Vec<u8>, bool), ToolFailure> {
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await;
        let chunk = chunk.map_err(|error| failure::from_reqwest(error, &Method::GET))?;
        let Some(chunk) = chunk else {
            return Ok((body, false));
        };
        let room = limit - body.len();
        body.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() > room {
            return Ok((body, true));
        }
    }
}

async fn decompress(
    body: Vec<u8>,
    cut: bool,
    headers: &HeaderMap,
    limit: usize,
) -> Result<(Vec<u8>, bool), ToolFailure> {
    let encoding = headers
        .get(CONTENT_ENCODING)
        .and_then(|value| value.to_str().ok());
    let Some(encoding) = encoding.map(|name| name.trim().to_ascii_lowercase()) else {
        return Ok((body, false));
    };
    let is_light = body.len() <= LIGHT;
    let work = move || {
        let decoded = decode::decode(body, &encoding, limit);
        match decoded.error {
            // What we cut off ourselves cannot be whole.
            Some(error) if !cut => Err(ToolFailure::permanent(format!(
                "the body is said to be `{encoding}` and cannot be decompressed: {error}"
            ))),
            _ => Ok((decoded.bytes, decoded.truncated)),
        }
    };
    if is_light {
        work()
    } else {
        blocking(work).await
    }
}

fn milliseconds(since: Instant) -> f64 {
    let micros = since.elapsed().as_micros() as f64;
    micros / 1000.0
}
