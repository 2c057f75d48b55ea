//! How does a model read a request? It is asked for a frame; the typed checks are those of every
//! reader. What does not fit is told and asked again; the last answer stands, with what is against it.

use std::borrow::Cow;

use holloway_planner::frame::scene::Scene;
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::Understood;
use holloway_planner::read::request::RequestText;

use super::course::{Verdict, carry_out};
use super::{Exchange, MadeBy, Proposal, Terms, of_no_help};
use crate::discreet::discreet;
use crate::model::prompt::scene::without_tables;
use crate::model::prompt::{self, correction};
use crate::model::spend::Spent;
use crate::secret_words::speaks_of_secret;
use holloway_engine::model::find_json;
use holloway_engine::model::{Ask, Model, Reply};

/// A small model that is less sure of its answer is more often wrong than right: the logarithm of
/// the probability of the whole answer.
const SURE: f64 = -4.0;
/// Tokens of a small model's answer. A frame takes far fewer; what goes on longer repeats itself.
const SMALL_ANSWER: u32 = 600;

/// A reading of a request, and how the exchange goes on.
#[derive(Clone, Debug)]
pub struct FrameProposal {
    pub proposal: Proposal<Understood>,
    /// The question and the answer that was taken, where one was.
    pub said: Option<(Ask, String)>,
    /// Files that the request speaks of: an answer without a plan has read none of them.
    pub unread: Vec<String>,
}

/// Asks for the frame of a request; that of the embedded reader is the fallback.
pub async fn propose_frame(
    model: &dyn Model,
    request: &RequestText,
    scene: &Scene,
    terms: &Terms,
    embedded: &Understood,
) -> Exchange<FrameProposal> {
    let shown = if terms.share_tables {
        Cow::Borrowed(scene)
    } else {
        Cow::Owned(without_tables(scene))
    };
    let mut question = prompt::frame::ask(request, &shown, terms.small);
    question.certainty = terms.small;
    let mut last: Option<(Understood, String)> = None;
    let mut doubt = doubt(embedded, request, scene).filter(|_| !terms.small);
    let why_accepted = doubt.as_ref().map(|doubt| doubt.note.clone());
    let files = doubt
        .as_ref()
        .map_or(&[][..], |doubt| doubt.files.as_slice());
    let files = files.to_vec();
    let mut judge = |reply: &Reply| {
        let answer = &reply.text;
        let found =
            find_json::find(answer).and_then(|value| request.understand_answer(&value, scene));
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                return Verdict::Wrong {
                    correction: correction::of_unreadable(&why),
                    problem: why,
                };
            }
        };
        match reply.certainty {
            Some(sum) if terms.small && sum < SURE => {
                return Verdict::Useless(format!("it is not sure of its reading ({sum:.1})"));
            }
            None if terms.small => {
                return Verdict::Useless(
                    "it does not tell how sure it is of its reading".to_owned(),
                );
            }
            _ => {}
        }
        if found.frame.no_plan.is_some()
            && let Some(doubt) = doubt.take()
        {
            last = Some((found, answer.clone()));
            return Verdict::Wrong {
                correction: correction::of_no_plan(&doubt.reading),
                problem: "it says that no plan is needed".to_owned(),
            };
        }
        let problems: Vec<String> = found
            .troubles
            .iter()
            .filter_map(unfit)
            .map(plainly)
            .collect();
        if problems.is_empty() {
            return Verdict::Good((found, answer.clone()));
        }
        last = Some((found, answer.clone()));
        // What does not fit names columns and values.
        let told = if terms.share_tables {
            correction::of_troubles(&problems)
        } else {
            correction::of_unreadable("it does not fit the files that are here")
        };
        Verdict::Wrong {
            correction: told,
            problem: problems.join("; "),
        }
    };
    let before = Spent::default();
    let mut terms = *terms;
    if terms.small {
        // What is likeliest is wanted: how sure the model is of it decides.
        terms.temperature = 0.0;
        terms.max_tokens = terms.max_tokens.min(SMALL_ANSWER);
        // It would say the same again.
        terms.attempts = terms.attempts.min(1);
    }
    let course = carry_out(
        model,
        question.clone(),
        (&terms, before),
        &mut judge,
        &mut |_| {},
    )
    .await;
    let made = match (course.made, last) {
        (Ok(made), _) | (Err(_), Some(made)) => Ok(made),
        (Err(why), None) => Err(why),
    };
    let value = match made {
        Ok((value, answer)) => FrameProposal {
            proposal: Proposal {
                notes: why_accepted
                    .filter(|_| value.frame.no_plan.is_some())
                    .into_iter()
                    .collect(),
                value,
                made_by: MadeBy::Model {
                    name: model.name().to_owned(),
                },
            },
            said: Some((question, answer)),
            unread: files,
        },
        Err(why) => FrameProposal {
            proposal: Proposal {
                value: embedded.clone(),
                made_by: of_no_help(model.name(), &why),
                notes: Vec::new(),
            },
            said: None,
            unread: Vec::new(),
        },
    };
    Exchange {
        value,
        attempts: course.attempts,
        spent: course.spent,
        ends_asking: course.ends_asking,
    }
}

/// Why an answer without a plan is asked about once.
struct Doubt {
    /// What our own reader made of the request.
    reading: String,
    /// Files that the request speaks of: an answer that read none of them is not taken.
    files: Vec<String>,
    /// Told where the answer is accepted all the same.
    note: String,
}

/// Whether our own reader sees something to do, or files that an answer would have to read.
fn doubt(embedded: &Understood, request: &RequestText, scene: &Scene) -> Option<Doubt> {
    let frame = &embedded.frame;
    let understood = embedded.troubles.is_empty() && frame.no_plan.is_none();
    let goals = frame.goals.iter().filter(|_| understood);
    let mut lines: Vec<String> = goals
        .map(|goal| format!("{} — “{}”", goal.act, goal.said.text))
        .collect();
    let spoken = request.files(scene);
    lines.extend(spoken.named.iter().map(|name| format!("the file {name}")));
    if lines.is_empty() && spoken.of_some {
        lines.push("files that are here".to_owned());
    }
    let read = if spoken.of_some {
        "; nothing was read, so the answer says nothing of the files that are here"
    } else {
        ""
    };
    (!lines.is_empty()).then(|| Doubt {
        reading: discreet(&lines.join("\n")).text,
        files: spoken.named,
        note: format!("the model says that no plan is needed, asked twice{read}"),
    })
}

/// Without the values of what is secret.
fn plainly(problem: String) -> String {
    if !speaks_of_secret(&problem) && discreet(&problem).taken_out == 0 {
        return problem;
    }
    let about = problem.split(';').next().unwrap_or_default();
    discreet(about).text
}

/// What whoever answered can mend: an open question is for the user.
fn unfit(trouble: &Trouble) -> Option<String> {
    match trouble {
        Trouble::Unfit { about } => Some(about.clone()),
        Trouble::Leftover { .. } | Trouble::Open { .. } => None,
    }
}
