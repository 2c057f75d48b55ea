//! How does an analysis become drafts? One strategy, one draft: which tools, in which
//! order, with what in between, and how far each thing asked for is covered.

use std::cell::RefCell;

use holloway_plan::draft::Draft;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::assemble::Account;
use crate::bind::{Binding, PastArguments};
use crate::catalogue::{Catalogue, Place};
use crate::recall::Sequence;
use crate::request::deed::Deed;
use crate::request::{Analysis, Capability, Need, Priority, named};

pub mod bounds;

mod domains;
mod settings;

mod choose;
mod companions;
mod complements;
mod conditions;
mod does;
mod fitting;

mod assembly;
mod beyond;
mod chain;
mod clause;
mod collect;
mod columns;
mod files;
pub mod given;
mod habits;
mod handles;
mod inputs;
mod named_files;
mod results;
mod said;
mod sequences;
mod sessions;
mod stated;
pub mod suit;
mod supply;
mod targets;
mod texts;
mod unheard;
mod words;

mod coverage;
mod finish;
mod mend;
mod missing;
mod order;
mod verify;
mod write;

pub use coverage::Coverage;
pub use missing::{Lack, Missing, missing};
pub use settings::{GenerateSettings, Profile, Profiles, Strategy};

use assembly::{Assembly, Ground};
use choose::Choices;
use conditions::Pipeline;
use missing::{dropped, unheeded, untouched, unused};

/// How much of a domain is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breadth {
    One,
    Some,
    All,
}

/// A strategy, ready to decide with.
#[derive(Clone, Copy, Debug)]
struct Taste {
    breadth: Breadth,
    steps: usize,
    /// What one more step costs.
    step_cost: f32,
    /// Makes what many tools could use and none needs.
    fills_optional: bool,
}

impl Taste {
    fn of(strategy: &Strategy, profiles: &Profiles) -> Self {
        let profile = profiles.of(strategy.prefers);
        let breadth = match strategy.prefers {
            Priority::Fidelity => Breadth::All,
            Priority::Balanced => Breadth::Some,
            Priority::Speed | Priority::Cost => Breadth::One,
        };
        Self {
            breadth,
            steps: strategy.steps,
            step_cost: (0.2 + profile.speed + profile.cost) as f32,
            fills_optional: breadth != Breadth::One,
        }
    }
}

pub(crate) use inputs::clip;

/// One draft for each strategy; all of them pass the checks. A request that needs no plan
/// gets none.
pub fn generate(
    analysis: &Analysis,
    catalogue: &Catalogue,
    sequences: &[Sequence],
    settings: &GenerateSettings,
) -> Vec<Drafted> {
    let nothing = PastArguments::default();
    generate_with(analysis, catalogue, sequences, &nothing, settings)
}

/// The same with what past runs gave for arguments.
pub fn generate_with(
    analysis: &Analysis,
    catalogue: &Catalogue,
    sequences: &[Sequence],
    past: &PastArguments,
    settings: &GenerateSettings,
) -> Vec<Drafted> {
    let needs_none = matches!(analysis.need, Need::Conversation | Need::Nothing);
    if needs_none || catalogue.is_empty() || !analysis.is_english() {
        return Vec::new();
    }
    let learned = learned(sequences);
    let given = (analysis, catalogue, settings);
    on_ground(given, (&learned, past), |ground| drafts(ground, sequences))
}

/// Does something with all that drafts stand on: what is given, and what was learned.
fn on_ground<T>(
    (analysis, catalogue, settings): (&Analysis, &Catalogue, &GenerateSettings),
    (learned, past): (&FxHashSet<(Place, Place)>, &PastArguments),
    work: impl FnOnce(Ground<'_>) -> T,
) -> T {
    let near = near(analysis, catalogue);
    let promises = chain::Promises::default();
    let (bound, stated) = (RefCell::default(), assembly::StatedBy::default());
    let capabilities = analysis.capabilities.iter();
    let deeds: Vec<Deed> = capabilities.map(|one| Deed::of(&one.text)).collect();
    work(Ground {
        analysis,
        catalogue,
        settings,
        learned,
        near: &near,
        promises: &promises,
        bound: &bound,
        stated: &stated,
        deeds: &deeds,
        past,
    })
}

fn drafts(ground: Ground<'_>, sequences: &[Sequence]) -> Vec<Drafted> {
    let (analysis, catalogue, settings) = (ground.analysis, ground.catalogue, ground.settings);
    if beyond::beyond(analysis, catalogue).is_some() {
        return Vec::new();
    }
    let taste = |strategy: &Strategy| Taste::of(strategy, &settings.profiles);
    let first = settings.strategies.first().map(taste);
    if let Some(course) = first.and_then(|taste| texts::course(ground, taste)) {
        let strategies = settings.strategies.iter();
        let drafted = strategies.filter_map(|one| of_course(ground, &course, (one, taste(one))));
        return drafted.collect();
    }
    let mut choices = Choices::of(ground);
    let rows = conditions::pipeline(ground);
    match (&rows, &analysis.unclear) {
        (Some(rows), _) => choices.leave_to(ground, rows),
        // Half of what is said about rows would give a wrong answer.
        (None, Some(part)) if conditions::is_for_rows(catalogue, &choices.hits) => {
            choices.missing.push(Missing::new(part, Lack::Words));
        }
        (None, None) => choices.missing.extend(
            conditions::undone(analysis)
                .filter(|_| conditions::is_for_rows(catalogue, &choices.hits))
                .map(|part| Missing::new(part, Lack::Tool)),
        ),
        (None, _) => {}
    }
    let drafted = settings.strategies.iter().filter_map(|strategy| {
        drafted(
            ground,
            &choices,
            rows.as_ref(),
            (strategy, taste(strategy)),
            sequences,
        )
    });
    coverage::comparable(drafted.collect())
}

/// Of several tools, those that do what a text asks for.
pub(crate) fn doers(text: &str, catalogue: &Catalogue, places: &[Place]) -> Vec<Place> {
    let analysis = Analysis {
        entities: named(text),
        request: text.to_owned(),
        ..Analysis::default()
    };
    let capability = Capability {
        text: text.to_owned(),
        ..Capability::default()
    };
    let asked = does::Asked::of(&analysis, &capability);
    suit::doers(&asked, catalogue, (&analysis, &capability), places)
}

fn drafted(
    ground: Ground<'_>,
    choices: &Choices,
    rows: Option<&Pipeline>,
    (strategy, taste): (&Strategy, Taste),
    sequences: &[Sequence],
) -> Option<Drafted> {
    let deepest = ground.settings.deepest;
    let mut assembly = Assembly::new(ground, taste);
    let chosen = match rows {
        Some(rows) => {
            rows.lay(&mut assembly);
            choices.rest(ground, taste, rows)
        }
        None => choices.choose(ground, taste, sequences),
    };
    // Where no tool does anything of what is asked, there is nothing to bring into a form.
    if rows.is_none() && chosen.tools.is_empty() && !choices.missing.is_empty() {
        return None;
    }
    assembly.share(&chosen.tools);
    let tools = if chosen.ordered {
        chosen.tools
    } else {
        assembly.in_order(chosen.tools)
    };
    for wanted in assembly.with_sessions(tools) {
        assembly.add(wanted, deepest);
    }
    assembly.finish(choices, deepest);
    let spared = assembly.spare_sources();
    assembly.keep_order();
    assembly.verify();
    let draft = mend::mended(assembly.draft(choices), ground.catalogue)?;
    let mut steps = assembly.notes();
    let mut ids = FxHashSet::default();
    draft.walk(&mut |step| {
        ids.insert(step.id.clone());
    });
    steps.retain(|note| ids.contains(&note.step));
    if steps.is_empty() {
        return None;
    }
    let analysis = ground.analysis;
    let unused = unused(analysis, &draft);
    let mut missing = assembly.missing(choices);
    if rows.is_none() {
        missing.extend(dropped(analysis, &draft));
        missing.extend(unheard::missing(analysis, ground.catalogue, &draft));
    }
    missing.extend(spared.iter().map(|at| beyond::unserved(analysis, *at)));
    missing.extend(unheeded(analysis));
    missing.extend(untouched(analysis, &unused));
    Some(Drafted {
        strategy: strategy.name.clone(),
        unused,
        open_inputs: open_inputs(&draft),
        coverage: coverage::coverage(&assembly, choices, &missing),
        missing,
        serves: Vec::new(),
        fit: chosen.fit.clamp(0.0, 1.0),
        draft,
        steps,
    })
}

/// The draft of a request that is all about texts and files.
fn of_course(
    ground: Ground<'_>,
    course: &texts::Course,
    (strategy, taste): (&Strategy, Taste),
) -> Option<Drafted> {
    let mut assembly = Assembly::new(ground, taste);
    course.lay(&mut assembly)?;
    let choices = Choices::default();
    let draft = mend::mended(assembly.draft(&choices), ground.catalogue)?;
    let unused = unused(ground.analysis, &draft);
    let mut missing: Vec<Missing> = unheeded(ground.analysis).collect();
    missing.extend(untouched(ground.analysis, &unused));
    Some(Drafted {
        strategy: strategy.name.clone(),
        unused,
        open_inputs: open_inputs(&draft),
        coverage: coverage::coverage(&assembly, &choices, &missing),
        missing,
        serves: Vec::new(),
        fit: choose::SAID_PLAINLY,
        steps: assembly.notes(),
        draft,
    })
}

/// Pairs of tools of which one took the result of the other.
fn learned(sequences: &[Sequence]) -> FxHashSet<(Place, Place)> {
    let seen = sequences.iter().filter(|sequence| sequence.seen > 0);
    let pairs = seen.flat_map(|sequence| {
        let tools = &sequence.tools;
        let pair = |(from, to): &(usize, usize)| Some((*tools.get(*from)?, *tools.get(*to)?));
        sequence.links.iter().filter_map(pair)
    });
    pairs.collect()
}

/// How near the tools are to the whole request, for those that are near at all.
fn near(analysis: &Analysis, catalogue: &Catalogue) -> FxHashMap<Place, f32> {
    const LOOKED_AT: usize = 60;
    let index = catalogue.index();
    let query = index.read(&analysis.request);
    let scores = index.scores(&query);
    let best = scores.top(LOOKED_AT);
    let score = |place: &Place| scores.fused.get(*place).copied().unwrap_or_default();
    let most = best.first().map_or(1.0, score).max(1e-6);
    let near = best
        .iter()
        .map(|place| (*place, (score(place) / most).clamp(0.0, 1.0)));
    near.filter(|(_, near)| *near > 0.0).collect()
}

/// The inputs of a draft that have no value.
fn open_inputs(draft: &Draft) -> Vec<String> {
    let properties = draft
        .input
        .as_ref()
        .and_then(|input| input.get("properties")?.as_object());
    let open = properties
        .into_iter()
        .flatten()
        .filter(|(_, property)| property.get("default").is_none());
    open.map(|(name, _)| name.clone()).collect()
}

/// A draft and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Drafted {
    pub strategy: String,
    pub draft: Draft,
    pub steps: Vec<StepNote>,
    pub coverage: Vec<Coverage>,
    /// What was asked for and is not done.
    pub missing: Vec<Missing>,
    /// What the person who runs the plan has to say: the names of inputs without a value.
    pub open_inputs: Vec<String>,
    /// Files and addresses that the request names and no step takes.
    pub unused: Vec<String>,
    /// Which step or argument serves each part of the request.
    pub serves: Vec<Account>,
    /// How likely the choice of tools is right, 0 to 1.
    pub fit: f32,
}

/// Why a step is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepNote {
    pub step: String,
    pub tool: String,
    /// For people: "“certificate” in name", "makes the pages that meta-tags-check needs".
    pub reason: String,
    pub bindings: Vec<Binding>,
}
