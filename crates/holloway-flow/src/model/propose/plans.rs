//! How does a model propose plans? One question for all strategies. It may write plans, keep our own
//! drafts or search for tools; each plan is mended and checked, and what is wrong with some is told
//! and asked for again while the others stand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use holloway_plan::plan::Plan;
use holloway_plan::problem::Problems;
use holloway_plan::tool::{ToolId, ToolSpec, ToolTable};
use holloway_plan::validate::{NoPlans, Surroundings, validate};
use holloway_planner::drafts::Drafted;
use holloway_planner::read::request::RequestText;
use serde_json::Value;

use super::course::{Verdict, carry_out};
use super::{Exchange, MadeBy, Proposal, Terms, of_no_help};
use crate::model::drafted::{drafted, lacks};
use crate::model::early::{Setting, may_start_early};
use crate::model::parse;
use crate::model::parse::draft::Parsed;
use crate::model::prompt::correction;
use crate::model::prompt::plans::{PlanOrder, question, shown};
use crate::model::prompt::schema::schema;
use crate::model::repair::repair;
use crate::model::spend::Spent;
use crate::model::stream_steps::StepReader;
use holloway_engine::model::{Ask, Model, Reply};

/// What showing the tools of a search may take.
const FOUND_TOKENS: usize = 1_200;

/// What plans are made from.
#[derive(Clone, Copy)]
pub struct PlanTask<'a> {
    pub order: PlanOrder<'a>,
    pub request: &'a RequestText,
    /// All tools that a plan may use, the offered ones among them.
    pub table: &'a ToolTable,
    /// Whether our own drafts are made from the frame that the model's plans are compared with.
    pub same_frame: bool,
    /// Finds tools by words.
    pub search: &'a (dyn Fn(&str) -> Vec<Arc<ToolSpec>> + Sync),
}

/// What stands for a strategy.
enum Settled {
    Kept,
    Written(Box<Plan>, Vec<String>),
}

/// What is settled while answers come in.
struct Sheet<'a> {
    task: &'a PlanTask<'a>,
    offered: Vec<ToolId>,
    settled: BTreeMap<String, Settled>,
    /// Whether it was told what plans leave out; once is enough.
    told: bool,
}

/// Asks for plans, one proposal for each draft of our own. `exchange` goes on where the frame was
/// read. `on_early` is given steps that may begin at once, each as a plan of its own, while the rest
/// is still being written. Strategies without a plan keep the draft, with the reason.
pub async fn propose_plans(
    model: &dyn Model,
    exchange: Ask,
    task: &PlanTask<'_>,
    (terms, before): (&Terms, Spent),
    on_early: &mut (dyn FnMut(Plan) + Send),
) -> Exchange<Vec<Proposal<Drafted>>> {
    let mut reader = StepReader::default();
    let setting = Setting {
        allowed: terms.early_start,
        request: task.request,
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
    let mut sheet = Sheet {
        task,
        offered: task
            .order
            .tools
            .iter()
            .map(|tool| tool.id.clone())
            .collect(),
        settled: BTreeMap::new(),
        told: false,
    };
    let mut judge = |reply: &Reply| sheet.judge(&reply.text);
    let course = carry_out(model, exchange, (terms, before), &mut judge, &mut on_piece).await;
    let why = course.made.err().unwrap_or_default();
    let proposals = task.order.drafts.iter();
    let proposals = proposals.map(|own| sheet.proposal(own, model.name(), &why));
    Exchange {
        value: proposals.collect(),
        attempts: course.attempts,
        spent: course.spent,
        ends_asking: course.ends_asking,
    }
}

/// The exchange up to the question for plans: behind the answer that was taken, or with the
/// request told again.
pub fn ask_on(said: Option<(Ask, String)>, about: &str, order: &PlanOrder<'_>) -> Ask {
    match said {
        Some((asked, answer)) => asked.follow_up(answer, question(order)),
        None => Ask::new(
            crate::model::prompt::system(),
            format!("{about}\n{}", question(order)),
        )
        .with_schema(schema()),
    }
}

impl Sheet<'_> {
    fn judge(&mut self, answer: &str) -> Verdict<()> {
        let order = &self.task.order;
        let names: Vec<&str> = order
            .strategies
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        let read = match parse::answer::read(answer, &names) {
            Ok(read) => read,
            // Every plan stands already.
            Err(_) if self.told && names.iter().all(|name| self.settled.contains_key(*name)) => {
                return Verdict::Good(());
            }
            Err(why) => return Verdict::unreadable(why),
        };
        for name in &read.keep {
            if self.has_draft(name) {
                self.settled.insert(name.clone(), Settled::Kept);
            }
        }
        let mut wrong = Vec::new();
        for (of, plan) in read.plans {
            match self.written(plan) {
                Ok((plan, notes)) => {
                    for name in of {
                        if !self.has_better(&name, &plan) {
                            let written = Settled::Written(Box::new(plan.clone()), notes.clone());
                            self.settled.insert(name, written);
                        }
                    }
                }
                Err(problems) => wrong.push((of.join(", "), problems)),
            }
        }
        let open: Vec<&str> = names
            .into_iter()
            .filter(|name| !self.settled.contains_key(*name))
            .collect();
        match (open.is_empty(), wrong.is_empty()) {
            (true, _) => self.short().unwrap_or(Verdict::Good(())),
            (false, true) if !read.search.is_empty() => Verdict::More(self.found(&read.search)),
            (false, true) => Verdict::Wrong {
                problem: format!("there is no plan for {}", open.join(", ")),
                correction: correction::of_lacking(&open),
            },
            (false, false) => wrong_plans(&wrong),
        }
    }

    /// Whether the plan that stands leaves less out.
    fn has_better(&self, name: &str, plan: &Plan) -> bool {
        let frame = self.task.order.frame;
        let lacking = |plan: &Plan| lacks(plan, frame).len();
        match self.settled.get(name) {
            Some(Settled::Written(known, _)) => lacking(known) < lacking(plan),
            _ => false,
        }
    }

    /// Told once: which sound plans do not do what the goals say. They stand where nothing better comes.
    fn short(&mut self) -> Option<Verdict<()>> {
        if std::mem::replace(&mut self.told, true) {
            return None;
        }
        let mut short: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
        for (name, settled) in &self.settled {
            let Settled::Written(plan, _) = settled else {
                continue;
            };
            let lacks = lacks(plan, self.task.order.frame);
            match short.iter_mut().find(|(_, known)| *known == lacks) {
                Some((names, _)) => names.push(name),
                None if lacks.is_empty() => {}
                None => short.push((vec![name], lacks)),
            }
        }
        let first = short.first()?.1.first()?.clone();
        Some(Verdict::Wrong {
            problem: format!("a plan does not do all that is asked: {first}"),
            correction: correction::of_short(&short),
        })
    }

    fn has_draft(&self, name: &str) -> bool {
        let mut own = self.task.order.drafts.iter();
        own.any(|own| own.strategy == name && !own.draft.steps.is_empty())
    }

    /// Reads, mends and checks one plan.
    fn written(&self, plan: Value) -> Result<(Plan, Vec<String>), Problems> {
        let Parsed { draft, mut notes } =
            parse::draft::parse_value(plan).map_err(parse::draft::NoDraft::problems)?;
        let mended = repair(draft, self.task.table, &self.offered);
        notes.extend(mended.notes);
        let around = Surroundings {
            tools: self.task.table,
            plans: &NoPlans,
            context: &[],
            limits: &parse::draft::limits(),
        };
        let plan = validate(&mended.draft, &around)?;
        Ok((plan, notes))
    }

    /// What a search finds, for the model.
    fn found(&mut self, searches: &[String]) -> String {
        let mut text = String::new();
        for words in searches {
            let found = (self.task.search)(words);
            let new = found.iter().filter(|tool| !self.offered.contains(&tool.id));
            let new: Vec<Arc<ToolSpec>> = new.cloned().collect();
            let words = holloway_engine::model::fence::line(words, 80);
            if new.is_empty() {
                let _ = writeln!(text, "“{words}” finds no tool that was not shown.");
                continue;
            }
            let tools = shown(&new, FOUND_TOKENS);
            let _ = writeln!(text, "“{words}” finds:\n{tools}");
            self.offered.extend(new.iter().map(|tool| tool.id.clone()));
        }
        text.push_str("Answer the second question now, or search once more.");
        text
    }

    /// What a plan leaves out that our own draft does not.
    fn inferior(&self, own: &Drafted) -> Option<String> {
        let whole = own.missing.is_empty() && own.open_inputs.is_empty();
        if !self.task.same_frame || !whole || own.draft.steps.is_empty() {
            return None;
        }
        match self.settled.get(&own.strategy)? {
            Settled::Written(plan, _) => lacks(plan, self.task.order.frame).into_iter().next(),
            Settled::Kept => None,
        }
    }

    fn proposal(&self, own: &Drafted, model: &str, why: &str) -> Proposal<Drafted> {
        let name = model.to_owned();
        if let Some(first) = self.inferior(own) {
            let why = format!("its plan does not do all that is asked: {first}");
            return Proposal {
                value: own.clone(),
                made_by: of_no_help(model, &why),
                notes: Vec::new(),
            };
        }
        match self.settled.get(&own.strategy) {
            Some(Settled::Written(plan, notes)) => Proposal {
                value: drafted(plan, &own.strategy, self.task.order.frame, model),
                made_by: MadeBy::Model { name },
                notes: notes.clone(),
            },
            Some(Settled::Kept) => Proposal {
                value: own.clone(),
                made_by: MadeBy::Kept { name },
                notes: Vec::new(),
            },
            None => Proposal {
                value: own.clone(),
                made_by: of_no_help(model, why),
                notes: Vec::new(),
            },
        }
    }
}

fn wrong_plans(wrong: &[(String, Problems)]) -> Verdict<()> {
    let count: usize = wrong
        .iter()
        .map(|(_, problems)| problems.iter().count())
        .sum();
    let first = wrong
        .iter()
        .find_map(|(_, problems)| problems.iter().next());
    let first = first.map(ToString::to_string).unwrap_or_default();
    let more = if count > 1 {
        format!(" (and {} more)", count - 1)
    } else {
        String::new()
    };
    Verdict::Wrong {
        correction: correction::of_plans(wrong),
        problem: format!("{first}{more}"),
    }
}
