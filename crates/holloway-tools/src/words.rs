//! What does this text say? Summary, key words, language, differences, readability,
//! likeness, and the addresses, dates and amounts in it. All by counting: the same text
//! gives the same answer, and nothing is made up.

use std::sync::Arc;

use holloway_engine::failure::ToolFailure;
use serde_json::Value;

use super::Tool;

mod diff;
mod entities;
mod keywords;
mod language;
mod readability;
mod sentences;
mod similarity;
mod stopwords;
mod summarise;
mod tokens;

pub(crate) fn tools() -> Vec<Arc<dyn Tool>> {
    vec![
        summarise::tool(),
        keywords::tool(),
        language::tool(),
        diff::tool(),
        readability::tool(),
        similarity::tool(),
        entities::tool(),
    ]
}

/// Texts up to this size are worked on.
const TEXT_LIMIT: usize = 4 * 1024 * 1024;

fn within_limit(text: &str) -> Result<(), ToolFailure> {
    if text.len() <= TEXT_LIMIT {
        return Ok(());
    }
    let message = format!(
        "the text has {} bytes; at most {TEXT_LIMIT} are read",
        text.len()
    );
    Err(ToolFailure::limit(message).with_hint("work on the text in parts"))
}

/// The sentences that say most, as one text.
pub(crate) fn summary(text: &str, sentences: usize) -> Result<String, ToolFailure> {
    let picked = summarise::picked(text, sentences)?;
    let summary = picked.get("summary").and_then(Value::as_str);
    Ok(summary.unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests;
