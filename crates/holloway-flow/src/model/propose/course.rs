//! How is one question asked several times? Each answer is weighed; what is wrong is told
//! with the next question, until one can be used or asking on makes no sense. An answer may also ask for more.

use std::time::Instant;

use super::{Attempt, Terms};
use crate::model::prompt::correction;
use crate::model::spend::Spent;
use holloway_engine::model::{Ask, Model, ModelFailure, OnPiece, Reply};

/// How often an answer may ask for more.
const ROUNDS: u32 = 3;

/// What an answer is worth.
pub(super) enum Verdict<T> {
    Good(T),
    /// Cannot be used: for people, and for whoever gave it.
    Wrong {
        problem: String,
        correction: String,
    },
    /// Cannot be used, and asking again would not help.
    Useless(String),
    /// Asks for something, which is this.
    More(String),
}

impl<T> Verdict<T> {
    pub(super) fn unreadable(why: String) -> Self {
        Self::Wrong {
            correction: correction::of_unreadable(&why),
            problem: ModelFailure::NotJson(why).to_string(),
        }
    }
}

/// All attempts of one question.
#[derive(Debug)]
pub(super) struct Course<T> {
    /// Or why there is nothing.
    pub(super) made: Result<T, String>,
    pub(super) attempts: Vec<Attempt>,
    pub(super) spent: Spent,
    /// Of the last answer: asking the same model anything else makes no sense.
    pub(super) ends_asking: bool,
}

/// Asks until an answer can be used, nothing more helps, or enough is spent. `before` was
/// spent already.
pub(super) async fn carry_out<T>(
    model: &dyn Model,
    mut question: Ask,
    (terms, before): (&Terms, Spent),
    judge: &mut (dyn FnMut(&Reply) -> Verdict<T> + Send),
    on_piece: &mut OnPiece<'_>,
) -> Course<T> {
    question.temperature = terms.temperature;
    question.max_tokens = terms.max_tokens;
    let mut course = Course {
        made: Err("it may not be asked at all".to_owned()),
        attempts: Vec::new(),
        spent: Spent::default(),
        ends_asking: false,
    };
    let mut next = question.clone();
    let (mut wrong, mut rounds) = (0, 0);
    while wrong < terms.attempts {
        let spent = before.and(course.spent);
        if let Some(objection) = terms.allowance.objection(&spent) {
            course.made = Err(objection);
            break;
        }
        let Some(left) = terms.time_left(&spent) else {
            course.made = Err("the time that the request allows is used up".to_owned());
            break;
        };
        next.timeout = left;
        // Only what is written first may begin early: later answers repeat it.
        let asked = Instant::now();
        let answer = if course.attempts.is_empty() {
            model.stream(next, on_piece).await
        } else {
            model.complete(next).await
        };
        course.spent.seconds += asked.elapsed().as_secs_f64();
        match course.weigh(answer, &question, judge) {
            Weighed::Done => break,
            Weighed::Again(again) => {
                wrong += 1;
                next = again;
            }
            Weighed::More { said, more } => {
                rounds += 1;
                let more = if rounds > ROUNDS {
                    wrong += 1;
                    correction::OUT_OF_SEARCHES.to_owned()
                } else {
                    more
                };
                // What was found stays known in later attempts.
                question = question.follow_up(start(&said), more);
                next = question.clone();
            }
        }
    }
    course
}

/// What follows from one answer.
enum Weighed {
    Done,
    Again(Ask),
    More { said: String, more: String },
}

impl<T> Course<T> {
    fn weigh(
        &mut self,
        answer: Result<Reply, ModelFailure>,
        question: &Ask,
        judge: &mut (dyn FnMut(&Reply) -> Verdict<T> + Send),
    ) -> Weighed {
        self.ends_asking = matches!(&answer, Err(failure) if failure.ends_asking());
        let reply = match &answer {
            Ok(reply) => Some(reply),
            Err(failure) => failure.reply(),
        };
        if let Some(reply) = reply {
            self.spent.add(reply);
        }
        let mut attempt = Attempt::of(reply, self.attempts.len());
        let weighed = match answer {
            Ok(reply) => match judge(&reply) {
                Verdict::Good(made) => {
                    self.made = Ok(made);
                    Weighed::Done
                }
                Verdict::Wrong {
                    problem,
                    correction,
                } => {
                    self.made = Err(format!("its last answer cannot be used: {problem}"));
                    attempt.problem = Some(problem);
                    let again = question.clone();
                    Weighed::Again(again.follow_up(start(&reply.text), correction))
                }
                Verdict::Useless(why) => {
                    attempt.problem = Some(why.clone());
                    self.made = Err(why);
                    Weighed::Done
                }
                Verdict::More(more) => {
                    self.made = Err("it only asked for more tools".to_owned());
                    Weighed::More {
                        said: reply.text,
                        more,
                    }
                }
            },
            Err(failure) => {
                self.made = Err(failure.to_string());
                attempt.problem = Some(failure.to_string());
                if failure.worth_another_attempt() {
                    Weighed::Again(after_failure(&failure, question))
                } else {
                    Weighed::Done
                }
            }
        };
        self.attempts.push(attempt);
        weighed
    }
}

fn after_failure(failure: &ModelFailure, question: &Ask) -> Ask {
    match failure {
        ModelFailure::CutOff { reply } => {
            let said: String = reply.text.chars().take(500).collect();
            question
                .clone()
                .follow_up(start(&said), correction::of_cut_off(reply.tokens_out))
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
