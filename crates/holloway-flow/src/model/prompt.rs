//! What is a model asked? Prompts as pure functions: the same request, tools and settings
//! give the same words. What others wrote stands between marks and is called data.

pub mod correction;
pub mod draft;
pub mod fence;
pub mod frame;
pub mod scene;
pub mod tools;

/// Roughly: four bytes are a token in English prose, fewer in JSON. Good enough to keep
/// a prompt within bounds; what an answer really took is told by the provider.
pub fn about_tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}
