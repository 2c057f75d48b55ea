//! How does a model's proposal become one of ours? It is asked, its answer is read, mended
//! and checked; what is wrong is told to it, a few times; then the embedded planner takes
//! over and says why. The model proposes, the planner disposes.

mod course;

use std::sync::Mutex;
use std::time::Duration;

use holloway_plan::plan::Plan;
use holloway_plan::tool::{ToolId, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::drafts::Drafted;
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::Understood;
use holloway_planner::read::model::understood;
use serde::Serialize;

use super::ask;
use super::drafted::drafted;
use super::early::{Setting, may_start_early};
use super::parse;
use super::parse::draft::{NoDraft, Parsed};
use super::prompt::draft::DraftOrder;
use super::prompt::{self, correction};
use super::repair::repair;
use super::spend::{Allowance, Spent};
use super::stream_steps::StepReader;
use super::{Model, ModelFailure};
use course::{Wrong, carry_out};

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
    /// Whether asking the same model anything else makes no sense.
    pub ends_asking: bool,
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
    pub order: DraftOrder<'a>,
    /// All tools that a plan may use, the offered ones among them.
    pub table: &'a ToolTable,
}

/// Asks for the frame of a request; that of the embedded reader is the fallback. An answer that
/// does not fit is told and asked again; the last one stands, with what is against it.
pub async fn propose_frame(
    model: &dyn Model,
    request: &str,
    scene: &Scene,
    terms: &Terms,
    embedded: impl FnOnce() -> Understood + Send,
) -> Proposal<Understood> {
    let question = prompt::frame::ask(request, scene);
    let last: Mutex<Option<Understood>> = Mutex::new(None);
    let judge = |answer: &str| {
        let found = judge_frame(answer, request, scene)?;
        let problems: Vec<String> = found.troubles.iter().filter_map(unfit).collect();
        if problems.is_empty() {
            return Ok(found);
        }
        if let Ok(mut last) = last.lock() {
            *last = Some(found);
        }
        Err(Wrong {
            correction: correction::of_troubles(&problems),
            problem: problems.join("; "),
        })
    };
    let mut course = carry_out(model, question, terms, &judge, &mut |_| {}).await;
    if let Some(found) = last.into_inner().ok().flatten() {
        course.settle_for(found);
    }
    course.proposal(model, |found: Understood| (found, Vec::new()), embedded)
}

fn judge_frame(answer: &str, request: &str, scene: &Scene) -> Result<Understood, Wrong> {
    let wrong = |why: String| Wrong {
        correction: correction::of_unreadable(&why),
        problem: why,
    };
    let value = parse::find_json::find(answer).map_err(wrong)?;
    understood(&value, request, scene).map_err(wrong)
}

/// What whoever answered can mend: an open question is for the user.
fn unfit(trouble: &Trouble) -> Option<String> {
    match trouble {
        Trouble::Unfit { about } => Some(about.clone()),
        Trouble::Leftover { .. } | Trouble::Open { .. } => None,
    }
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
        request: task.order.request,
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
    let DraftOrder {
        frame, strategy, ..
    } = task.order;
    let made = |(plan, notes): (Plan, Vec<String>)| {
        (drafted(&plan, &strategy.name, frame, model.name()), notes)
    };
    course.proposal(model, made, embedded)
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

#[cfg(test)]
mod tests;
