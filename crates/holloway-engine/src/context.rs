//! What may a step see? The one place where that is computed: what holds for the whole run, the tool
//! in use, the knowledge that belongs to it, the tools that are probably next, what comes after, and
//! the results it reads, shortened. Pure: the same state gives the same words.
//!
//! Invariant: a model that is asked within a run sees a [`Context`] and nothing else of the run, and
//! the journal says how many tokens it had.

pub mod guided;
pub mod knowledge;
pub mod next;
pub mod parts;
pub mod shown;

use serde::{Deserialize, Serialize};

use crate::tokens::Counter;

pub use knowledge::{Knowledge, Known};
pub use parts::{Part, PartKind};

/// What a step may see, in the order in which it is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Context {
    pub parts: Vec<Part>,
    /// Parts for which there was no room, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Context {
    /// The very text.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| part.text.as_str()).collect();
        parts.join("\n\n")
    }

    pub fn tokens(&self) -> usize {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    /// Adds a part if there is room for it within the budget.
    pub fn add(&mut self, part: Part, budget: usize) -> bool {
        if self.tokens() + part.tokens > budget {
            self.left_out.push(part.name);
            return false;
        }
        self.parts.push(part);
        true
    }

    /// The names of the parts of one kind.
    pub fn names(&self, kind: PartKind) -> impl Iterator<Item = &str> {
        let of_kind = self.parts.iter().filter(move |part| part.kind == kind);
        of_kind.map(|part| part.name.as_str())
    }

    /// The same parts in the order in which they are read: what changes least comes first.
    pub fn in_order(mut self) -> Self {
        self.parts.sort_by_key(|part| part.kind);
        self
    }
}

/// What the journal says about the context of one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    /// What the step may see, in tokens.
    pub tokens: u64,
    /// What of it is sent to a model: nothing where none is asked.
    #[serde(default)]
    pub sent: u64,
    /// What loading every tool, every skill of the plan and every whole result would take.
    pub everything: u64,
    /// Skills of which a section is loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skills: Vec<String>,
    /// Tools that are probably next, with how probable each is; their signatures are loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<(String, f64)>,
    /// Tools that were loaded before and have become unlikely.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<String>,
    /// Steps that come after, of which names and purposes are loaded.
    #[serde(default)]
    pub upcoming: usize,
    /// Digest of the text.
    pub digest: String,
}

/// Counts the text of a part.
pub(crate) fn part(kind: PartKind, name: &str, text: String, counter: &Counter) -> Part {
    // One more for the line between parts.
    let tokens = counter.count(&text) + 1;
    Part {
        kind,
        name: name.to_owned(),
        text,
        tokens,
    }
}

#[cfg(test)]
mod tests;
