//! What does planning need from a language model? One port: a question in, a text out,
//! whole or in pieces. What a model says is a proposal: prompts and answers are handled
//! by pure functions here, and nothing of it counts before it was checked.
//!
//! Read in the order of the journey: [`prompt`] (what is asked), [`parse`] (what was
//! answered), [`repair`] (small mistakes of a draft), [`propose`] (attempts, feedback, falling back), [`told`] (what people hear of
//! it), [`stream_steps`] and [`early`] (what may begin while the plan is still being written).

pub mod ask;
pub mod failure;
pub mod spend;

pub mod prompt;

pub mod parse;

pub mod repair;

pub mod drafted;
pub mod propose;
pub mod told;

pub mod early;
pub mod stream_steps;

use async_trait::async_trait;

pub use ask::{Ask, ChatMessage, Reply, Speaker};
pub use failure::ModelFailure;

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
