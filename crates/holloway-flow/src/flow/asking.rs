//! What is asked of a model, and when? First the frame of the request, then plans for all strategies in
//! the same exchange. Everything it says is checked like our own; where it gives nothing of use, the
//! embedded planner's drafts stand, and the notes say why.

mod aside;

use std::borrow::Cow;
use std::sync::Arc;

use holloway_plan::plan::Plan;
use holloway_plan::tool::{Effect, Lookup, ToolSpec};
use holloway_planner::drafts::{self, Drafted};
use holloway_planner::frame::Frame;
use holloway_planner::frame::acts::Acts;
use holloway_planner::frame::constraints::Constraints;
use holloway_planner::read::choose::Understood;
use holloway_planner::read::other::of_goals;
use holloway_planner::read::request::RequestText;

use super::{EMBEDDED, Heard, Made, Planned, Planner, reasons};
use crate::discover::FOR_PLANNING;
use crate::model::prompt;
use crate::model::prompt::plans::PlanOrder;
use crate::model::prompt::scene::without_tables;
use crate::model::propose::frame::{FrameProposal, propose_frame};
use crate::model::propose::plans::{PlanTask, ask_on, propose_plans};
use crate::model::propose::{MadeBy, Proposal, Terms};
use crate::model::repair::unasked::{self, Around};
use crate::model::spend::Spent;
use crate::model::told::Telling;
use aside::{set_aside, without_reading};
use holloway_engine::model::Model;

/// Tools that are looked for with the words of one goal.
const FOR_GOAL: usize = 5;
/// Tools that one search of a model finds.
const FOR_SEARCH: usize = 6;
/// Tools that a model is shown at first.
const SHOWN: usize = 30;
/// What showing the tools to a model may take.
const TOOL_TOKENS: usize = 1_500;
/// What skills may say to a model.
const SKILL_TOKENS: usize = 300;
/// Said where the model is left out.
const NOT_ASKED: &str =
    "the model was not asked: every word of the request is accounted for, and the plan only reads";

/// When a model is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelUse {
    Always,
    /// Unless the embedded reader accounts for every word and the plan only reads.
    #[default]
    Auto,
}

/// A request that a model has read, and the exchange so far.
struct Read {
    heard: Heard,
    by_model: bool,
    said: Option<(holloway_engine::model::Ask, String)>,
    spent: Spent,
}

impl Planner {
    /// Plans with a model.
    pub async fn plan_with(
        &self,
        request: &str,
        (model, when): (&dyn Model, ModelUse),
        terms: &Terms,
        on_early: &(dyn Fn(Plan) + Sync),
    ) -> Planned {
        let request = &RequestText::new(request);
        let own = self.heard(request);
        if when == ModelUse::Auto && self.is_certain(&own, request) {
            let (own, made) = self.own(own, request);
            let notes = vec![NOT_ASKED.to_owned()];
            return self.shown(own, made, Spent::default(), notes);
        }
        let mut telling = Telling::default();
        let limits = own.understood.frame.constraints;
        let terms = &terms.within(&limits);
        let exchange = propose_frame(model, request, &self.scene, terms, &own.understood).await;
        telling.request(&exchange.value.proposal, exchange.ends_asking);
        let FrameProposal {
            proposal,
            said,
            unread,
        } = exchange.value;
        let by_model = matches!(proposal.made_by, MadeBy::Model { .. });
        let mut read = Read {
            heard: if by_model {
                of_model(proposal.value)
            } else {
                own.clone()
            },
            by_model,
            said,
            spent: exchange.spent,
        };
        // Without a model that answers, or with a reading that cannot be used, our own stands.
        let aside = by_model.then(|| set_aside(&read.heard, &own, exchange.ends_asking, terms));
        let aside = aside
            .flatten()
            .or_else(|| without_reading(&mut read.heard, &own, &unread));
        let aside = aside.map(|why| format!("{} {why}", model.name()));
        if aside.is_some() || !by_model && (exchange.ends_asking || terms.small) {
            if let Some(why) = &aside {
                telling.set_aside(why);
            }
            let (own, made) = self.own(own, request);
            let made = within(made, &limits, &read.spent);
            let planned = self.shown(own, made, read.spent, telling.told());
            return planned.with_reasons(self);
        }
        let refused = by_model && read.heard.understood.frame.goals.is_empty();
        if refused || read.heard.needs_no_plan() {
            let planned = self.shown(read.heard, Vec::new(), read.spent, telling.told());
            return planned.with_reasons(self);
        }
        if terms.small {
            let (made, notes) = self.of_small(request, &own, &read, model);
            let told = telling.told().into_iter().chain(notes).collect();
            let made = within(made, &both(&limits, &read.heard), &read.spent);
            let planned = self.shown(read.heard, made, read.spent, told);
            return planned.with_reasons(self);
        }
        let (made, spent) = self
            .proposed(request, &own, &read, (model, terms), &mut telling, on_early)
            .await;
        if made.is_empty() && own.is_sound() && !own.understood.frame.goals.is_empty() {
            let (own, ours) = self.own(own, request);
            let ours = within(ours, &limits, &spent);
            if !ours.is_empty() {
                telling.set_aside(&format!("no plan was found for what {} read", model.name()));
                let planned = self.shown(own, ours, spent, telling.told());
                return planned.with_reasons(self);
            }
        }
        let mut notes = telling.told();
        let against = read.heard.understood.troubles.iter().flat_map(reasons);
        notes.extend(against.map(|one| format!("the request: {}", one.told())));
        self.shown(read.heard, made, spent, notes)
            .with_reasons(self)
    }

    /// Plans that the embedded planner makes from what a small model read.
    fn of_small(
        &self,
        request: &RequestText,
        own: &Heard,
        read: &Read,
        model: &dyn Model,
    ) -> (Vec<Made>, Vec<String>) {
        let around = Around {
            table: self.catalogue.table(),
            scene: &self.scene,
            request: &own.understood.frame,
            understood: own.is_sound(),
        };
        let mut notes = Vec::new();
        let drafts = self.own_drafts(&read.heard, request).into_iter();
        let made = drafts.map(|mut drafted| {
            for note in unasked::ask_first(&mut drafted.draft, &around) {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            Made {
                drafted,
                by: format!("{EMBEDDED}, request read by {}", model.name()),
            }
        });
        (made.collect(), notes)
    }

    /// Whether a model could add nothing: every word is accounted for, nothing was taken for granted,
    /// and every step of a complete plan only reads.
    fn is_certain(&self, heard: &Heard, request: &RequestText) -> bool {
        let frame = &heard.understood.frame;
        let accounted = heard.is_sound() && frame.leftover.is_empty() && frame.notes.is_empty();
        if !accounted || frame.goals.is_empty() {
            return false;
        }
        let drafts = self.own_drafts(heard, request);
        let complete = |drafted: &Drafted| {
            drafted.missing.is_empty()
                && drafted.open_inputs.is_empty()
                && drafted.unused.is_empty()
                && drafted.inferred.is_empty()
        };
        let tools = self.tools_of(&drafts);
        !drafts.is_empty()
            && drafts.iter().all(complete)
            && tools.iter().all(|tool| tool.effect == Effect::Read)
    }

    /// One draft for each strategy: the model's, or our own.
    async fn proposed(
        &self,
        request: &RequestText,
        own: &Heard,
        read: &Read,
        (model, terms): (&dyn Model, &Terms),
        telling: &mut Telling,
        on_early: &(dyn Fn(Plan) + Sync),
    ) -> (Vec<Made>, Spent) {
        // Our own drafts are made from what holds together.
        let ground = if read.heard.is_sound() {
            &read.heard
        } else {
            own
        };
        let drafts = self.for_each_strategy(self.own_drafts(ground, request));
        let frame = &read.heard.understood.frame;
        let tools = self.offered(request, frame, &drafts);
        let order = PlanOrder {
            frame,
            strategies: &self.settings.strategies,
            tools: &tools,
            drafts: &drafts,
            context: &self.knowledge(&drafts),
            tool_tokens: TOOL_TOKENS,
            share_tables: terms.share_tables,
        };
        let search = |words: &str| self.found(words, FOR_SEARCH);
        let task = PlanTask {
            order,
            request,
            table: self.catalogue.table(),
            same_frame: read.heard.is_sound(),
            search: &search,
        };
        let scene = if terms.share_tables {
            Cow::Borrowed(&self.scene)
        } else {
            Cow::Owned(without_tables(&self.scene))
        };
        let about = prompt::frame::about(request, &scene);
        let ask = ask_on(read.said.clone(), &about, &order);
        let limits = both(&own.understood.frame.constraints, &read.heard);
        let terms = terms.within(&limits);
        let mut on_early = |plan| on_early(plan);
        let exchange = propose_plans(model, ask, &task, (&terms, read.spent), &mut on_early).await;
        let spent = read.spent.and(exchange.spent);
        let mut made = Vec::new();
        for mut proposal in exchange.value {
            if proposal.value.draft.steps.is_empty() {
                telling.plan(&proposal.value.strategy, &proposal);
                continue;
            }
            if read.by_model || matches!(proposal.made_by, MadeBy::Model { .. }) {
                let around = Around {
                    table: self.catalogue.table(),
                    scene: &self.scene,
                    request: &own.understood.frame,
                    understood: own.is_sound(),
                };
                let notes = unasked::ask_first(&mut proposal.value.draft, &around);
                proposal.notes.extend(notes);
            }
            telling.plan(&proposal.value.strategy, &proposal);
            made.push(of_proposal(proposal, model.name(), read.by_model));
        }
        (within(made, &limits, &spent), spent)
    }

    /// Where our own planner has nothing for a strategy, the model is asked all the same.
    fn for_each_strategy(&self, mut drafts: Vec<Drafted>) -> Vec<Drafted> {
        for strategy in &self.settings.strategies {
            if !drafts.iter().any(|own| own.strategy == strategy.name) {
                drafts.push(Drafted::none(&strategy.name));
            }
        }
        drafts
    }

    /// The tools a model is shown: those of our own drafts, those found by the request, and those
    /// found by the words and the act of each goal.
    fn offered(&self, request: &RequestText, frame: &Frame, own: &[Drafted]) -> Vec<Arc<ToolSpec>> {
        let mut offered = self.tools_of(own);
        let mut add = |text: &str, most: usize| {
            for tool in self.found(text, most) {
                if !offered.iter().any(|known| known.id == tool.id) {
                    offered.push(tool);
                }
            }
        };
        for goal in &frame.goals {
            add(&goal.text, FOR_GOAL);
            if let Some(act) = Acts::table().act(&goal.act) {
                add(&act.about, FOR_GOAL);
            }
        }
        add(request.open_words(), FOR_PLANNING);
        offered.truncate(SHOWN.max(own.first().map_or(0, |own| own.steps.len())));
        offered
    }

    fn found(&self, words: &str, most: usize) -> Vec<Arc<ToolSpec>> {
        let places = self.catalogue.index().search(words, most).into_iter();
        places
            .filter_map(|place| self.catalogue.tool(place).cloned())
            .collect()
    }

    /// The tools of drafts, each once.
    fn tools_of(&self, drafts: &[Drafted]) -> Vec<Arc<ToolSpec>> {
        let mut tools: Vec<Arc<ToolSpec>> = Vec::new();
        let notes = drafts.iter().flat_map(|draft| &draft.steps);
        for note in notes {
            if let Lookup::Found(tool) = self.catalogue.table().find(&note.tool)
                && !tools.iter().any(|known| known.id == tool.id)
            {
                tools.push(tool);
            }
        }
        tools
    }

    /// What skills say about the tools of our own drafts: a model will want much the same
    /// ones. Each section once.
    fn knowledge(&self, own: &[Drafted]) -> String {
        let tools = self.tools_of(own);
        let needed = self.skills.skills_of_plan(tools.iter().map(|tool| &**tool));
        let mut left = SKILL_TOKENS;
        let mut sections: Vec<String> = Vec::new();
        for tool in &tools {
            for loaded in self.skills.sections_for(tool, &needed, left) {
                let text = loaded.section.markdown();
                if !sections.contains(&text) {
                    left = left.saturating_sub(loaded.section.tokens());
                    sections.push(text);
                }
            }
        }
        sections.join("\n\n")
    }
}

/// What the request limits, by both readers.
fn both(own: &Constraints, read: &Heard) -> Constraints {
    let mut limits = read.understood.frame.constraints;
    limits.tighten(own);
    limits
}

/// Plans keep what planning leaves of the limits.
fn within(mut made: Vec<Made>, limits: &Constraints, spent: &Spent) -> Vec<Made> {
    for made in &mut made {
        drafts::keep_limits(&mut made.drafted.draft, &spent.left_of(limits));
    }
    made
}

/// What a model read: tools of others are looked for by its goals.
fn of_model(understood: Understood) -> Heard {
    Heard {
        others: of_goals(&understood.frame.goals),
        understood,
    }
}

/// A draft and who made it.
fn of_proposal(proposal: Proposal<Drafted>, model: &str, read_by_model: bool) -> Made {
    let mut drafted = proposal.value;
    let by = match proposal.made_by {
        MadeBy::Model { name } => {
            // Models call different plans the same: the card's digest names it.
            drafted.draft.id = None;
            name
        }
        MadeBy::Kept { .. } | MadeBy::Embedded { .. } if read_by_model => {
            format!("{EMBEDDED}, request read by {model}")
        }
        MadeBy::Kept { .. } | MadeBy::Embedded { .. } => EMBEDDED.to_owned(),
    };
    Made { drafted, by }
}
