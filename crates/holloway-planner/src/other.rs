//! How does a goal outside the table of acts become steps? Over tools of other people: the tool is
//! chosen per goal by search and learned weights, joined with what past runs did; arguments are
//! bound, and what nobody said is made by other tools or asked for.
//!
//! Read in this order: [`asked`] and [`says`] (both sides), [`score`] (how well they fit), [`declared`] and [`choose`]
//! (one tool for each goal), [`assemble`] with [`gaps`] and [`sessions`] (steps and arguments),
//! [`write`] (the draft).

use holloway_plan::draft::Draft;
use serde::{Deserialize, Serialize};

use crate::bind::{Binding, PastArguments};
use crate::catalogue::{Catalogue, Place};
use crate::frame::Frame;
use crate::recall::Sequence;
use crate::sure::Signs;

mod account;
mod asked;
mod assemble;
mod choose;
mod complements;
mod declared;
mod doubt;
mod gaps;
mod heard;
mod hits;
mod inputs;
mod names;
mod says;
pub mod score;
mod sessions;
mod signs;
mod verbs;
mod words;
mod write;

pub use account::{Served, What};
pub use hits::Hit;

use assemble::Assembly;
use choose::{Choices, Chosen};

/// How far plans may go; the figures come from the configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OtherSettings {
    /// The names of the strategies; all give the same plan where one goal has one good tool.
    pub strategies: Vec<String>,
    /// How many tools may be put in one before the other to make what one needs.
    pub deepest: usize,
    pub steps: usize,
    pub fallbacks: usize,
    pub loop_items: usize,
    pub loop_concurrency: usize,
}

impl Default for OtherSettings {
    fn default() -> Self {
        Self {
            strategies: ["thorough", "balanced", "quick"]
                .map(str::to_owned)
                .to_vec(),
            deepest: 2,
            steps: 24,
            fallbacks: 2,
            loop_items: 100,
            loop_concurrency: 4,
        }
    }
}

/// A draft and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherDraft {
    pub strategy: String,
    pub draft: Draft,
    pub notes: Vec<Note>,
    /// What serves each goal and each thing that is named.
    pub serves: Vec<Served>,
    /// What the person who runs the plan has to say: the names of inputs without a value.
    pub open_inputs: Vec<String>,
    /// The goals that no tool does, by number.
    pub undone: Vec<usize>,
    /// What speaks for the draft and against it.
    pub signs: Signs,
}

/// Why a step is there, and where its arguments come from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    pub step: String,
    pub tool: String,
    pub reason: String,
    pub bindings: Vec<Binding>,
}

/// One draft for each strategy. Where no tool does anything of what is frame, there is none.
pub fn plan_other(
    frame: &Frame,
    catalogue: &Catalogue,
    sequences: &[Sequence],
    past: &PastArguments,
    settings: &OtherSettings,
) -> Vec<OtherDraft> {
    if catalogue.is_empty() {
        return Vec::new();
    }
    let choices = Choices::of(frame, catalogue);
    let chosen = choices.choose(frame, catalogue, sequences, past);
    drafts(frame, catalogue, past, settings, &chosen)
}

/// The goals that no tool does, where there is no draft to say so.
pub fn undone(frame: &Frame, catalogue: &Catalogue) -> Vec<usize> {
    Choices::of(frame, catalogue).undone()
}

/// The tools that do the first goal, the best first.
pub fn doing(frame: &Frame, catalogue: &Catalogue) -> Vec<Hit> {
    let hits = Choices::of(frame, catalogue).hits.into_iter().next();
    hits.unwrap_or_default()
}

/// The draft that uses these tools in this order, to judge arguments apart from the choice.
pub fn draft_with(
    frame: &Frame,
    catalogue: &Catalogue,
    tools: &[Place],
    settings: &OtherSettings,
) -> Option<OtherDraft> {
    let chosen = Choices::of(frame, catalogue).given(frame, tools);
    let nothing = PastArguments::default();
    drafts(frame, catalogue, &nothing, settings, &chosen)
        .into_iter()
        .next()
}

fn drafts(
    frame: &Frame,
    catalogue: &Catalogue,
    past: &PastArguments,
    settings: &OtherSettings,
    chosen: &Chosen,
) -> Vec<OtherDraft> {
    let mut assembly = Assembly::new(frame, catalogue, past, settings);
    for tool in sessions::with_sessions(&assembly, chosen) {
        assembly.add(tool, settings.deepest);
    }
    assembly.keep_order();
    if assembly.nodes.is_empty() {
        return Vec::new();
    }
    let draft = assembly.draft(chosen);
    let drafted = OtherDraft {
        strategy: String::new(),
        notes: assembly.notes(),
        serves: assembly.served(),
        open_inputs: assembly.open_inputs(),
        undone: chosen.undone.clone(),
        signs: assembly.signs(chosen),
        draft,
    };
    let named = |strategy: &String| OtherDraft {
        strategy: strategy.clone(),
        ..drafted.clone()
    };
    settings.strategies.iter().map(named).collect()
}
