//! What is asked? A request taken apart: what it wants, what it names, what limits it
//! sets, in which form it wants the result, and whether it needs a plan at all.

use holloway_search::clauses::bounded;
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;

mod capabilities;
mod constraints;
mod format;
mod intent;
mod language;
mod need;
pub use crate::read::entities::{Entity, EntityKind};
pub use crate::read::{clauses as parts, services, verbs};
pub(crate) use crate::read::{denial, entities};

/// What a clause does, by its old name.
pub(crate) mod deed {
    pub(crate) use crate::read::action::{Sorts, sorts_of_words};
}

/// Takes a request apart. Of a very long one, only the beginning is read.
pub fn analyse(request: &str, catalogue: &Catalogue) -> Analysis {
    let request = bounded(request);
    let entities = entities::entities(&request);
    let capabilities = capabilities::capabilities(&request, &entities, catalogue);
    let mut analysis = Analysis {
        need: Need::Plan,
        intent: intent::intent(&capabilities),
        constraints: constraints::constraints(&request, &entities),
        formats: format::formats(&request, &entities),
        entities,
        capabilities,
        request,
    };
    analysis.need = need::need(&analysis, catalogue);
    if matches!(analysis.need, Need::Conversation | Need::Nothing) {
        analysis.capabilities.clear();
    }
    analysis
}

/// What a request names, without the rest.
pub fn named(request: &str) -> Vec<Entity> {
    entities::entities(&bounded(request))
}

impl Analysis {
    /// The same for those who know nothing of an analysis.
    pub(crate) fn wanted(&self) -> crate::read::other::Wanted {
        let mut wanted = crate::read::other::wanted(&self.request);
        wanted.entities.clone_from(&self.entities);
        wanted.goals = self
            .capabilities
            .iter()
            .map(|capability| crate::read::other::Goal {
                text: capability.text.clone(),
                clause: capability.clause,
                ..Default::default()
            })
            .collect();
        wanted
    }

    /// Whether the request is in English, which alone is understood without a model.
    pub fn is_english(&self) -> bool {
        language::is_english(&self.request, &self.entities)
    }
}

/// A request, understood.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Analysis {
    pub request: String,
    pub need: Need,
    /// What the user wants to reach, in a few words.
    pub intent: String,
    pub entities: Vec<Entity>,
    /// What has to be done, in the order it was said.
    pub capabilities: Vec<Capability>,
    pub constraints: Constraints,
    /// The forms the result is wanted in; empty when nothing is said.
    pub formats: Vec<Format>,
}

/// Whether a plan is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    #[default]
    Plan,
    /// One tool does it; a plan would only stand in the way.
    OneStep,
    /// Nothing is to be done: a greeting, thanks, a question about Holloway.
    Conversation,
    /// There is nothing to go by.
    Nothing,
}

/// Something to be done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Capability {
    /// In the words of the request: "analyze trends".
    pub text: String,
    /// The clause of the request that it comes from.
    pub clause: usize,
    /// The kind of tools that serve it, such as `seo`, when the words name one.
    pub category: Option<String>,
}

/// What limits a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Constraints {
    pub seconds: Option<f64>,
    /// US dollars.
    pub money: Option<f64>,
    pub priority: Priority,
    pub depth: Depth,
}

/// What matters most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    #[default]
    Balanced,
    Speed,
    Cost,
    Fidelity,
}

impl Priority {
    pub fn word(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Speed => "speed",
            Self::Cost => "cost",
            Self::Fidelity => "fidelity",
        }
    }
}

/// How much is to be covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    Quick,
    #[default]
    Usual,
    Complete,
}

/// The form of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Html,
    Pdf,
    Markdown,
    Csv,
    Tsv,
    JsonLines,
    Xlsx,
    Json,
    Text,
    Chart,
    /// "a report", in whatever form.
    Report,
}

#[cfg(test)]
mod tests;
