//! How is a description brought in? From a file, or from an address that a person
//! typed: that host may be private, and no other.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use holloway_engine::failure::FailureName;
use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use reqwest::{Method, Response, Url};
use serde_json::Value;

use super::document::{Document, MAX_BYTES, parse_text, spec_error};
use super::exchange::{granting, same_origin_exchange};
use crate::{SourceError, SourceErrorKind};
use holloway_tools::Grants;
use holloway_tools::http::{Http, Outgoing};

const TIMEOUT: Duration = Duration::from_mins(1);

/// A description and where it came from, for [`super::OpenApiConfig`].
#[derive(Clone, Debug, PartialEq)]
pub struct ReadDocument {
    /// The address, or the file's full path.
    pub origin: String,
    pub document: Value,
    /// What the description calls itself; empty when it does not say.
    pub title: String,
}

/// Reads the description at `origin`, a URL or a file seen from the folder `here`,
/// and makes sure that it is one.
pub async fn read_document(
    origin: &str,
    here: &Path,
    grants: &Grants,
) -> Result<ReadDocument, SourceError> {
    let (origin, text) = if is_url(origin) {
        (origin.to_owned(), from_url(origin, grants).await?)
    } else {
        let path = here.join(origin);
        (path.display().to_string(), from_file(&path).await?)
    };
    let document = parse_text(&origin, &text)?;
    let checked = Document::new(document)?;
    let title = checked.root.pointer("/info/title").and_then(Value::as_str);
    let title = title.unwrap_or_default().to_owned();
    Ok(ReadDocument {
        origin,
        document: Arc::unwrap_or_clone(checked.root),
        title,
    })
}

pub(crate) fn is_url(text: &str) -> bool {
    let lower = text.trim_start().to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

async fn from_file(path: &Path) -> Result<String, SourceError> {
    let shown = path.display();
    let unreadable = |reason: String| {
        spec_error(
            format!("{shown} cannot be read: {reason}"),
            "check that it is there, is a text, and may be read",
        )
    };
    let size = std::fs::metadata(path)
        .map_err(|error| unreadable(error.to_string()))?
        .len();
    if size > MAX_BYTES as u64 {
        return Err(too_large(&shown.to_string()));
    }
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || std::fs::read_to_string(path)).await;
    match read {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(error)) => Err(unreadable(error.to_string())),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

fn too_large(name: &str) -> SourceError {
    spec_error(
        format!("{name} has more than {MAX_BYTES} bytes"),
        "take out what is not needed, or split the service",
    )
}

async fn from_url(address: &str, grants: &Grants) -> Result<String, SourceError> {
    let url = Url::parse(address).map_err(|error| {
        spec_error(
            format!("`{address}` is no URL: {error}"),
            "check its spelling",
        )
    })?;
    let grants = granting(grants, &url);
    let http = Http::new(&Arc::new(grants));
    let accept = "application/json, application/yaml, text/yaml, text/plain, */*;q=0.5";
    let outgoing = Outgoing {
        method: Method::GET,
        headers: HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]),
        url,
        body: None,
        follow: false,
    };
    let exchange = async {
        let response = same_origin_exchange(&http, outgoing).await;
        let response = response.map_err(|failure| {
            let kind = match failure.name {
                FailureName::Denied => SourceErrorKind::Denied,
                _ => SourceErrorKind::Start,
            };
            let hint = failure
                .hint
                .unwrap_or_else(|| "is the service up?".to_owned());
            SourceError::new(kind, failure.message, hint)
        })?;
        text_of(address, response).await
    };
    tokio::time::timeout(TIMEOUT, exchange).await.map_err(|_| {
        let message = format!("{address} did not answer within {} s", TIMEOUT.as_secs());
        SourceError::new(SourceErrorKind::Timeout, message, "is the service up?")
    })?
}

async fn text_of(address: &str, mut response: Response) -> Result<String, SourceError> {
    let status = response.status();
    if !status.is_success() {
        let hint = "open the address in a browser: is the description there?";
        let message = format!("{address} answered {status}");
        return Err(SourceError::new(SourceErrorKind::Denied, message, hint));
    }
    let mut bytes = Vec::new();
    loop {
        let chunk = response.chunk().await.map_err(|error| {
            let message = format!("{address} stopped in the middle: {}", error.without_url());
            SourceError::new(SourceErrorKind::Protocol, message, "try again")
        })?;
        let Some(chunk) = chunk else { break };
        if bytes.len() + chunk.len() > MAX_BYTES {
            return Err(too_large(address));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| {
        spec_error(
            format!("{address} is no UTF-8 text"),
            "a description is JSON or YAML",
        )
    })
}
