//! What does the engine need from a language model? One port for planning and for runs: a
//! question in, a text out, whole or in pieces. What a model says is a proposal, and nothing
//! of it counts before it was checked.

pub mod ask;
pub mod failure;
pub mod fallback;
pub mod fence;
pub mod find_json;
pub mod signature;

use async_trait::async_trait;

pub use ask::{Ask, ChatMessage, Reply, Speaker};
pub use failure::ModelFailure;
pub use fallback::Fallbacks;

/// Is told each piece of an answer as it comes.
pub type OnPiece<'a> = dyn FnMut(&str) + Send + 'a;

/// A language model. Dropping a future ends the call.
#[async_trait]
pub trait Model: Send + Sync {
    /// As people know it: `gpt-5-mini`, `SmolLM2-135M`.
    fn name(&self) -> &str;

    /// The whole answer.
    async fn complete(&self, ask: Ask) -> Result<Reply, ModelFailure>;

    /// The same, telling each piece as it comes. What was told of an answer that then
    /// failed counts for nothing.
    async fn stream(&self, ask: Ask, on_piece: &mut OnPiece<'_>) -> Result<Reply, ModelFailure> {
        let reply = self.complete(ask).await?;
        on_piece(&reply.text);
        Ok(reply)
    }
}
