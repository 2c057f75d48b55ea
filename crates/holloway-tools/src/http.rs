//! How does a request leave this machine? Through one exchange that checks every
//! hop, connects only to allowed addresses, and stops reading at a limit.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, Url};
use serde_json::{Map, Value};

use super::made::Made;
use super::{Grants, Tool};

pub(crate) mod address;
pub mod body;
mod connect;
pub(crate) mod decode;
mod download;
pub mod failure;
mod fetch;
pub(super) mod guard;
pub mod platform;
pub(crate) mod raw;
mod resolver;
pub(crate) mod send;
pub(crate) mod way;

#[cfg(test)]
mod rebinding_tests;
#[cfg(test)]
mod server_tests;

use guard::{Guard, Passage};
use resolver::{GuardedResolver, Lookup};

pub(crate) const MAX_REDIRECTS: usize = 10;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn tools(http: &Arc<Http>, made: &Arc<Made>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(download::Download::new(http, made)),
        Arc::new(fetch::Fetch(Arc::clone(http))),
        Arc::new(send::Send(Arc::clone(http))),
    ]
}

/// The clients that all tools share.
pub struct Http {
    grants: Arc<Grants>,
    guard: Arc<Guard>,
    lookup: Arc<Lookup>,
    decoding: Clients,
    /// These leave bodies as they came over the wire, so that they can be measured.
    leaving: Clients,
}

#[derive(Default)]
struct Clients {
    /// Connects to public addresses and granted networks only.
    public: OnceLock<Result<Client, String>>,
    /// For hosts granted by name, wherever they are.
    granted: OnceLock<Result<Client, String>>,
}

/// Who undoes the compression of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decoding {
    ByClient,
    ByCaller,
}

/// One request, checked and ready.
#[derive(Clone)]
pub struct Outgoing {
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Option<Vec<u8>>,
    pub follow: bool,
}

impl Http {
    pub fn new(grants: &Arc<Grants>) -> Self {
        Self::with_lookup(grants, resolver::system())
    }

    /// With another way to look names up.
    fn with_lookup(grants: &Arc<Grants>, lookup: Arc<Lookup>) -> Self {
        Self {
            grants: Arc::clone(grants),
            guard: Arc::new(Guard::new(&grants.private_hosts)),
            lookup,
            decoding: Clients::default(),
            leaving: Clients::default(),
        }
    }

    /// What the tools may reach and how much they may read.
    pub fn grants(&self) -> &Grants {
        &self.grants
    }

    /// Makes the request and follows redirects, each checked like the first.
    pub async fn exchange(&self, mut outgoing: Outgoing) -> Result<Response, ToolFailure> {
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send_once(&outgoing, Decoding::ByClient).await?;
            match next_hop(&response) {
                Some(location) if outgoing.follow => outgoing.redirect_to(location)?,
                _ => return Ok(response),
            }
        }
        Err(too_many_redirects())
    }

    async fn send_once(
        &self,
        outgoing: &Outgoing,
        decoding: Decoding,
    ) -> Result<Response, ToolFailure> {
        let passage = self.guard.check(&outgoing.url)?;
        let mut request = self
            .client(passage, decoding)?
            .request(outgoing.method.clone(), outgoing.url.clone())
            .headers(outgoing.headers.clone());
        if let Some(body) = &outgoing.body {
            request = request.body(body.clone());
        }
        let answer = request.send().await;
        answer.map_err(|error| failure::from_reqwest(error, &outgoing.method))
    }

    fn client(&self, passage: Passage, decoding: Decoding) -> Result<&Client, ToolFailure> {
        let clients = match decoding {
            Decoding::ByClient => &self.decoding,
            Decoding::ByCaller => &self.leaving,
        };
        let slot = match passage {
            Passage::Public => &clients.public,
            Passage::Granted => &clients.granted,
        };
        let client = slot.get_or_init(|| self.build(passage, decoding));
        client.as_ref().map_err(|message| {
            ToolFailure::permanent(format!("the HTTP client did not start: {message}"))
        })
    }

    fn build(&self, passage: Passage, decoding: Decoding) -> Result<Client, String> {
        let lookup = Arc::clone(&self.lookup);
        let mut headers = HeaderMap::new();
        if decoding == Decoding::ByCaller {
            // With the client and not with the request: other hosts are asked in the
            // same way after a redirect.
            let encodings = HeaderValue::from_static("gzip, br");
            headers.insert(ACCEPT_ENCODING, encodings);
        }
        let resolver = GuardedResolver::new(Arc::clone(&self.guard), passage, lookup);
        Client::builder()
            // A proxy would connect on our behalf, past the guard.
            .no_proxy()
            .redirect(Policy::none())
            .referer(false)
            .dns_resolver(Arc::new(resolver))
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("holloway/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .gzip(decoding == Decoding::ByClient)
            .brotli(decoding == Decoding::ByClient)
            .build()
            .map_err(|error| failure::chain(&error))
    }
}

impl Outgoing {
    fn redirect_to(&mut self, location: Url) -> Result<(), ToolFailure> {
        check_redirect(&self.url, &location)?;
        if self.url.origin() != location.origin() {
            // Headers may carry keys that were meant for the first host only.
            self.headers.clear();
        }
        self.url = location;
        Ok(())
    }
}

/// What was asked for over https is not fetched in the open.
pub(crate) fn check_redirect(from: &Url, to: &Url) -> Result<(), ToolFailure> {
    if from.scheme() == "https" && to.scheme() == "http" {
        let message = format!("{from} redirects from https to http");
        return Err(ToolFailure::denied(message).with_hint("fetch the http address itself"));
    }
    Ok(())
}

pub(crate) fn too_many_redirects() -> ToolFailure {
    ToolFailure::permanent(format!("more than {MAX_REDIRECTS} redirects"))
}

/// Where a response sends us on to.
pub fn next_hop(response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    response.url().join(location).ok()
}

pub(crate) fn parse_url(text: &str) -> Result<Url, ToolFailure> {
    Url::parse(text).map_err(|error| {
        let shown = without_login(text);
        ToolFailure::invalid(format!("`{shown}` is no URL: {error}"))
    })
}

/// An address without what stands before `@`: a name and a password.
fn without_login(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((before, after)) => {
            let scheme = before.split_once("://").map_or("", |(scheme, _)| scheme);
            format!("{scheme}://…@{after}")
        }
        None => text.to_owned(),
    }
}

/// Headers that decide where a message goes or where it ends are not the caller's.
pub const RESERVED: [&str; 6] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "upgrade",
    "te",
];

pub fn parse_headers(headers: &Map<String, Value>) -> Result<HeaderMap, ToolFailure> {
    let mut parsed = HeaderMap::new();
    for (name, value) in headers {
        let text = value.as_str().unwrap_or_default();
        let header = HeaderName::try_from(name.as_str()).ok();
        let value = HeaderValue::from_str(text).ok();
        let (Some(header), Some(value)) = (header, value) else {
            let message = format!("`{name}` is not a valid header or has an invalid value");
            return Err(ToolFailure::invalid(message));
        };
        if RESERVED.contains(&header.as_str()) {
            let message = format!("the header `{header}` is set by the client itself");
            return Err(ToolFailure::invalid(message));
        }
        parsed.insert(header, value);
    }
    Ok(parsed)
}
