//! What is a model asked? Prompts as pure functions: the same request, tools and settings
//! give the same words. What others wrote stands between marks and is called data.
//!
//! An exchange has one system prompt, the same for every request, so that providers can keep
//! it. The first question asks for the frame ([`frame`]), the second goes on with it and asks for
//! plans ([`plans`]); corrections follow where they are needed ([`correction`]).

use std::sync::LazyLock;

use holloway_engine::model::fence;

pub mod correction;
pub mod frame;
pub mod plans;
pub mod scene;
pub mod schema;
pub mod tools;

static SYSTEM: LazyLock<String> = LazyLock::new(|| {
    format!(
        "You work for an engine that carries out plans with tools, exactly as written. You are asked two questions about a request: \
first what it asks for, as goals; then for plans. You answer each with one JSON object and nothing else: no explanation, no code \
fence. {}\n\n# First question: the goals\n\n{}\n# Second question: the plans\n\n{}",
        fence::RULE,
        frame::guide(),
        plans::GUIDE
    )
});

static SMALL: LazyLock<String> = LazyLock::new(|| {
    format!(
        "You read requests for a planner. You answer with one JSON object and nothing else. {}\n\n{}",
        fence::RULE,
        frame::guide()
    )
});

/// The same for a small model, which is asked for goals alone.
pub fn small() -> &'static str {
    &SMALL
}

/// What holds for the whole exchange.
pub fn system() -> &'static str {
    &SYSTEM
}

/// Roughly: four bytes are a token in English prose, fewer in JSON. Good enough to keep
/// a prompt within bounds; what an answer really took is told by the provider.
pub fn about_tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_short() {
        let sizes = (about_tokens(small()), about_tokens(system()));
        assert!(sizes.0 <= 1_500 && sizes.1 <= 2_300, "{sizes:?}");
    }
}
