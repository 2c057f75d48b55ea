//! How are services with an OpenAPI description reached? Each operation becomes a
//! tool; its schema, its effect class and its request follow from the description.
//!
//! The result of a call is the decoded JSON of the answer. An answer that is not JSON
//! is `{status, content_type, text}` or `{…, base64}`, one without a body `{status}`.

mod answer;
mod auth;
mod definition;
mod document;
mod exchange;
mod fetch;
mod name;
mod offer;
mod operation;
mod origin;
mod payload;
mod request;
mod schema;
mod server;
mod style;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holloway_engine::failure::{FailureName, ToolFailure};
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_flow::catalog::SourceId;
use holloway_flow::catalog::offer::Offer;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use super::{SourceError, SourceErrorKind, ToolSource};
use auth::Schemes;
use document::{Document, Flaw, spec_error};
use holloway_tools::Grants;
use holloway_tools::http::{Http, parse_headers};
use holloway_tools::secrets::Secrets;
use operation::{Operation, Whereabouts};
use origin::Accepted;

pub use document::{MAX_BYTES, parse_text};
pub use fetch::{ReadDocument, read_document};
pub use origin::{Destination, origin_of};

/// No answer takes longer; steps have shorter limits of their own.
const TIMEOUT: Duration = Duration::from_mins(10);

/// One service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpenApiConfig {
    /// Where the description came from: a file or an address.
    pub origin: String,
    /// The description as it was read, whole.
    pub document: Value,
    /// Where requests go, in place of what the description says; hosts named here by a
    /// person may be private.
    pub base_url: String,
    /// Headers of every request; texts may name secrets as `${NAME}`.
    pub headers: BTreeMap<String, String>,
    /// By the name of a security scheme: the key, token or `user:password`.
    pub auth: BTreeMap<String, String>,
    /// Where requests may go besides: scheme, host and port. `None` for a source that
    /// was added before this was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_origins: Option<Vec<String>>,
}

/// A service whose operations can be called.
pub struct OpenApiSource {
    id: SourceId,
    config: Arc<OpenApiConfig>,
    secrets: Secrets,
    grants: Grants,
    service: OnceCell<Arc<Service>>,
}

/// What a description offers, and what of it had to be left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    pub offers: Vec<Offer>,
    /// One sentence for each operation that cannot be used, with its place.
    pub notes: Vec<String>,
    /// Every origin that its operations send to.
    pub destinations: Vec<Destination>,
    /// Origins that it names and nothing is sent to.
    pub only_named: Vec<String>,
}

/// A description that has been read.
struct Service {
    document: Document,
    schemes: Schemes,
    operations: Vec<Operation>,
    by_name: HashMap<String, usize>,
    flaws: Vec<Flaw>,
    accepted: Accepted,
    http: Http,
}

impl OpenApiSource {
    pub fn new(id: SourceId, config: OpenApiConfig, secrets: Secrets, grants: Grants) -> Self {
        Self {
            id,
            config: Arc::new(config),
            secrets,
            grants,
            service: OnceCell::new(),
        }
    }

    /// All tools, and notes on what was left out.
    pub async fn survey(&self) -> Result<Survey, SourceError> {
        let service = Arc::clone(self.service().await?);
        let id = self.id.clone();
        let survey = tokio::task::spawn_blocking(move || service.survey(&id));
        let survey = survey.await.map_err(interrupted)?;
        if survey.offers.is_empty() {
            let reason = survey.notes.first().map_or("it has none", String::as_str);
            return Err(spec_error(
                format!("no operation of this description can be used: {reason}"),
                "mend the description, or name the service's address with `--base-url`",
            ));
        }
        Ok(survey)
    }

    async fn service(&self) -> Result<&Arc<Service>, SourceError> {
        let read = || async {
            let (config, grants) = (Arc::clone(&self.config), self.grants.clone());
            // Large descriptions take a moment that other work should not wait for.
            let service = tokio::task::spawn_blocking(move || Service::read(&config, grants));
            service.await.map_err(interrupted)?.map(Arc::new)
        };
        self.service.get_or_try_init(read).await
    }

    async fn answer(&self, request: &CallRequest) -> Result<Value, ToolFailure> {
        let service = self.service().await?;
        let Some(operation) = service.operation(request.tool.name()) else {
            let message = format!("the description has no operation `{}`", request.tool.name());
            return Err(ToolFailure::unknown_tool(message));
        };
        // Before anything that holds a key is made.
        service.accepted.check(operation, self.id.as_str())?;
        let headers = self.headers()?;
        let own_header = headers.contains_key(AUTHORIZATION);
        let auth = &self.config.auth;
        let extras = request::Extras {
            proof: auth::prove(operation, &service.schemes, auth, own_header, &self.secrets)?,
            headers,
            key: &request.key,
        };
        let outgoing = request::build(operation, &request.arguments, extras)?;
        let exchange = async {
            let response = exchange::same_origin_exchange(&service.http, outgoing).await?;
            let limit = self.grants.byte_limit(None) as usize;
            answer::read(response, operation, limit, &self.secrets).await
        };
        tokio::time::timeout(TIMEOUT, exchange)
            .await
            .map_err(|_| ToolFailure::timeout(TIMEOUT.as_millis() as u64))?
    }

    /// The headers a person gave, with their secrets.
    fn headers(&self) -> Result<HeaderMap, ToolFailure> {
        let mut headers = Map::new();
        for (name, text) in &self.config.headers {
            let value = self.secrets.resolve(text).map_err(|missing| {
                ToolFailure::denied(format!("{missing}; the header `{name}` needs it")).with_hint(
                    format!("set `{}` where Holloway looks for secrets", missing.0),
                )
            })?;
            headers.insert(name.clone(), Value::String(value.reveal().to_owned()));
        }
        parse_headers(&headers)
    }

    /// Nothing that was handed out comes back in a message.
    fn clean(&self, mut failure: ToolFailure) -> ToolFailure {
        failure.message = self.secrets.clean(&failure.message);
        let inside = failure
            .hint
            .as_deref()
            .is_some_and(|hint| hint.contains("private_hosts"));
        if failure.name == FailureName::Denied && inside && self.config.base_url.is_empty() {
            failure.hint = Some(format!(
                "{}; or name the service's address yourself with `--base-url`",
                failure.hint.unwrap_or_default()
            ));
        }
        failure
    }
}

#[async_trait]
impl ToolSource for OpenApiSource {
    async fn offers(&self) -> Result<Vec<Offer>, SourceError> {
        self.survey().await.map(|survey| survey.offers)
    }

    async fn call(&self, request: &CallRequest) -> Result<CallOutput, ToolFailure> {
        let answer = self.answer(request).await;
        answer
            .map(CallOutput::from)
            .map_err(|failure| self.clean(failure))
    }
}

impl Service {
    fn read(config: &OpenApiConfig, grants: Grants) -> Result<Self, SourceError> {
        let document = Document::new(config.document.clone())?;
        let whereabouts = whereabouts(config)?;
        let schemes = auth::schemes(&document);
        let (operations, flaws) = operation::read_all(&document, &schemes, &whereabouts);
        let names = operations.iter().enumerate();
        let by_name = names.map(|(index, operation)| (operation.name.clone(), index));
        Ok(Self {
            accepted: Accepted::of(config, &document.root, &whereabouts),
            by_name: by_name.collect(),
            http: Http::new(&Arc::new(with_hosts(grants, &whereabouts))),
            document,
            schemes,
            operations,
            flaws,
        })
    }

    fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.get(*self.by_name.get(name)?)
    }

    fn survey(&self, id: &SourceId) -> Survey {
        let destinations = self.accepted.destinations(&self.operations);
        let mut survey = Survey {
            offers: Vec::with_capacity(self.operations.len()),
            notes: self.flaws.iter().map(Flaw::to_string).collect(),
            only_named: origin::only_named(&self.document, &destinations),
            destinations,
        };
        let mut offers = offer::Offers::new(id, &self.document);
        for operation in &self.operations {
            match offers.of(operation) {
                Ok(offer) => survey.offers.push(Offer {
                    findings: self.accepted.findings(operation),
                    ..offer
                }),
                Err(flaw) => survey
                    .notes
                    .push(format!("`{}` is left out: {flaw}", operation.name)),
            }
        }
        survey
    }
}

fn whereabouts(config: &OpenApiConfig) -> Result<Whereabouts, SourceError> {
    let base_url = if config.base_url.is_empty() {
        None
    } else {
        let hint = "write `--base-url https://api.example.com/v1`";
        Some(server::typed(&config.base_url).map_err(|message| spec_error(message, hint))?)
    };
    let origin = Url::parse(&config.origin).ok();
    Ok(Whereabouts {
        base_url,
        origin: origin.filter(|url| matches!(url.scheme(), "http" | "https")),
    })
}

/// The grants with the hosts that a person named when the service was added.
pub(crate) fn hosts_named(config: &OpenApiConfig, grants: &Grants) -> Grants {
    // A base address that is none lets no call be made, and is told then.
    let whereabouts = whereabouts(config).unwrap_or_default();
    with_hosts(grants.clone(), &whereabouts)
}

/// A person named the base address. The origin they named too, but a name server may
/// move a name to the inside later; an address cannot move.
fn with_hosts(mut grants: Grants, whereabouts: &Whereabouts) -> Grants {
    if let Some(url) = &whereabouts.base_url {
        grants = exchange::granting(&grants, url);
    }
    if let Some(url) = &whereabouts.origin {
        let host = url.host_str().unwrap_or_default();
        if host == "localhost" || url.domain().is_none() {
            grants = exchange::granting(&grants, url);
        }
    }
    grants
}

fn interrupted(error: tokio::task::JoinError) -> SourceError {
    SourceError::new(
        SourceErrorKind::Protocol,
        format!("reading the description was interrupted: {error}"),
        "try again",
    )
}
