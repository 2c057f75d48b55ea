//! With which tool? For each task the one that fits its words, can take its arguments and
//! can give what is wanted of it; between several, what the profile asks for decides.

use std::sync::Arc;

use holloway_plan::tool::{Lookup, ToolId, ToolSpec};
use holloway_search::index::Query;
use holloway_search::rank::{Health, Hit, Repute, Wish, rank};
use holloway_search::reason::reason;
use holloway_search::words::spaced;
use serde::Serialize;
use serde_json::{Map, Value};

use super::obstacle::{falls_short, refuses, shape};
use super::sequence::SequencedTask;
use crate::bind::Binding;
use crate::catalogue::{Catalogue, Place};
use crate::drafts::clip;
use crate::other::doers;
use crate::settings::Profile;

mod arguments;

pub use arguments::OpenInput;
pub(super) use arguments::takes_from;

/// Tools that are looked at for one task.
const LOOKED_AT: usize = 12;
/// How much of what a task says is looked for.
const LOOKED_FOR: usize = 400;
/// A tool that fits less does something else.
const FIT_AT_LEAST: f32 = 0.3;
/// The same where a tool was named that is not at hand: another has to fit well.
const INSTEAD_AT_LEAST: f32 = 0.8;
const FALLBACKS: usize = 2;
/// Tools whose words fit this much of the best are a choice for the profile; others do
/// something else, however quick or cheap they are.
const CLOSE: f32 = 0.6;
/// How much the profile counts beside the words.
const SUITS: f32 = 0.7;

/// A task with its tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundTask {
    pub sequenced: SequencedTask,
    pub tool: Arc<ToolSpec>,
    /// What the tool is given; results of other tasks stand as references.
    pub arguments: Map<String, Value>,
    /// Where those arguments come from that the task does not say.
    pub bindings: Vec<Binding>,
    /// What nobody said yet.
    pub open: Vec<OpenInput>,
    /// Tools that could take its place.
    pub fallbacks: Vec<ToolId>,
    /// 0 to 1.
    pub score: f32,
    /// Why this tool.
    pub reason: String,
    /// Tools that came near, and why they were not taken.
    pub passed_over: Vec<PassedOver>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassedOver {
    pub tool: ToolId,
    pub why: String,
}

/// Why a task has no tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    #[error("no tool at hand does `{wanted}` (task `{task}`){}", nearest(.passed_over))]
    NoTool {
        task: String,
        wanted: String,
        passed_over: Vec<PassedOver>,
    },
}

impl BindError {
    /// The task's id.
    pub fn task(&self) -> &str {
        let Self::NoTool { task, .. } = self;
        task
    }

    /// What was to be done, in its own words.
    pub fn wanted(&self) -> &str {
        let Self::NoTool { wanted, .. } = self;
        wanted
    }
}

fn nearest(passed_over: &[PassedOver]) -> String {
    if passed_over.is_empty() {
        return "; add one with `holloway tools add`".to_owned();
    }
    let told = passed_over.iter().take(3);
    let told: Vec<String> = told
        .map(|one| format!("{}: {}", one.tool, one.why))
        .collect();
    format!("; came near, but {}", told.join("; "))
}

/// Binds a tool to every task, in the given order.
pub fn bind_tools(
    sequenced: &[SequencedTask],
    registry: &Catalogue,
) -> Result<Vec<BoundTask>, BindError> {
    let mut bound: Vec<BoundTask> = Vec::with_capacity(sequenced.len());
    for task in sequenced {
        let task = arguments::with_step_names(task, sequenced);
        let next = bind_task(task, &bound, registry)?;
        bound.push(next);
    }
    Ok(bound)
}

/// The tasks that no tool at hand does.
pub fn lacking(sequenced: &[SequencedTask], registry: &Catalogue) -> Vec<BindError> {
    let one = |task: &SequencedTask| usable(task, registry).err();
    sequenced.iter().filter_map(one).collect()
}

/// A tool that might do.
struct Candidate {
    place: Place,
    tool: Arc<ToolSpec>,
    repute: Repute,
    /// How well its words fit, 0 to 1.
    text: f32,
    score: f32,
    /// Named with the task, not found.
    named: bool,
}

fn bind_task(
    task: SequencedTask,
    bound: &[BoundTask],
    registry: &Catalogue,
) -> Result<BoundTask, BindError> {
    let Usable {
        query,
        best,
        others,
        passed_over,
    } = usable(&task, registry)?;
    let best = &best;
    let filled = arguments::fill(&task, &best.tool, bound);
    let others = others.iter();
    let fallbacks: Vec<ToolId> = others
        .filter(|other| stands_in(other, best, &filled.arguments))
        .take(FALLBACKS)
        .map(|other| other.tool.id.clone())
        .collect();
    Ok(BoundTask {
        tool: Arc::clone(&best.tool),
        score: best.score,
        reason: why(best, &task, &query, registry),
        arguments: filled.arguments,
        bindings: filled.bindings,
        open: filled.open,
        fallbacks,
        passed_over,
        sequenced: task,
    })
}

/// What could do a task, and what could not.
struct Usable {
    /// What the task says, as the search reads it.
    query: Query,
    best: Candidate,
    others: Vec<Candidate>,
    passed_over: Vec<PassedOver>,
}

fn usable(task: &SequencedTask, registry: &Catalogue) -> Result<Usable, BindError> {
    let query = registry.index().read(&words(task));
    let mut candidates = candidates(task, &query, registry);
    let mut passed_over = not_at_hand(task, registry);
    candidates.retain(|candidate| match obstacle(candidate, task) {
        Some(why) => {
            passed_over.push(PassedOver {
                tool: candidate.tool.id.clone(),
                why,
            });
            false
        }
        None => true,
    });
    let mut candidates = candidates.into_iter();
    match candidates.next() {
        Some(best) => Ok(Usable {
            query,
            best,
            others: candidates.collect(),
            passed_over,
        }),
        None => Err(BindError::NoTool {
            task: task.task.id.clone(),
            wanted: wanted(task),
            passed_over,
        }),
    }
}

/// Names that stand for no tool.
fn not_at_hand(task: &SequencedTask, registry: &Catalogue) -> Vec<PassedOver> {
    let is_missing = |name: &&String| !matches!(registry.table().find(name), Lookup::Found(_));
    let names = task.task.tools.iter().filter(is_missing);
    names
        .map(|name| PassedOver {
            tool: ToolId::new(name),
            why: "it is not at hand".to_owned(),
        })
        .collect()
}

/// Tools that were named, then those whose words fit; the best first.
fn candidates(task: &SequencedTask, query: &Query, registry: &Catalogue) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for name in &task.task.tools {
        let Lookup::Found(tool) = registry.table().find(name) else {
            continue;
        };
        found.extend(candidate(&tool.id, 1.0, true, task, registry));
    }
    let scores = registry.index().scores(query);
    let wish = Wish {
        limit: LOOKED_AT,
        fit_at_least: if found.is_empty() && !task.task.tools.is_empty() {
            INSTEAD_AT_LEAST
        } else {
            FIT_AT_LEAST
        },
        ..Wish::default()
    };
    let repute = |place| registry.repute(place);
    let hits = rank(registry.index(), query, &scores, repute, &wish);
    let places: Vec<Place> = hits.iter().map(|hit| hit.place).collect();
    let doers = doers(&words(task), registry, &places);
    for hit in hits {
        let Some(tool) = registry.tool(hit.place) else {
            continue;
        };
        let is_known = found.iter().any(|known| known.place == hit.place);
        if is_known || !doers.contains(&hit.place) || !is_meant(&hit, query, registry) {
            continue;
        }
        found.extend(candidate(&tool.id, hit.text, false, task, registry));
    }
    let best = found.iter().filter(|one| !one.named);
    let best = best.map(|one| one.text).fold(0.0, f32::max);
    let is_close = |one: &Candidate| one.text >= best * CLOSE;
    found.sort_by(|one, other| {
        let by_words = other.named.cmp(&one.named);
        let by_words = by_words.then_with(|| is_close(other).cmp(&is_close(one)));
        by_words.then_with(|| other.score.total_cmp(&one.score))
    });
    found
}

/// Whether a tool has words of the task; one that is only near to it has to fit well.
fn is_meant(hit: &Hit, query: &Query, registry: &Catalogue) -> bool {
    hit.text >= INSTEAD_AT_LEAST || !reason(registry.index(), query, hit.place).words.is_empty()
}

fn candidate(
    id: &ToolId,
    text: f32,
    named: bool,
    task: &SequencedTask,
    registry: &Catalogue,
) -> Option<Candidate> {
    let place = registry.place(id)?;
    let tool = Arc::clone(registry.tool(place)?);
    let repute = registry.repute(place);
    let suits = suits(&task.profile, &tool, repute);
    Some(Candidate {
        place,
        repute,
        text,
        // Tools that fit about equally are told apart by the profile: the root brings them together.
        score: text.max(0.0).sqrt() * (1.0 - SUITS + SUITS * suits),
        named,
        tool,
    })
}

/// How far a tool is what the profile asks for, 0 to 1.
fn suits(profile: &Profile, tool: &ToolSpec, repute: Repute) -> f32 {
    let health = match repute.health {
        Health::Healthy => 1.0,
        Health::Unknown => 0.5,
        Health::Broken => 0.0,
    };
    let fidelity = 0.7 * f64::from(repute.quality.clamp(0.0, 1.0)) + 0.3 * health;
    // A second is middling, and so is what nobody says.
    let speed = 1_000.0 / (1_000.0 + tool.latency_ms.unwrap_or(1_000) as f64);
    // A cent is middling; tools without a price are free.
    let cost = 0.01 / (0.01 + tool.price.unwrap_or_default().max(0.0));
    let whole = profile.fidelity + profile.speed + profile.cost;
    let sum = profile.fidelity * fidelity + profile.speed * speed + profile.cost * cost;
    if whole > 0.0 {
        (sum / whole) as f32
    } else {
        0.0
    }
}

/// Why a candidate cannot do the task.
fn obstacle(candidate: &Candidate, task: &SequencedTask) -> Option<String> {
    if candidate.repute.health == Health::Broken {
        return Some("it did not work when last called".to_owned());
    }
    refuses(&candidate.tool.input_schema, &task.task.inputs).or_else(|| {
        let wanted = task.task.output.as_ref()?;
        falls_short(&candidate.tool.output_schema, wanted)
    })
}

/// Whether a tool can be called with the same arguments, does no more harm and gives as much.
fn stands_in(other: &Candidate, best: &Candidate, arguments: &Map<String, Value>) -> bool {
    other.text * 2.0 >= best.text
        && other.tool.effect <= best.tool.effect
        && refuses(&other.tool.input_schema, arguments).is_none()
        && shape(&other.tool.input_schema)
            .required()
            .all(|name| arguments.contains_key(name))
        && falls_short(&other.tool.output_schema, &best.tool.output_schema).is_none()
}

fn words(task: &SequencedTask) -> String {
    let task = &task.task;
    let said = format!("{} {}", task.action, task.description);
    spaced(&clip(&said, LOOKED_FOR))
}

fn wanted(task: &SequencedTask) -> String {
    let task = &task.task;
    let said = [&task.action, &task.description, &task.id];
    let first = said.into_iter().find(|text| !text.trim().is_empty());
    first.cloned().unwrap_or_default()
}

fn why(best: &Candidate, task: &SequencedTask, query: &Query, registry: &Catalogue) -> String {
    let mut reasons = Vec::new();
    if best.named {
        reasons.push("named with the task".to_owned());
    } else {
        reasons.push(reason(registry.index(), query, best.place).sentence());
    }
    let profile = task.profile;
    if profile.speed > profile.fidelity.max(profile.cost) {
        let latency = best.tool.latency_ms;
        reasons.extend(latency.map(|latency| format!("takes about {latency} ms")));
    }
    if profile.cost > profile.fidelity.max(profile.speed) {
        let price = best.tool.price.unwrap_or_default();
        reasons.push(if price > 0.0 {
            format!("costs ${price}")
        } else {
            "free".to_owned()
        });
    }
    if best.repute.health == Health::Healthy {
        reasons.push("works".to_owned());
    }
    reasons.retain(|reason| !reason.is_empty());
    reasons.join("; ")
}

#[cfg(test)]
mod tests;
