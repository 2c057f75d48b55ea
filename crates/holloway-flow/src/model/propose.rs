//! How does a model's proposal become one of ours? It is asked, its answer is read, mended
//! and checked; what is wrong is told to it, a few times; then the embedded planner takes
//! over and says why. The model proposes, the planner disposes.

use std::time::Duration;

use holloway_plan::plan::Plan;
use holloway_plan::tool::{ToolId, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::generate::Drafted;
use holloway_planner::request::Analysis;
use serde::Serialize;

use super::agree::{Agreed, agree};
use super::ask::{self, Ask};
use super::drafted::drafted;
use super::early::{Setting, may_start_early};
use super::parse;
use super::parse::draft::{NoDraft, Parsed};
use super::prompt::draft::Order;
use super::prompt::{self, correction};
use super::repair::repair;
use super::spend::{Allowance, Spent};
use super::stream_steps::StepReader;
use super::{Model, ModelFailure, OnPiece};

/// Under which terms a model is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    pub attempts: u32,
    pub temperature: f64,
    /// Of one answer.
    pub max_tokens: u32,
    /// For one answer.
    pub timeout: Duration,
    /// For all attempts together.
    pub allowance: Allowance,
    /// Whether first steps may begin while the plan is still being written.
    pub early_start: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            attempts: 3,
            temperature: ask::TEMPERATURE,
            max_tokens: ask::MAX_TOKENS,
            timeout: ask::TIMEOUT,
            allowance: Allowance::default(),
            early_start: false,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal<T> {
    pub value: T,
    pub made_by: MadeBy,
    /// What happened to each answer, in order.
    pub attempts: Vec<Attempt>,
    /// What was changed in what the model said.
    pub notes: Vec<String>,
    pub spent: Spent,
}

/// Who made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeBy {
    Model {
        name: String,
    },
    /// The rules, since the model gave nothing of use.
    Embedded {
        reason: String,
    },
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    pub number: u32,
    /// `None` when it could be used.
    pub problem: Option<String>,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// US dollars.
    pub money: f64,
}

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    pub order: Order<'a>,
    /// All tools that a plan may use, the offered ones among them.
    pub table: &'a ToolTable,
}

/// Asks for an analysis; that of the rules is the measure and the fallback.
pub async fn propose_analysis(
    model: &dyn Model,
    rules: &Analysis,
    terms: &Terms,
) -> Proposal<Analysis> {
    let question = prompt::analysis::ask(&rules.request);
    let judge = |answer: &str| match parse::analysis::parse(answer) {
        Ok(said) => Ok(agree(rules, said)),
        Err(why) => Err(Wrong {
            correction: correction::of_unreadable(&why),
            problem: why,
        }),
    };
    let course = carry_out(model, question, terms, &judge, &mut |_| {}).await;
    course.proposal(
        model,
        |agreed: Agreed| (agreed.analysis, agreed.notes),
        || rules.clone(),
    )
}

/// Asks for a plan. `on_early` is given steps that may begin at once, each as a plan of
/// its own, while the rest is still being written. `embedded` makes the plan otherwise.
pub async fn propose_draft(
    model: &dyn Model,
    task: &Task<'_>,
    terms: &Terms,
    on_early: &mut (dyn FnMut(Plan) + Send),
    embedded: impl FnOnce() -> Drafted + Send,
) -> Proposal<Drafted> {
    let judge = |answer: &str| judge_draft(answer, task);
    let mut reader = StepReader::default();
    let setting = Setting {
        allowed: terms.early_start,
        request: &task.order.analysis.request,
        tools: task.table,
    };
    let mut on_piece = |piece: &str| {
        if setting.allowed {
            let steps = reader
                .feed(piece)
                .into_iter()
                .filter_map(parse::draft::step_of);
            steps
                .filter_map(|step| may_start_early(&step, &setting).ok())
                .for_each(&mut *on_early);
        }
    };
    let course = carry_out(
        model,
        prompt::draft::ask(&task.order),
        terms,
        &judge,
        &mut on_piece,
    )
    .await;
    let Order {
        analysis, strategy, ..
    } = task.order;
    let made = |(plan, notes): (Plan, Vec<String>)| {
        (
            drafted(&plan, &strategy.name, analysis, task.table, model.name()),
            notes,
        )
    };
    course.proposal(model, made, embedded)
}

/// Why an answer cannot be used: for people, and for whoever gave it.
struct Wrong {
    problem: String,
    correction: String,
}

/// Reads, mends and checks an answer.
fn judge_draft(answer: &str, task: &Task<'_>) -> Result<(Plan, Vec<String>), Wrong> {
    let Parsed { draft, mut notes } = parse::draft::parse(answer).map_err(|no| match no {
        NoDraft::NotJson(why) => Wrong {
            correction: correction::of_unreadable(&why),
            problem: ModelFailure::NotJson(why).to_string(),
        },
        NoDraft::NotAPlan(problems) => wrong_plan(&problems),
    })?;
    let offered: Vec<ToolId> = task
        .order
        .tools
        .iter()
        .map(|tool| tool.id.clone())
        .collect();
    let mended = repair(draft, task.table, &offered);
    notes.extend(mended.notes);
    let around = Surroundings {
        tools: task.table,
        plans: &NoPlans,
        context: &[],
        limits: &parse::draft::limits(),
    };
    match validate(&mended.draft, &around) {
        Ok(plan) => Ok((plan, notes)),
        Err(problems) => Err(wrong_plan(&problems)),
    }
}

fn wrong_plan(problems: &holloway_plan::problem::Problems) -> Wrong {
    let count = problems.iter().count();
    let first = problems
        .iter()
        .next()
        .map(ToString::to_string)
        .unwrap_or_default();
    let more = if count > 1 {
        format!(" (and {} more)", count - 1)
    } else {
        String::new()
    };
    Wrong {
        correction: correction::of_problems(problems),
        problem: format!("{first}{more}"),
    }
}

/// All attempts of one question.
struct Course<T> {
    made: Result<T, String>,
    attempts: Vec<Attempt>,
    spent: Spent,
}

impl<T> Course<T> {
    fn proposal<V>(
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
        }
    }
}

async fn carry_out<T>(
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
    answer: Result<super::Reply, ModelFailure>,
    question: &Ask,
    number: u32,
    judge: &(dyn Fn(&str) -> Result<T, Wrong> + Sync),
    course: &mut Course<T>,
) -> Step<T> {
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

#[cfg(test)]
mod tests;
