//! How do drafts become cards? Checked, estimated, with what they lack and the skills they need.

use holloway_plan::plan::Plan;
use holloway_planner::card::{Making, cards};
use holloway_planner::drafts::Missing;

use super::{EMBEDDED, Heard, Made, Planned, Planner};
use crate::model::spend::Spent;
use crate::skills::infer::tools_of;

impl Planner {
    /// Drafts become cards: checked, estimated, with the skills their tools are at home in.
    pub(super) fn shown(
        &self,
        heard: Heard,
        mut made: Vec<Made>,
        spent: Spent,
        mut notes: Vec<String>,
    ) -> Planned {
        for made in &mut made {
            self.name_packages(&mut made.drafted.missing);
        }
        let missing = if made.is_empty() && !heard.needs_no_plan() {
            self.lacking(&heard.others)
        } else {
            all_missing(made.iter().map(|made| made.drafted.missing.as_slice()))
        };
        let makers: Vec<(String, String)> = made
            .iter()
            .map(|made| (made.drafted.strategy.clone(), made.by.clone()))
            .collect();
        let skills = |plan: &Plan| self.skills_of(plan);
        let making = Making {
            catalogue: &self.catalogue,
            constraints: &heard.understood.frame.constraints,
            limits: &self.limits,
            skills: &skills,
            made_by: EMBEDDED,
        };
        let mut shown = cards(made.into_iter().map(|made| made.drafted), &making);
        for card in &mut shown.cards {
            let maker = makers
                .iter()
                .find(|(strategy, _)| *strategy == card.strategy);
            if let Some((_, by)) = maker {
                card.made_by.clone_from(by);
            }
        }
        for refused in &shown.refused {
            notes.push(format!(
                "the {} plan was not sound and is left out: {}",
                refused.strategy, refused.problems
            ));
        }
        Planned {
            cards: shown.cards,
            same: shown.same,
            missing,
            spent,
            notes,
            understood: heard.understood,
            near: Vec::new(),
        }
    }

    fn skills_of(&self, plan: &Plan) -> Vec<String> {
        let tools = tools_of(plan);
        let needed = self.skills.skills_of_plan(tools.iter().map(|tool| &**tool));
        needed.into_iter().map(|needed| needed.skill).collect()
    }
}

/// Each capability once, whichever plans lack it.
fn all_missing<'a>(plans: impl Iterator<Item = &'a [Missing]>) -> Vec<Missing> {
    let mut all: Vec<Missing> = Vec::new();
    for missing in plans.flatten() {
        if !all
            .iter()
            .any(|known| known.capability == missing.capability)
        {
            all.push(missing.clone());
        }
    }
    all
}
