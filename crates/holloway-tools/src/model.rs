//! Which tools ask the configured model? Those of the source `model`: generate, summarise, extract,
//! classify and decide. Without a model, `summarise` and `extract` have forms that only take from
//! the text.
//!
//! Invariant: what a step gives to a model besides its own instructions stands between marks, with
//! its source, and is called data. Secrets are never filled in; a model sees their marks.

mod answer;
mod asking;
mod classify;
mod decide;
mod extract;
mod extractive;
mod generate;
mod prompt;
mod summarise;

use std::sync::Arc;

use holloway_engine::model::Model;
use holloway_plan::step::MODEL_SOURCE;

use super::Tool;
use asking::Asking;

/// The source of these tools.
pub(crate) const SOURCE: &str = MODEL_SOURCE;

/// A model that tools may ask, with what is known of it beforehand.
#[derive(Clone)]
pub struct ModelAtHand {
    pub model: Arc<dyn Model>,
    /// US dollars for a usual call, as far as prices are configured.
    pub price: Option<f64>,
    pub latency_ms: u64,
    pub temperature: f64,
    /// Of one answer.
    pub max_tokens: u32,
    /// For one answer, repeats and pauses included.
    pub timeout_ms: u64,
}

/// The tools that ask this model.
pub(crate) fn tools(model: &ModelAtHand) -> Vec<Arc<dyn Tool>> {
    let asking = Arc::new(Asking::new(model.clone()));
    vec![
        generate::tool(&asking),
        summarise::tool(&asking),
        extract::tool(&asking),
        classify::tool(&asking),
        decide::tool(&asking),
    ]
}

/// The forms that need no model.
pub(crate) fn extractive() -> Vec<Arc<dyn Tool>> {
    extractive::tools()
}

#[cfg(test)]
mod tests;
