//! How is a goal said? Its clause, taken apart into verb, thing and what belongs to the thing; for
//! tools that do not say what they do. Readers take it apart.

use std::ops::Range;

use serde::Serialize;

use crate::lexicon::sorts::Sorts;

/// The clause of a goal, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clause {
    /// By its place among the clauses of the request.
    pub number: usize,
    pub action: Action,
    /// Somebody gave verb and object by name: the text does not say them otherwise.
    pub is_given: bool,
    /// The stretch of the text before what belongs to the thing, and what belongs to it.
    pub main: Range<usize>,
    pub with: Vec<Belonging>,
    /// Services that are named as the place where it is done.
    pub services: Vec<String>,
    /// What was said just before it: the goal before it, or what was told before the first.
    pub before: String,
}

/// What is done, and to what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Action {
    /// In lower case; empty where something is asked or nothing is told.
    pub verb: String,
    /// Whether the verb leaves what is done to the thing after it.
    pub light: bool,
    #[serde(skip)]
    pub sorts: Sorts,
    /// The words for the thing, in lower case; the last one says what it is.
    pub object: Vec<String>,
    /// What follows, with the word that leads to it.
    pub beside: Vec<Beside>,
    /// Speaks of something that came before: "them", "the results".
    pub refers_back: bool,
}

/// "about retrieval", "to a csv file".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Beside {
    pub lead: String,
    /// In lower case, without those that say nothing.
    pub words: Vec<String>,
}

impl Action {
    /// The words after one of these leads.
    pub fn after(&self, leads: &[&str]) -> impl Iterator<Item = &str> {
        let beside = self.beside.iter();
        let fitting = beside.filter(move |beside| leads.contains(&beside.lead.as_str()));
        fitting.flat_map(|beside| beside.words.iter().map(String::as_str))
    }
}

/// Something that belongs to what a goal makes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Belonging {
    /// The words for it, as stems.
    pub words: Vec<String>,
    /// What is said after it: "Agenda" in "a heading Agenda".
    pub said: String,
}
