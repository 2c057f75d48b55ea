//! How is a task done that is in no table of acts? By the tool it names, or by one of those that
//! the search finds for its words; between several that fit, the profile decides. Arguments that
//! the task does not give are bound as in every request; the rest becomes an input of the plan.

use std::sync::Arc;

use holloway_plan::step::Step;
use holloway_plan::tool::ToolSpec;
use holloway_search::rank::{Health, Repute};
use holloway_search::reason::reason;
use serde_json::{Map, Value, json};

use super::references::reference;
use super::{BindError, BoundTask, OpenInput, PassedOver, Place};
use crate::advanced::obstacle::{falls_short, refuses, shape};
use crate::assemble::Account;
use crate::bind::{Binding, Earlier, Situation, Source, bind};
use crate::catalogue;
use crate::catalogue::shape::Shape;
use crate::frame::{ARGUMENTS, EntityKind, Frame};
use crate::other::{Hit, doing};
use crate::read::other;
use crate::read::tasks::holds_reference;
use crate::settings::Profile;

const FALLBACKS: usize = 2;
/// Tools that fit this much of the best are a choice for the profile; others do something
/// else, however quick or cheap they are.
const CLOSE: f32 = 0.6;
/// What fits less than half as well does not stand in.
const STANDS_IN: f32 = 0.5;
/// How likely a tool must do what no word of it says.
const SURE: f32 = 0.8;
/// How much the profile counts beside the words.
const SUITS: f32 = 0.7;

/// A tool that might do.
struct Candidate<'a> {
    place: catalogue::Place,
    tool: &'a Arc<ToolSpec>,
    repute: Repute,
    /// How well it fits beside the best, 0 to 1.
    fit: f32,
    score: f32,
    /// Named with the task, not found.
    named: bool,
}

/// The arguments of a call.
#[derive(Default)]
struct Filled {
    arguments: Map<String, Value>,
    bindings: Vec<Binding>,
    open: Vec<OpenInput>,
}

impl<'a> Place<'a> {
    pub(super) fn by_search(self) -> Result<BoundTask, BindError> {
        let frame = other::of_goals(std::slice::from_ref(self.goal));
        let mut passed_over = self.not_at_hand();
        let mut candidates = self.candidates(&frame);
        candidates.retain(|candidate| {
            let why = self.obstacle(candidate);
            passed_over.extend(why.clone().map(|why| PassedOver {
                tool: candidate.tool.id.clone(),
                why,
            }));
            why.is_none()
        });
        let mut candidates = candidates.into_iter();
        let Some(best) = candidates.next() else {
            return Err(BindError::NoTool {
                task: self.task.task.id.clone(),
                wanted: self.task.task.wanted(),
                passed_over,
            });
        };
        let filled = self.fill(best.tool, &frame);
        let fallbacks = candidates
            .filter(|other| stands_in(other, &best, &filled.arguments))
            .map(|other| other.tool.id.to_string());
        let input = Value::Object(filled.arguments.clone());
        let step = Step {
            id: self.task.step.clone(),
            tool: Some(best.tool.id.to_string()),
            input: (!filled.arguments.is_empty()).then_some(input),
            depends_on: self.task.after.clone(),
            fallbacks: fallbacks.take(FALLBACKS).collect(),
            ..Step::default()
        };
        Ok(BoundTask {
            serves: self.served(&filled, &frame, best.tool),
            tool: Arc::clone(best.tool),
            steps: vec![step],
            bindings: filled.bindings,
            helpers: Vec::new(),
            open: filled.open,
            score: best.score,
            reason: self.why(&best),
            passed_over,
            act: None,
            undone: self.undone,
            sequenced: self.task,
        })
    }

    /// Tools that were named, then those that are found; the best first.
    fn candidates(&self, frame: &Frame) -> Vec<Candidate<'a>> {
        let registry = self.at_hand.registry;
        let named = self.task.task.tools.iter();
        let named = named.filter_map(|name| registry.place(&self.tool(name)?.id));
        let named: Vec<catalogue::Place> = named.collect();
        let index = registry.index();
        let query = index.read(&self.goal.text);
        // What has no word of the task and is only near to it has to be sure to do it.
        let is_meant =
            |hit: &Hit| hit.does >= SURE || !reason(index, &query, hit.place).words.is_empty();
        let others = doing(frame, registry).into_iter();
        let others = others.filter(|hit| !named.contains(&hit.place) && is_meant(hit));
        let others = others.filter_map(|hit| self.candidate(hit.place, hit.rank, false));
        let mut others: Vec<Candidate<'a>> = others.collect();
        others.sort_by(|one, other| {
            let close = |one: &Candidate<'_>| one.fit >= CLOSE;
            let by_words = close(other).cmp(&close(one));
            by_words.then_with(|| other.score.total_cmp(&one.score))
        });
        let named = named.iter();
        let named = named.filter_map(|place| self.candidate(*place, 1.0, true));
        named.chain(others).collect()
    }

    fn candidate(&self, place: catalogue::Place, fit: f32, named: bool) -> Option<Candidate<'a>> {
        let tool = self.at_hand.registry.tool(place)?;
        let repute = self.at_hand.registry.repute(place);
        let suits = suits(&self.task.profile, tool, repute);
        Some(Candidate {
            place,
            tool,
            repute,
            fit,
            // Tools that fit about equally are told apart by the profile: the root brings
            // them together.
            score: fit.clamp(0.0, 1.0).sqrt() * (1.0 - SUITS + SUITS * suits),
            named,
        })
    }

    /// Why a candidate cannot do the task.
    fn obstacle(&self, candidate: &Candidate<'_>) -> Option<String> {
        if candidate.repute.health == Health::Broken {
            return Some("it did not work when last called".to_owned());
        }
        let task = &self.task.task;
        refuses(&candidate.tool.input_schema, &task.inputs).or_else(|| {
            let wanted = task.output.as_ref()?;
            falls_short(&candidate.tool.output_schema, wanted)
        })
    }

    /// What the task gives, what is bound, and what has to be asked for.
    fn fill(&self, tool: &ToolSpec, frame: &Frame) -> Filled {
        let mut filled = Filled {
            arguments: self.task.task.inputs.clone(),
            ..Filled::default()
        };
        let input = shape(&tool.input_schema);
        let required: Vec<&str> = input.required().collect();
        let givers: Vec<&BoundTask> = self.givers().filter(|giver| !giver.is_loop()).collect();
        let earlier = givers.iter().map(|giver| Earlier {
            step: &giver.sequenced.step,
            tool: &giver.tool,
        });
        let mut earlier: Vec<Earlier<'_>> = earlier.collect();
        // In a plan the nearest stands last.
        earlier.reverse();
        let given = given(tool, &earlier);
        let situation = Situation {
            earlier: &earlier,
            past: self.at_hand.past,
            ..Situation::alone(frame)
        };
        for binding in bind(tool, &situation) {
            let name = binding.parameter.clone();
            let needed = required.contains(&name.as_str());
            let schema = input.field(&name);
            let describes = matches!(
                binding.source,
                Source::Request { .. } | Source::Words { .. }
            ) && binding.entities.is_empty();
            let from = given.iter().find(|own| own.parameter == name && describes);
            let binding = from.cloned().unwrap_or(binding);
            let value = match &binding.source {
                _ if filled.arguments.contains_key(&name) => continue,
                // The tool knows itself what it takes when nothing is said.
                Source::Input { .. } | Source::Schema { .. } if !needed => continue,
                Source::Input { .. } => None,
                Source::Earlier { step, path } => {
                    let giver = givers.iter().find(|giver| giver.sequenced.step == *step);
                    giver.and_then(|giver| reference(giver, path, schema))
                }
                Source::Request { value, .. }
                | Source::Words { value, .. }
                | Source::Schema { value }
                | Source::Past { value } => {
                    Some(value.clone()).filter(|value| !holds_reference(value))
                }
            };
            match value {
                Some(value) => {
                    filled.arguments.insert(name, value);
                    filled.bindings.push(binding);
                }
                None if needed => self.ask(&mut filled, name, schema),
                None => {}
            }
        }
        filled
    }

    /// One input serves all parameters of the same name and schema.
    fn ask(&self, filled: &mut Filled, parameter: String, schema: Option<Shape<'_>>) {
        let schema = schema.map_or_else(|| json!({}), |schema| schema.schema().clone());
        let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = parameter.chars().map(fits).collect();
        let mut taken = self.before.iter().flat_map(|task| &task.open);
        let clashes = taken.any(|open| open.name == plain && open.schema != schema);
        let name = if clashes {
            format!("{}_{plain}", self.task.step)
        } else {
            plain
        };
        let value = json!(format!("{{{{input.{name}}}}}"));
        filled.arguments.insert(parameter.clone(), value);
        filled.bindings.push(Binding {
            entities: Vec::new(),
            parameter: parameter.clone(),
            source: Source::Input { name: name.clone() },
            confidence: 0.5,
            reason: "nobody said; to be given when the plan is run".to_owned(),
        });
        filled.open.push(OpenInput {
            name,
            parameter,
            schema,
        });
    }

    /// Each part of the goal and each thing that its words name, with what serves it.
    fn served(&self, filled: &Filled, frame: &Frame, tool: &ToolSpec) -> Vec<Account> {
        let step = Some(self.task.step.as_str());
        let mut serves = vec![self.account("act", &self.goal.said.text, step, None)];
        for part in &self.goal.parts {
            let (taken, argument) = match part.text("name").filter(|_| part.slot == ARGUMENTS) {
                Some(name) => (self.task.task.inputs.contains_key(name), Some(name)),
                // What an act is done to is bound by the words that name it.
                None => (true, None),
            };
            serves.push(Account {
                value: Some(part.value.clone()),
                ..self.account(
                    &part.slot,
                    &part.said.text,
                    step.filter(|_| taken),
                    argument,
                )
            });
        }
        let entities = frame.entities.iter().enumerate();
        serves.extend(
            entities
                .filter(|(_, entity)| is_meant(entity.kind))
                .map(|(at, entity)| {
                    let mut bindings = filled.bindings.iter();
                    let own = bindings.find(|own| own.entities.contains(&at));
                    let argument = own.map(|own| own.parameter.as_str());
                    let given = filled
                        .arguments
                        .values()
                        .any(|value| *value == entity.value);
                    let called = tool.description.contains(&entity.text);
                    let step = step.filter(|_| own.is_some() || given || called);
                    self.account("entities", &entity.text, step, argument)
                }),
        );
        serves
    }

    fn why(&self, best: &Candidate<'_>) -> String {
        let mut reasons = Vec::new();
        if best.named {
            reasons.push("named with the task".to_owned());
        } else {
            let index = self.at_hand.registry.index();
            reasons.push(reason(index, &index.read(&self.goal.text), best.place).sentence());
        }
        let profile = self.task.profile;
        if profile.speed > profile.fidelity.max(profile.cost) {
            let latency = best.tool.latency_ms;
            reasons.extend(latency.map(|latency| format!("takes about {latency} ms")));
        }
        if profile.cost > profile.fidelity.max(profile.speed) {
            let price = best.tool.price.filter(|price| *price > 0.0);
            reasons.push(price.map_or("free".to_owned(), |price| format!("costs ${price}")));
        }
        if best.repute.health == Health::Healthy {
            reasons.push("works".to_owned());
        }
        reasons.retain(|reason| !reason.is_empty());
        reasons.join("; ")
    }
}

/// What the tasks before give, whatever the words say: a task goes on with them, and its
/// words may only describe it.
fn given(tool: &ToolSpec, earlier: &[Earlier<'_>]) -> Vec<Binding> {
    let silent = Frame::default();
    let mut given = bind(
        tool,
        &Situation {
            earlier,
            ..Situation::alone(&silent)
        },
    );
    given.retain(|binding| matches!(binding.source, Source::Earlier { .. }));
    given
}

/// Files and addresses are meant for some argument; other words may only describe.
fn is_meant(kind: EntityKind) -> bool {
    use EntityKind::{Email, File, Path, Url};
    matches!(kind, Email | File | Path | Url)
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

/// Whether a tool can be called with the same arguments, does no more harm and gives as much.
fn stands_in(other: &Candidate<'_>, best: &Candidate<'_>, arguments: &Map<String, Value>) -> bool {
    other.fit >= best.fit * STANDS_IN
        && other.tool.effect <= best.tool.effect
        && refuses(&other.tool.input_schema, arguments).is_none()
        && shape(&other.tool.input_schema)
            .required()
            .all(|name| arguments.contains_key(name))
        && falls_short(&other.tool.output_schema, &best.tool.output_schema).is_none()
}
