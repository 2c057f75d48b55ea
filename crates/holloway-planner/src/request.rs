//! What is asked? A request taken apart: what it wants, what it names, what limits it
//! sets, in which form it wants the result, and whether it needs a plan at all.

use holloway_search::clauses::bounded;
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use surroundings::Surroundings;

/// What a request says about rows and files.
pub mod conditions;
/// What is there where the request is made.
pub mod surroundings;
/// What is done to texts and files as such.
pub(crate) mod texts;

mod capabilities;
mod constraints;
mod format;
mod intent;
mod language;
mod need;
pub(crate) mod provisos;
pub use crate::read::entities::{Entity, EntityKind};
pub use crate::read::{clauses as parts, services, verbs};
pub(crate) use crate::read::{denial, entities, zones};

/// What a clause does, by its old name.
pub(crate) mod deed {
    pub(crate) use crate::read::action::{Action as Deed, Sorts, sorts_of_word, sorts_of_words};
}

/// Takes a request apart. Of a very long one, only the beginning is read.
pub fn analyse(request: &str, catalogue: &Catalogue) -> Analysis {
    analyse_in(request, catalogue, &Surroundings::default())
}

/// The same, with what is known of the files that it names.
pub fn analyse_in(request: &str, catalogue: &Catalogue, surroundings: &Surroundings) -> Analysis {
    let request = bounded(request);
    let entities = entities::entities(&request);
    let capabilities = capabilities::capabilities(&request, &entities, catalogue);
    let (conditions, unclear) = conditions::conditions(&request, &entities, surroundings);
    let mut analysis = Analysis {
        need: Need::Plan,
        intent: intent::intent(&capabilities),
        constraints: constraints::constraints(&request, &entities),
        formats: format::formats(&request, &entities),
        conditions,
        unclear,
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

    /// What stands before something that is named, without the marks it is quoted with.
    pub(crate) fn before(&self, entity: &Entity) -> &str {
        let before = self.request.get(..entity.place.start);
        before
            .unwrap_or_default()
            .trim_end_matches(['"', '“', '„', '«', '‘', '`', '\''])
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
    /// What is said about rows and files, in the order it was said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<conditions::Said>,
    /// What it says about rows and nobody understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unclear: Option<String>,
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
