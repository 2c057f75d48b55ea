//! What can go wrong with an address? Each fault says whether the request may have
//! been carried out all the same.

use std::sync::{Arc, Mutex, PoisonError};

use holloway_engine::failure::ToolFailure;
use rmcp::service::ServiceError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::{SourceError, SourceErrorKind};

/// Why an exchange failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::mcp) enum Fault {
    #[error("it turned us away with status {0}")]
    Denied(u16),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("it sends us elsewhere: {0}")]
    Elsewhere(String),
    #[error("nothing answers at its address: {0}")]
    Unreachable(String),
    #[error("the connection broke: {0}")]
    Broken(String),
    #[error("the answer is longer than {0} bytes")]
    TooLong(usize),
    #[error("the answer cannot be read: {0}")]
    Unreadable(String),
}

/// The last fault, for when the transport has ended and nobody says why.
#[derive(Clone, Default)]
pub(in crate::mcp) struct LastFault(Arc<Mutex<Option<Fault>>>);

impl LastFault {
    pub(super) fn keep(&self, fault: &Fault) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault.clone());
    }

    pub(in crate::mcp) fn take(&self) -> Option<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The fault inside an error of the transport.
pub(in crate::mcp) fn of(error: &ServiceError) -> Option<Fault> {
    let ServiceError::TransportSend(DynamicTransportError { error, .. }) = error else {
        return None;
    };
    match error.downcast_ref::<StreamableHttpError<Fault>>()? {
        StreamableHttpError::Client(fault) => Some(fault.clone()),
        other => Some(Fault::Broken(other.to_string())),
    }
}

impl Fault {
    pub(in crate::mcp) fn kind(&self) -> SourceErrorKind {
        match self {
            Self::Denied(_) | Self::Elsewhere(_) => SourceErrorKind::Denied,
            Self::Unreachable(_) | Self::Broken(_) | Self::Status(_) => SourceErrorKind::Start,
            Self::TooLong(_) | Self::Unreadable(_) => SourceErrorKind::Protocol,
        }
    }

    pub(in crate::mcp) fn hint(&self) -> &'static str {
        match self {
            Self::Denied(_) => "give the key it asks for in `headers`, such as Authorization",
            Self::Elsewhere(_) => "if you trust the new address, put it in `url`",
            Self::Unreachable(_) => "check the address, and that the server runs",
            Self::Status(404 | 405) => "check the path of the address: often it ends in /mcp",
            Self::Status(_) | Self::Broken(_) => "try again later",
            Self::TooLong(_) => "ask for less: a page, a range, fewer fields",
            Self::Unreadable(_) => "check that the address is that of an MCP server",
        }
    }

    pub(in crate::mcp) fn to_error(&self, source: &str) -> SourceError {
        let message = format!("`{source}` cannot be used: {self}");
        SourceError::new(self.kind(), message, self.hint())
    }

    pub(in crate::mcp) fn to_failure(&self, source: &str) -> ToolFailure {
        let message = format!("the call of `{source}` failed: {self}");
        let failure = match self {
            Self::Denied(_) | Self::Elsewhere(_) => ToolFailure::denied(message),
            // Nothing was sent, or it was refused unread.
            Self::Unreachable(_) | Self::Status(429) => ToolFailure::transient(message),
            Self::Status(500..) | Self::Broken(_) => ToolFailure::transient(message).uncertain(),
            Self::Status(_) => ToolFailure::permanent(message),
            Self::TooLong(_) => ToolFailure::limit(message).happened(),
            Self::Unreadable(_) => ToolFailure::permanent(message).uncertain(),
        };
        failure.with_hint(self.hint())
    }
}
