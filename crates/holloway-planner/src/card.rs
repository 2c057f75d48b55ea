//! What does a person choose from? A checked plan with what it covers, takes and risks.

use holloway_plan::digest;
use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::plan::Plan;
use holloway_plan::problem::Problems;
use holloway_plan::step::Step;
use holloway_plan::validate::{NoPlans, Surroundings, validate};

use crate::assemble::Account;
use crate::catalogue::Catalogue;
use crate::drafts::{Coverage, Drafted, Missing, StepNote};
use crate::estimate::{Outlook, outlook};
use crate::frame::constraints::Constraints;

mod view;

pub use view::{CardSummary, CardView, StepView};

/// Hex digits of an id: enough to tell billions of plans apart.
const ID_DIGITS: usize = 12;

/// One of several plans for a request.
#[derive(Clone, Debug)]
pub struct Card {
    /// Names the plan among all ever made.
    pub id: String,
    /// The strategy it was made by: `thorough`, `quick`, `balanced`.
    pub strategy: String,
    pub plan: Plan,
    pub outlook: Outlook,
    pub steps: Vec<StepNote>,
    pub coverage: Vec<Coverage>,
    pub missing: Vec<Missing>,
    /// Which step or argument serves each part of the request.
    pub serves: Vec<Account>,
    pub open_inputs: Vec<String>,
    /// Names of the skills its tools are at home in.
    pub skills: Vec<String>,
    /// Who made it: the embedded planner, or the name of a model.
    pub made_by: String,
}

/// What cards are made with.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    pub catalogue: &'a Catalogue,
    pub constraints: &'a Constraints,
    pub limits: &'a Limits,
    /// The skills that the tools of a plan are at home in.
    pub skills: &'a dyn Fn(&Plan) -> Vec<String>,
    pub made_by: &'a str,
}

/// The cards, in the order of the drafts, and what became of the other drafts.
#[derive(Clone, Debug, Default)]
pub struct Cards {
    pub cards: Vec<Card>,
    pub same: Vec<Same>,
    pub refused: Vec<Refused>,
}

/// A draft that came out like one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Same {
    pub strategy: String,
    /// The strategy whose card stands for both.
    pub as_strategy: String,
}

/// A draft that is not sound.
#[derive(Clone, Debug)]
pub struct Refused {
    pub strategy: String,
    pub problems: Problems,
}

/// Checks drafts and makes a card of each; drafts that mean the same become one card.
pub fn cards(drafted: impl IntoIterator<Item = Drafted>, making: &Making<'_>) -> Cards {
    let mut made = Cards::default();
    let mut known: Vec<(String, String)> = Vec::new();
    for drafted in drafted {
        let meaning = meaning(&drafted.draft);
        if let Some((_, first)) = known.iter().find(|(known, _)| *known == meaning) {
            made.same.push(Same {
                strategy: drafted.strategy,
                as_strategy: first.clone(),
            });
            continue;
        }
        let strategy = drafted.strategy.clone();
        match card(drafted, making) {
            Ok(card) => {
                known.push((meaning, strategy));
                made.cards.push(card);
            }
            Err(problems) => made.refused.push(Refused { strategy, problems }),
        }
    }
    made
}

/// Checks one draft and makes a card of it.
pub fn card(mut drafted: Drafted, making: &Making<'_>) -> Result<Card, Problems> {
    let id = id_of(&drafted.draft);
    drafted.draft.id.get_or_insert_with(|| id.clone());
    let around = Surroundings {
        tools: making.catalogue.table(),
        plans: &NoPlans,
        context: &[],
        limits: making.limits,
    };
    let plan = validate(&drafted.draft, &around)?;
    let outlook = outlook(&drafted, &plan, making.catalogue, making.constraints);
    Ok(Card {
        id,
        strategy: drafted.strategy,
        skills: (making.skills)(&plan),
        plan,
        outlook,
        steps: drafted.steps,
        coverage: drafted.coverage,
        missing: drafted.missing,
        serves: drafted.serves,
        open_inputs: drafted.open_inputs,
        made_by: making.made_by.to_owned(),
    })
}

/// The id of a plan: the same draft has the same one, whatever it is called.
pub fn id_of(draft: &Draft) -> String {
    let mut nameless = draft.clone();
    nameless.id = None;
    let digest = digest::of_json(&nameless);
    format!("plan-{}", digest.get(..ID_DIGITS).unwrap_or(&digest))
}

/// What a draft does, without what it says about it.
fn meaning(draft: &Draft) -> String {
    let mut bare = draft.clone();
    bare.id = None;
    bare.objective = None;
    bare.steps.iter_mut().for_each(strip);
    digest::of_json(&bare)
}

fn strip(step: &mut Step) {
    step.purpose = None;
    step.step.as_deref_mut().into_iter().for_each(strip);
    step.reducer.as_deref_mut().into_iter().for_each(strip);
    for list in [&mut step.steps, &mut step.then, &mut step.otherwise] {
        list.iter_mut().for_each(strip);
    }
}

/// The categories of a plan's tools, in the order of their names; where no skills are at hand.
pub fn categories(plan: &Plan) -> Vec<String> {
    let tools = plan.tools().values();
    let mut found: Vec<String> = tools
        .map(|tool| tool.category.clone())
        .filter(|category| !category.is_empty())
        .collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests;
