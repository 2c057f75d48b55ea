//! Who may see the words of a request? Readers, and the prompts of a model. Everybody else can
//! only hand a [`RequestText`] on: a tidy test lists the files that open one.

use std::fmt;

use holloway_plan::draft::Draft;
use serde_json::Value;

use super::choose::{Understood, understand_with};
use super::model;
use super::named::{Spoken, spoken};
use super::other;
use crate::frame::Frame;
use crate::frame::scene::Scene;

/// The words of a request as the user wrote them. It cannot be printed or compared.
#[derive(Clone)]
pub struct RequestText {
    words: String,
}

impl RequestText {
    pub fn new(words: &str) -> Self {
        Self {
            words: words.to_owned(),
        }
    }

    /// As the embedded reader understands it, with the answers to its questions.
    pub fn understand(&self, scene: &Scene, answers: &[String]) -> Understood {
        understand_with(&self.words, scene, answers)
    }

    /// As a model has read it.
    pub fn understand_answer(&self, answer: &Value, scene: &Scene) -> Result<Understood, String> {
        model::understood(answer, &self.words, scene)
    }

    /// The files that it speaks of.
    pub fn files(&self, scene: &Scene) -> Spoken {
        spoken(&self.words, scene)
    }

    /// As goals outside the table of acts, for tools that do not say what they do.
    pub fn others(&self) -> Frame {
        other::read(&self.words)
    }

    /// The request in two between any two of its goals, with the place where the second begins.
    pub fn halves(&self) -> Vec<(Self, Self, usize)> {
        let cuts = other::cuts(&self.words).into_iter();
        let halves = cuts.filter_map(|at| {
            let (first, second) = self.words.split_at_checked(at)?;
            Some((Self::new(&other::tidy(first)), Self::new(second), at))
        });
        halves.collect()
    }

    /// Writes down what a draft is for. Nothing is planned from the objective of a draft.
    pub fn set_objective(&self, draft: &mut Draft) {
        draft.objective = Some(self.words.clone());
    }

    /// The words themselves, for a prompt or a search.
    pub fn open_words(&self) -> &str {
        &self.words
    }
}

impl fmt::Debug for RequestText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestText").finish_non_exhaustive()
    }
}
