//! How does an analysis become drafts? One strategy, one draft: which tools, in which
//! order, with what in between, and how far each thing asked for is covered.

use std::cell::RefCell;

use holloway_plan::draft::Draft;
use holloway_search::rank::Hit;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::Value;

use crate::bind::{Binding, PastArguments};
use crate::catalogue::{Catalogue, Place};
use crate::recall::Sequence;
use crate::request::conditions::{Condition, Said};
use crate::request::deed::Deed;
use crate::request::{Analysis, Capability, EntityKind, Need, Priority, named};

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
mod words;

mod coverage;
mod finish;
mod mend;
mod order;
mod verify;
mod write;

pub use coverage::Coverage;
pub use settings::{GenerateSettings, Profile, Profiles, Strategy};

use assembly::{Assembly, Ground};
use choose::Choices;
use conditions::Pipeline;

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
    if matches!(analysis.need, Need::Conversation | Need::Nothing) || catalogue.is_empty() {
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
    let mut choices = Choices::of(ground);
    let rows = conditions::pipeline(ground);
    match (&rows, &analysis.unclear) {
        (Some(rows), _) => choices.leave_to(ground, rows),
        // Half of what is said about rows would give a wrong answer.
        (None, Some(part)) if conditions::is_for_rows(catalogue, &choices.hits) => {
            choices.missing.push(Missing {
                capability: part.clone(),
                install: Vec::new(),
            });
        }
        (None, None) => choices.missing.extend(
            conditions::undone(analysis)
                .filter(|_| conditions::is_for_rows(catalogue, &choices.hits))
                .map(|part| Missing {
                    capability: part,
                    install: Vec::new(),
                }),
        ),
        (None, _) => {}
    }
    let drafted = settings.strategies.iter().filter_map(|strategy| {
        let taste = Taste::of(strategy, &settings.profiles);
        drafted(
            ground,
            &choices,
            rows.as_ref(),
            (strategy, taste),
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

/// What a request asks for and no tool at hand does; also where there is no draft at all.
pub fn missing(analysis: &Analysis, catalogue: &Catalogue) -> Vec<Missing> {
    // What was not understood would be missed whatever tools there are.
    if let Some(part) = &analysis.unclear
        && conditions::is_for_rows(catalogue, &[])
    {
        return vec![Missing {
            capability: part.clone(),
            install: Vec::new(),
        }];
    }
    let hits = fitting::hits_in_turn(catalogue, analysis);
    let asks = |(capability, hits): &(&Capability, &Vec<Hit>)| {
        let text = fitting::asked(analysis, capability);
        !words::stems(&text).is_empty() && hits.is_empty()
    };
    let asked = analysis.capabilities.iter().zip(&hits).filter(asks);
    let all: Vec<&Capability> = asked.map(|(capability, _)| capability).collect();
    // A domain that has tools is served, unless nothing else is said.
    let served = |capability: &&Capability| {
        let of_kind = capability.category.as_deref().unwrap_or_default();
        !catalogue.of_category(of_kind).is_empty()
    };
    let mut missing: Vec<&Capability> = all.clone();
    missing.retain(|capability| !served(capability));
    let told = if missing.is_empty() { all } else { missing };
    let told = told.into_iter().map(|capability| Missing {
        capability: capability.text.clone(),
        install: Vec::new(),
    });
    told.collect()
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
    let lost = rows.is_none().then(|| dropped(ground.analysis, &draft));
    let missing = assembly.missing(choices).into_iter();
    let missing: Vec<Missing> = missing.chain(lost.into_iter().flatten()).collect();
    Some(Drafted {
        strategy: strategy.name.clone(),
        unused: unused(ground.analysis, &draft),
        open_inputs: open_inputs(&draft),
        coverage: coverage::coverage(&assembly, choices, &missing),
        missing,
        fit: chosen.fit.clamp(0.0, 1.0),
        draft,
        steps,
    })
}

/// Conditions on rows that no step of the draft knows of.
fn dropped(analysis: &Analysis, draft: &Draft) -> Vec<Missing> {
    let mut given = String::new();
    draft.walk(&mut |step| {
        if let Some(value) = &step.input {
            given.push_str(&value.to_string().to_lowercase());
        }
    });
    given.push_str(
        &draft
            .input
            .as_ref()
            .map(Value::to_string)
            .unwrap_or_default(),
    );
    let lost = analysis
        .conditions
        .iter()
        .filter(|said| match &said.condition {
            Condition::Keep(keep) => !given.contains(&keep.column.to_lowercase()),
            _ => false,
        });
    let text = |said: &Said| analysis.request.get(said.place.clone());
    let lost = lost.filter_map(text).map(|part| Missing {
        capability: part.to_owned(),
        install: Vec::new(),
    });
    lost.collect()
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

/// The files and addresses of the request that nothing in the draft takes, but for those
/// that are to be left alone.
fn unused(analysis: &Analysis, draft: &Draft) -> Vec<String> {
    let inputs = draft.input.as_ref().map(Value::to_string);
    let mut taken = inputs.unwrap_or_default();
    draft.walk(&mut |step| {
        for value in step.input.iter().chain(&step.over) {
            taken.push_str(&value.to_string());
        }
    });
    let kept = targets::kept(analysis);
    let mut unused: Vec<String> = Vec::new();
    for (at, entity) in analysis.entities.iter().enumerate() {
        let counts = targets::is_file(entity) || entity.kind == EntityKind::Url;
        // As it stands in the draft: with its marks escaped.
        let written = Value::from(entity.text.as_str()).to_string();
        let is_taken = taken.contains(written.trim_matches('"'));
        if counts && !is_taken && !kept.contains(&at) && !unused.contains(&entity.text) {
            unused.push(entity.text.clone());
        }
    }
    unused
}

/// A draft and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Drafted {
    pub strategy: String,
    pub draft: Draft,
    pub steps: Vec<StepNote>,
    pub coverage: Vec<Coverage>,
    /// What was asked for and no tool at hand does.
    pub missing: Vec<Missing>,
    /// What the person who runs the plan has to say: the names of inputs without a value.
    pub open_inputs: Vec<String>,
    /// Files and addresses that the request names and no step takes.
    pub unused: Vec<String>,
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

/// A capability without a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    pub capability: String,
    /// What could be added, as `tools add` takes it.
    pub install: Vec<String>,
}
