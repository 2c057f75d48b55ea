//! How is one question asked several times? Each answer is weighed; what is wrong is told
//! with the next question, until one can be used or asking on makes no sense.

use super::{Attempt, MadeBy, Proposal, Terms};
use crate::model::prompt::correction;
use crate::model::spend::Spent;
use crate::model::{Ask, Model, ModelFailure, OnPiece, Reply};

/// Why an answer cannot be used: for people, and for whoever gave it.
pub(super) struct Wrong {
    pub(super) problem: String,
    pub(super) correction: String,
}

/// All attempts of one question.
pub(super) struct Course<T> {
    made: Result<T, String>,
    attempts: Vec<Attempt>,
    spent: Spent,
    /// Of the last answer.
    ends_asking: bool,
}

impl<T> Course<T> {
    /// Takes what is not quite right where nothing better came.
    pub(super) fn settle_for(&mut self, found: T) {
        if self.made.is_err() {
            self.made = Ok(found);
        }
    }

    pub(super) fn proposal<V>(
        self,
        model: &dyn Model,
        made: impl FnOnce(T) -> (V, Vec<String>),
        embedded: impl FnOnce() -> V,
    ) -> Proposal<V> {
        let (value, notes, made_by) = match self.made {
            Ok(found) => {
                let (value, notes) = made(found);
                let name = model.name().to_owned();
                (value, notes, MadeBy::Model { name })
            }
            Err(why) => {
                let reason = format!("{} was of no help: {why}", model.name());
                (embedded(), Vec::new(), MadeBy::Embedded { reason })
            }
        };
        Proposal {
            value,
            made_by,
            attempts: self.attempts,
            notes,
            spent: self.spent,
            ends_asking: self.ends_asking,
        }
    }
}

/// Asks until an answer can be used, nothing more helps, or enough is spent.
pub(super) async fn carry_out<T>(
    model: &dyn Model,
    mut question: Ask,
    terms: &Terms,
    judge: &(dyn Fn(&str) -> Result<T, Wrong> + Sync),
    on_piece: &mut OnPiece<'_>,
) -> Course<T> {
    question.temperature = terms.temperature;
    question.max_tokens = terms.max_tokens;
    question.timeout = terms.timeout;
    let mut course = Course {
        made: Err("it may not be asked at all".to_owned()),
        attempts: Vec::new(),
        spent: Spent::default(),
        ends_asking: false,
    };
    let mut next = question.clone();
    for number in 1..=terms.attempts {
        if let Some(objection) = terms.allowance.objection(&course.spent) {
            course.made = Err(objection);
            break;
        }
        // Only what is written first may begin early: later answers repeat it.
        let answer = if number == 1 {
            model.stream(next, on_piece).await
        } else {
            model.complete(next).await
        };
        let Step { made, again } = weigh(answer, &question, number, judge, &mut course);
        course.made = made;
        match again {
            Some(again) => next = again,
            None => break,
        }
    }
    course
}

/// What follows from one answer.
struct Step<T> {
    made: Result<T, String>,
    /// What to ask next, if that may help.
    again: Option<Ask>,
}

fn weigh<T>(
    answer: Result<Reply, ModelFailure>,
    question: &Ask,
    number: u32,
    judge: &(dyn Fn(&str) -> Result<T, Wrong> + Sync),
    course: &mut Course<T>,
) -> Step<T> {
    course.ends_asking = matches!(&answer, Err(failure) if failure.ends_asking());
    let reply = match &answer {
        Ok(reply) => Some(reply),
        Err(failure) => failure.reply(),
    };
    if let Some(reply) = reply {
        course.spent.add(reply);
    }
    let mut attempt = Attempt {
        number,
        problem: None,
        tokens_in: reply.map_or(0, |reply| reply.tokens_in),
        tokens_out: reply.map_or(0, |reply| reply.tokens_out),
        money: reply.map_or(0.0, |reply| reply.money),
    };
    let step = match answer {
        Ok(reply) => match judge(&reply.text) {
            Ok(made) => Step {
                made: Ok(made),
                again: None,
            },
            Err(wrong) => {
                attempt.problem = Some(wrong.problem.clone());
                Step {
                    made: Err(format!("its last answer cannot be used: {}", wrong.problem)),
                    again: Some(
                        question
                            .clone()
                            .follow_up(start(&reply.text), wrong.correction),
                    ),
                }
            }
        },
        Err(failure) => {
            attempt.problem = Some(failure.to_string());
            Step {
                made: Err(failure.to_string()),
                again: failure
                    .worth_another_attempt()
                    .then(|| after_failure(&failure, question)),
            }
        }
    };
    course.attempts.push(attempt);
    step
}

fn after_failure(failure: &ModelFailure, question: &Ask) -> Ask {
    match failure {
        ModelFailure::CutOff { reply } => {
            let said: String = reply.text.chars().take(500).collect();
            question
                .clone()
                .follow_up(said, correction::of_cut_off(reply.tokens_out))
        }
        _ => question.clone(),
    }
}

/// What the model said, as far as it is worth reading again.
fn start(text: &str) -> String {
    const MOST: usize = 20_000;
    let said: String = text.chars().take(MOST).collect();
    // Providers refuse an empty turn.
    if said.trim().is_empty() {
        "(nothing)".to_owned()
    } else {
        said
    }
}
