//! How does one connection answer one request? It sends, waits, and says whether a
//! request that failed had been sent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use holloway_engine::ports::CallLine;
use rmcp::RoleClient;
use rmcp::model::{
    CancelledNotificationParam, ClientRequest, ErrorData, NumberOrString, RequestId, ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions, RunningService, ServiceError};
use serde_json::Value;

use super::handler::Handler;
use super::http;
use super::process::{LastWords, Process};
use super::wire::Wire;

const POLITE: Duration = Duration::from_millis(500);

/// A server that has introduced itself.
pub(super) struct Connection {
    pub(super) peer: Peer<RoleClient>,
    pub(super) wire: Arc<Wire>,
    service: Mutex<Option<RunningService<RoleClient, Arc<Handler>>>>,
    pub(super) handler: Arc<Handler>,
    process: Option<Process>,
    last_words: LastWords,
    over_http: bool,
    /// It has listed its tools once.
    listed: AtomicBool,
}

/// Why a request has no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The connection had ended before.
    NotSent,
    /// It ended while the answer was waited for.
    Ended(String),
    /// The server says so.
    Refused(ErrorData),
    /// What the transport says.
    Transport(ServiceError),
}

impl Connection {
    pub(super) fn new(
        service: RunningService<RoleClient, Arc<Handler>>,
        handler: Arc<Handler>,
        process: Option<Process>,
    ) -> Self {
        Self {
            peer: service.peer().clone(),
            wire: handler.wire.clone(),
            service: Mutex::new(Some(service)),
            handler,
            last_words: process
                .as_ref()
                .map(Process::last_words)
                .unwrap_or_default(),
            process,
            over_http: false,
            listed: AtomicBool::new(false),
        }
    }

    pub(super) fn over_http(
        service: RunningService<RoleClient, Arc<Handler>>,
        handler: Arc<Handler>,
    ) -> Self {
        Self {
            over_http: true,
            ..Self::new(service, handler, None)
        }
    }

    /// The transport knows, not the service: that stays open when a program dies.
    pub(super) fn is_open(&self) -> bool {
        !self.wire.has_ended() && !self.peer.is_transport_closed()
    }

    pub(super) fn has_listed(&self) -> bool {
        self.listed.load(Ordering::Relaxed)
    }

    pub(super) fn note_listed(&self) {
        self.listed.store(true, Ordering::Relaxed);
    }

    /// What the program last wrote to stderr.
    pub(super) fn last_words(&self) -> String {
        self.last_words.text()
    }

    /// Sends one request and gives the result as received. Dropping the future tells
    /// the server that nobody waits any more.
    pub(super) async fn ask(
        &self,
        request: ClientRequest,
        line: Option<&CallLine>,
    ) -> Result<Value, Trouble> {
        if !self.is_open() {
            return Err(Trouble::NotSent);
        }
        let expected = line.map(|line| self.wire.expect(line.clone()));
        let handle = self
            .peer
            .send_request_with_option(request, PeerRequestOptions::no_options())
            .await
            .map_err(|error| match error {
                ServiceError::TransportClosed => Trouble::NotSent,
                other => self.lost_session(other),
            })?;
        let _listed = match (&handle.progress_token.0, line) {
            (NumberOrString::Number(token), Some(line)) => {
                Some(self.wire.list(*token, line.clone()))
            }
            _ => None,
        };
        drop(expected);
        let mut waiting = Waiting::new(&self.peer, handle.id.clone());
        let answer = tokio::select! {
            biased;
            answer = handle.await_response() => answer,
            reason = self.wire.end_reason() => {
                waiting.over();
                return Err(Trouble::Ended(reason.to_string()));
            }
        };
        waiting.over();
        match answer {
            Ok(result) => Ok(self.as_received(result)),
            Err(ServiceError::McpError(error)) => Err(Trouble::Refused(error)),
            // The transport has said why before it closed; one over HTTP may not have.
            Err(ServiceError::TransportClosed) if self.wire.has_ended() => {
                Err(Trouble::Ended(self.wire.end_reason().await.to_string()))
            }
            Err(ServiceError::TransportClosed) => {
                Err(Trouble::Ended("it closed the connection".to_owned()))
            }
            Err(other) => Err(self.lost_session(other)),
        }
    }

    /// A server that does not know our session any more has not done anything. The
    /// connection ends, so that the next one is begun and compared like the first.
    fn lost_session(&self, error: ServiceError) -> Trouble {
        if self.over_http && error.to_string().contains("Session expired") {
            self.wire.end("its session has expired");
            return Trouble::NotSent;
        }
        Trouble::Transport(error)
    }

    fn as_received(&self, result: ServerResult) -> Value {
        let value = match result {
            ServerResult::CustomResult(result) => result.0,
            typed => serde_json::to_value(typed).unwrap_or_default(),
        };
        if self.over_http {
            http::unwrapped(value)
        } else {
            value
        }
    }

    /// Makes sure that nothing of it is left.
    pub(super) async fn kill(&self) {
        self.wire.end("it was closed");
        if let Some(process) = &self.process {
            process.kill().await;
        }
    }

    /// Says goodbye and ends the program.
    pub(super) async fn close(&self) {
        let service = self
            .service
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        self.wire.end("it was closed");
        if let Some(mut service) = service {
            service.close_with_timeout(POLITE).await.ok();
        }
        if let Some(process) = &self.process {
            process.stop().await;
        }
    }
}

/// A request that is being waited for.
struct Waiting<'a> {
    peer: &'a Peer<RoleClient>,
    id: Option<RequestId>,
}

impl<'a> Waiting<'a> {
    fn new(peer: &'a Peer<RoleClient>, id: RequestId) -> Self {
        Self { peer, id: Some(id) }
    }

    fn over(&mut self) {
        self.id = None;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let reason = Some("the call was given up".to_owned());
            let params = CancelledNotificationParam::new(Some(id), reason);
            peer.notify_cancelled(params).await.ok();
        });
    }
}
