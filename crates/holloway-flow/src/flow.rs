//! How does a request become plans to choose from? The whole journey up to the choice,
//! one stage after the other; each stage is a file of its own. Read this file first.

pub mod asking;
mod both;
pub mod near;
mod others;
mod own;
mod packages;
mod shown;
pub mod tasks;

use holloway_plan::draft::Draft;
use holloway_plan::limits::Limits;
use holloway_plan::step::MODEL_SOURCE;
use holloway_plan::tool::ToolSpec;
use holloway_planner::bind::PastArguments;
use holloway_planner::card::{Card, Same};
use holloway_planner::catalogue::Catalogue;
use holloway_planner::drafts::{Drafted, Lack, Missing};
use holloway_planner::frame::Frame;
use holloway_planner::frame::scene::Scene;
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::Understood;
use holloway_planner::read::request::RequestText;
use holloway_planner::recall::{PastRun, Recall, Refitted};
use holloway_planner::settings::GenerateSettings;

use holloway_search::entry::Entry;
use holloway_search::rank::Repute;

use crate::catalog::CatalogTool;
use crate::catalog::known::Known;
use crate::discover::{entry_of, repute_of};
use crate::model::spend::Spent;
use crate::skills::Skills;
use near::Near;
use others::{Others, recall_over};

/// How many orders of tools are looked at.
const SEQUENCES: usize = 12;
/// The source of our own tools.
const BUILTIN: &str = "builtin";
/// Who makes plans where no model is asked.
pub const EMBEDDED: &str = "embedded planner";

/// All that planning needs, ready for one request after the other.
pub struct Planner {
    catalogue: Catalogue,
    recall: Recall,
    /// The tools of other people, where there are any.
    others: Option<Others>,
    past: PastArguments,
    skills: Skills,
    known: Vec<Known>,
    settings: GenerateSettings,
    limits: Limits,
    scene: Scene,
    /// Somebody looked what is there.
    has_looked: bool,
    answers: Vec<String>,
    /// Plans that wait for input; those of one's own first.
    templates: Vec<Draft>,
    /// The plan of an earlier run that the request goes on with.
    after: Option<Draft>,
}

/// What a request led to.
#[derive(Debug)]
pub struct Planned {
    /// Nothing when no plan is needed, or none can be made.
    pub cards: Vec<Card>,
    /// Strategies that came out like another one, each with the one that stands for it.
    pub same: Vec<Same>,
    /// What no tool at hand does, over all plans.
    pub missing: Vec<Missing>,
    /// What the model cost, and what was done about what it said.
    pub spent: Spent,
    pub notes: Vec<String>,
    /// What the request was read as, by a model or the embedded reader.
    pub understood: Understood,
    /// Templates and tools that come near to a request without plans.
    pub near: Vec<Near>,
}

/// A request behind its reader: nobody after it sees the words.
#[derive(Clone, Debug, Default)]
struct Heard {
    understood: Understood,
    /// The same as goals outside the table of acts, for tools that do not say what they do.
    others: Frame,
}

impl Heard {
    /// Whether every part of it holds together.
    fn is_sound(&self) -> bool {
        self.understood.troubles.is_empty()
    }

    fn needs_no_plan(&self) -> bool {
        self.understood.frame.no_plan.is_some()
    }
}

impl Planned {
    /// What the reader says of a request without plans: which words are left over, what does
    /// not fit.
    fn with_reasons(mut self, planner: &Planner) -> Self {
        if self.cards.is_empty() && open_question(&self.understood).is_none() {
            self.near = planner.near(&self.understood);
            let said = self.understood.troubles.iter().flat_map(reasons);
            let said: Vec<Missing> = said.collect();
            if !said.is_empty() {
                self.missing = said;
            }
        }
        self
    }

    /// The one thing that is open, where nothing else stands in the way.
    pub fn question(&self) -> Option<&Trouble> {
        if self.cards.is_empty() {
            open_question(&self.understood)
        } else {
            None
        }
    }
}

fn open_question(understood: &Understood) -> Option<&Trouble> {
    let is_open = |trouble: &Trouble| matches!(trouble, Trouble::Open { .. });
    let troubles = &understood.troubles;
    troubles.first().filter(|_| troubles.iter().all(is_open))
}

/// Why a request is not planned, for people.
fn reasons(trouble: &Trouble) -> Vec<Missing> {
    match trouble {
        Trouble::Leftover { words } => words
            .iter()
            .map(|words| Missing::new(words, Lack::Words))
            .collect(),
        Trouble::Open { about, .. } | Trouble::Unfit { about } => {
            vec![Missing::new(about, Lack::Unfit)]
        }
    }
}

/// A draft and who made it.
struct Made {
    drafted: Drafted,
    by: String,
}

impl Planner {
    /// With the tools at hand, each with what the catalogue knows of it.
    pub fn new<'a>(
        tools: impl IntoIterator<Item = (&'a ToolSpec, Option<&'a CatalogTool>)>,
        skills: Skills,
        settings: GenerateSettings,
    ) -> Self {
        // What says nothing of what it does for planning is no tool of ours to plan with.
        let offered = |tool: &ToolSpec| tool.id.source() != MODEL_SOURCE || !tool.does.is_empty();
        let tools = tools.into_iter().filter(|(tool, _)| offered(tool));
        let tools: Vec<(ToolSpec, Entry, Repute)> = tools
            .map(|(tool, known)| (tool.clone(), entry_of(tool), repute_of(tool, known)))
            .collect();
        let others = Others::of(&tools);
        let catalogue = Catalogue::new(tools);
        Self {
            recall: recall_over(&catalogue),
            catalogue,
            others,
            past: PastArguments::default(),
            skills,
            known: Vec::new(),
            settings,
            limits: Limits::default(),
            scene: Scene::default(),
            has_looked: false,
            answers: Vec::new(),
            templates: Vec::new(),
            after: None,
        }
    }

    /// What past runs teach, the oldest first.
    pub fn learn(&mut self, runs: &[PastRun]) {
        self.recall.learn(runs);
        if let Some(others) = &mut self.others {
            others.recall.learn(runs);
        }
        for run in runs {
            self.past.remember(run);
        }
    }

    /// Weights that were fitted to runs of before; those of many more runs than are known now
    /// are not taken.
    pub fn adopt(&mut self, refitted: Refitted) {
        if refitted.runs <= 2 * self.recall.len() {
            if let Some(others) = &mut self.others {
                others.recall.adopt(refitted.clone());
            }
            self.recall.adopt(refitted);
        }
    }

    /// Whether weights of one's own would help, or other ones than those adopted.
    pub fn wants_refit(&self) -> bool {
        self.recall.wants_refit()
    }

    /// Weights fitted to what was learned; they are for the next planner.
    pub fn refit(&self) -> Option<Refitted> {
        self.recall.refit()
    }

    /// Packages that could be added where a tool is missing.
    pub fn with_known(mut self, known: Vec<Known>) -> Self {
        self.known = known;
        self
    }

    /// Plans that wait for input, for requests that they serve; those of one's own first.
    pub fn with_templates(mut self, templates: Vec<Draft>) -> Self {
        self.templates = templates;
        self
    }

    /// The next request goes on with the results of a run of this plan; the scene says with
    /// which.
    pub fn after(mut self, plan: Draft) -> Self {
        self.after = Some(plan);
        self
    }

    /// What is there where the next request is made.
    pub fn with_scene(mut self, scene: Scene) -> Self {
        self.scene = scene;
        self.has_looked = true;
        self
    }

    /// Answers to the questions that the next request raises, in their order.
    pub fn with_answers(mut self, answers: Vec<String>) -> Self {
        self.answers = answers;
        self
    }

    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The journey: request → frame → drafts → plans → cards.
    pub fn plan(&self, request: &str) -> Planned {
        let request = RequestText::new(request);
        let heard = self.heard(&request);
        let (heard, made) = self.own(heard, &request);
        let planned = self.shown(heard, made, Spent::default(), Vec::new());
        planned.with_reasons(self)
    }

    /// The request as the embedded reader understands it.
    fn heard(&self, request: &RequestText) -> Heard {
        Heard {
            understood: request.understand(&self.scene, &self.answers),
            others: request.others(),
        }
    }
}

#[cfg(test)]
mod tests;
