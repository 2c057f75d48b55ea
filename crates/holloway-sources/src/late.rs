//! What if making a source takes time? It is made at its first use: programs are
//! looked for and the sandbox is tried only when a call needs them.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use holloway_engine::failure::ToolFailure;
use holloway_engine::ports::{CallOutput, CallRequest};
use holloway_flow::catalog::offer::{Offer, Package};
use tokio::sync::OnceCell;

use super::{SourceError, ToolSource};

type Make = dyn Fn() -> BoxFuture<'static, Result<Arc<dyn ToolSource>, SourceError>> + Send + Sync;

/// A source that is made when it is needed; a failed attempt is repeated next time.
pub(super) struct Late {
    pub(super) package: Option<Package>,
    pub(super) make: Box<Make>,
    pub(super) made: OnceCell<Arc<dyn ToolSource>>,
}

impl Late {
    async fn source(&self) -> Result<&Arc<dyn ToolSource>, SourceError> {
        self.made.get_or_try_init(|| (self.make)()).await
    }
}

#[async_trait]
impl ToolSource for Late {
    async fn offers(&self) -> Result<Vec<Offer>, SourceError> {
        self.source().await?.offers().await
    }

    async fn listed(&self) -> Result<(u64, Vec<Offer>), SourceError> {
        self.source().await?.listed().await
    }

    async fn call(&self, request: &CallRequest) -> Result<CallOutput, ToolFailure> {
        self.source().await?.call(request).await
    }

    async fn call_at(
        &self,
        generation: u64,
        request: &CallRequest,
    ) -> Option<Result<CallOutput, ToolFailure>> {
        match self.source().await {
            Ok(source) => source.call_at(generation, request).await,
            Err(error) => Some(Err(error.into())),
        }
    }

    fn generation(&self) -> u64 {
        self.made.get().map_or(0, |source| source.generation())
    }

    fn changes_silently(&self) -> bool {
        self.made
            .get()
            .is_some_and(|source| source.changes_silently())
    }

    fn package(&self) -> Option<Package> {
        self.package.clone()
    }

    async fn close(&self) {
        if let Some(source) = self.made.get() {
            source.close().await;
        }
    }
}
