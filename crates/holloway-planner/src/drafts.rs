//! How does a frame become a draft that can be shown? Its steps with their purposes, the reason
//! of each in the words of the request, and what is served and what is not, goal by goal.

use std::sync::Arc;

use holloway_plan::draft::Draft;
use holloway_plan::step::Step;
use holloway_plan::tool::does::Serves;
use holloway_plan::tool::{Lookup, ToolSpec};
use serde_json::{Map, Value};

use crate::assemble::{Account, Breadth, Made, Manner, assemble};
use crate::bind::{Binding, PastArguments, Source};
use crate::catalogue::Catalogue;
use crate::frame::acts::Acts;
use crate::frame::constraints::{Constraints, Priority};
use crate::frame::scene::Scene;
use crate::frame::{Frame, Goal};
use crate::other::{OtherDraft, Served, What};
use crate::settings::{GenerateSettings, Strategy};
use crate::templates::Filled;

mod coverage;
mod drafted;
mod missing;
mod signs;

pub use coverage::Coverage;
pub use drafted::{Drafted, StepNote};
pub use missing::{Lack, Missing};

/// Runs that must have used a setting before it is proposed.
const USUAL: usize = 2;
/// The slot of what a request names outside the table of acts.
const ENTITY: &str = "entities";

/// Lays a frame out with the tools at hand. Nothing where no goal could be begun.
pub fn drafted(
    frame: &Frame,
    scene: &Scene,
    tools: &[Arc<ToolSpec>],
    strategy: &Strategy,
    settings: &GenerateSettings,
) -> Option<Drafted> {
    let made = within_steps(frame, scene, tools, strategy, settings);
    if made.steps.is_empty() {
        return None;
    }
    Some(Drafted {
        strategy: strategy.name.clone(),
        steps: made.steps.iter().map(|step| note(step, &made)).collect(),
        coverage: coverage(frame, &made),
        missing: missing(frame, &made.accounts),
        serves: made.accounts,
        open_inputs: Vec::new(),
        unused: Vec::new(),
        inferred: made.inferred,
        fit: 1.0,
        draft: Draft {
            version: "1.0".to_owned(),
            steps: made.steps,
            answer: made.answers,
            ..Draft::default()
        },
    })
}

/// As wide as the strategy prefers; narrower where that takes more steps than it aims at.
fn within_steps(
    frame: &Frame,
    scene: &Scene,
    tools: &[Arc<ToolSpec>],
    strategy: &Strategy,
    settings: &GenerateSettings,
) -> Made {
    let widest = match strategy.prefers {
        Priority::Fidelity => Breadth::Wide,
        Priority::Balanced => Breadth::Usual,
        Priority::Speed | Priority::Cost => Breadth::Narrow,
    };
    let lay = |breadth| {
        let manner = Manner {
            breadth,
            folder: &settings.folder,
            fallbacks: settings.fallbacks,
            loop_concurrency: Some(settings.loop_concurrency),
            loop_items: Some(settings.loop_items),
        };
        assemble(frame, scene, tools, manner)
    };
    let made = lay(widest);
    if made.steps.len() <= strategy.steps {
        return made;
    }
    let narrower = [Breadth::Usual, Breadth::Narrow].into_iter();
    let narrower = narrower.filter(|breadth| *breadth < widest).map(lay);
    narrower.fold(made, |best, other| {
        let is_enough = best.steps.len() <= strategy.steps;
        let loses = unserved(&other) > unserved(&best);
        if is_enough || loses || other.steps.is_empty() {
            best
        } else {
            other
        }
    })
}

/// How many parts of the request no step serves.
fn unserved(made: &Made) -> usize {
    let accounts = made.accounts.iter();
    accounts.filter(|account| account.step.is_none()).count()
}

/// What limits the work limits the run; where a plan sets a limit itself, the tighter one.
pub fn keep_limits(draft: &mut Draft, limits: &Constraints) {
    let tighter = |one: Option<f64>, other: Option<f64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    draft.budget.seconds = tighter(draft.budget.seconds, limits.seconds);
    draft.budget.money = tighter(draft.budget.money, limits.money);
}

/// Settings that several past runs used go where the request says nothing. What a request could
/// have said, as rows without doubles, is not left open by one that does not say it.
pub fn fill_from_past(drafted: &mut Drafted, catalogue: &Catalogue, past: &PastArguments) {
    for step in &mut drafted.draft.steps {
        let id = step.id.clone();
        let call = if step.step.is_some() {
            step.step.as_deref_mut()
        } else {
            Some(step)
        };
        let Some(call) = call else { continue };
        let Lookup::Found(tool) = catalogue
            .table()
            .find(call.tool.as_deref().unwrap_or_default())
        else {
            continue;
        };
        let properties = tool
            .input_schema
            .get("properties")
            .and_then(Value::as_object);
        let Some(input) = call.input.as_mut().and_then(Value::as_object_mut) else {
            continue;
        };
        for name in properties.into_iter().flat_map(Map::keys) {
            let known = past.constants(tool.id.as_str(), name).into_iter();
            let mut usual = known
                .map(|(value, _)| value)
                .filter(|value| past.times(tool.id.as_str(), name, value) >= USUAL);
            let is_open = !input.contains_key(name) && !is_for_requests(&tool, name);
            let Some(value) = usual.next().filter(|_| is_open) else {
                continue;
            };
            input.insert(name.clone(), value.clone());
            let binding = Binding {
                parameter: name.clone(),
                source: Source::Past { value },
                confidence: 1.0,
                reason: "the same as in past runs".to_owned(),
                entities: Vec::new(),
            };
            let mut notes = drafted.steps.iter_mut();
            if let Some(note) = notes.find(|note| note.step == id) {
                note.bindings.push(binding);
            }
        }
    }
}

/// Whether parts of requests decide about an argument.
fn is_for_requests(tool: &ToolSpec, name: &str) -> bool {
    let serves = |serves: &Serves| match serves {
        Serves::Argument { argument, .. } | Serves::Keyed { argument, .. } => argument == name,
        Serves::Always { .. } => false,
    };
    tool.does.iter().any(|does| {
        does.slots.iter().any(serves)
            || does.fixed.iter().any(|(argument, _)| argument == name)
            || does.takes.iter().any(|takes| takes.argument == name)
    })
}

/// The card of a saved plan whose inputs a request has filled in.
pub fn of_template(frame: &Frame, filled: Filled, strategy: &str) -> Drafted {
    let mut steps = Vec::new();
    filled.draft.walk(&mut |step| {
        steps.extend(step.tool.as_ref().map(|tool| StepNote {
            step: step.id.clone(),
            tool: tool.clone(),
            reason: step.purpose.clone().unwrap_or_default(),
            bindings: Vec::new(),
        }));
    });
    let goals = frame.goals.iter();
    Drafted {
        strategy: strategy.to_owned(),
        coverage: goals
            .map(|goal| Coverage {
                domain: goal.text.clone(),
                steps: steps.len(),
                covered: 1,
                available: 1,
            })
            .collect(),
        steps,
        missing: missing(frame, &[]),
        serves: filled.accounts,
        open_inputs: Vec::new(),
        unused: Vec::new(),
        inferred: Vec::new(),
        fit: 1.0,
        draft: filled.draft,
    }
}

/// The card of a plan over tools of other people.
pub fn of_other(frame: &Frame, other: OtherDraft) -> Drafted {
    let fit = other.chance();
    let steps = other.notes.into_iter().map(|note| StepNote {
        step: note.step,
        tool: note.tool,
        reason: note.reason,
        bindings: note.bindings,
    });
    let undone = |number: usize| other.undone.contains(&number);
    let goals = frame.goals.iter().enumerate();
    let coverage = goals.clone().map(|(number, goal)| Coverage {
        domain: goal.text.clone(),
        steps: 1,
        covered: usize::from(!undone(number)),
        available: 1,
    });
    let lacking = goals.filter(|(number, _)| undone(*number));
    let mut missing: Vec<Missing> = lacking
        .map(|(_, goal)| Missing::new(&goal.text, Lack::Tool))
        .collect();
    let serves: Vec<Account> = other.serves.iter().map(account).collect();
    let unused = serves
        .iter()
        .filter(|account| account.slot == ENTITY && account.step.is_none());
    let unused: Vec<String> = unused.map(|account| account.said.clone()).collect();
    missing.extend(unused.iter().map(|said| Missing::new(said, Lack::Place)));
    Drafted {
        strategy: other.strategy,
        steps: steps.collect(),
        coverage: coverage.collect(),
        missing,
        serves,
        open_inputs: other.open_inputs,
        unused,
        inferred: Vec::new(),
        fit,
        draft: other.draft,
    }
}

fn account(served: &Served) -> Account {
    let (goal, slot) = match served.what {
        What::Goal(number) => (number, "act"),
        What::Entity(_) => (0, ENTITY),
    };
    Account {
        goal,
        slot: slot.to_owned(),
        said: served.said.clone(),
        value: None,
        step: served.step.clone(),
        argument: served.argument.clone(),
    }
}

/// Words that are doubtful, and parts of the frame that no step serves.
fn missing(frame: &Frame, accounts: &[Account]) -> Vec<Missing> {
    let doubtful = frame.doubtful.iter();
    let mut found: Vec<Missing> = doubtful
        .map(|said| Missing::new(&said.text, Lack::Words))
        .collect();
    let unserved = accounts.iter().filter(|account| account.step.is_none());
    for account in unserved.filter(|account| !account.said.is_empty()) {
        if !found.iter().any(|known| known.capability == account.said) {
            found.push(Missing::new(&account.said, Lack::Tool));
        }
    }
    found
}

fn coverage(frame: &Frame, made: &Made) -> Vec<Coverage> {
    let of_goal = |number: usize| {
        made.accounts
            .iter()
            .filter(move |account| account.goal == number)
    };
    let goals = frame.goals.iter().enumerate();
    goals
        .flat_map(|(number, goal)| {
            let domains = domains(goal, &made.accounts);
            if !domains.is_empty() {
                return domains;
            }
            let whole = of_goal(number).all(|account| account.step.is_some());
            let mut steps: Vec<&str> = of_goal(number)
                .filter_map(|account| account.step.as_deref())
                .collect();
            steps.sort_unstable();
            steps.dedup();
            vec![Coverage {
                domain: goal.text.clone(),
                steps: steps.len(),
                covered: usize::from(whole),
                available: 1,
            }]
        })
        .collect()
}

/// What several tools cover together, one by one.
fn domains(goal: &Goal, accounts: &[Account]) -> Vec<Coverage> {
    let slot = Acts::table()
        .act(&goal.act)
        .and_then(|act| act.covers.as_deref());
    let parts = slot.into_iter().flat_map(|slot| goal.all(slot));
    let of_part = parts.filter_map(|part| {
        let domain = part.value.as_str()?;
        let of_domain = |account: &&Account| account.value.as_ref() == Some(&part.value);
        let steps = accounts.iter().filter(of_domain);
        let steps = steps.filter(|account| account.step.is_some()).count();
        Some(Coverage {
            domain: domain.to_owned(),
            steps,
            covered: usize::from(steps > 0),
            available: 1,
        })
    });
    of_part.collect()
}

/// Why a step is there: the words that it serves, or that another step needs it.
fn note(step: &Step, made: &Made) -> StepNote {
    let call = step.step.as_deref().unwrap_or(step);
    let served = || {
        made.accounts
            .iter()
            .filter(|account| account.step.as_deref() == Some(&step.id))
    };
    let mut words: Vec<String> = Vec::new();
    for account in served() {
        let said = format!("“{}”", account.said);
        if !account.said.is_empty() && !words.contains(&said) {
            words.push(said);
        }
    }
    let bindings = served().filter_map(|account| {
        Some(Binding {
            parameter: account.argument.clone()?,
            source: Source::Schema { value: Value::Null },
            confidence: 1.0,
            reason: format!("“{}” in the request", account.said),
            entities: Vec::new(),
        })
    });
    StepNote {
        step: step.id.clone(),
        tool: call.tool.clone().unwrap_or_default(),
        reason: if words.is_empty() {
            "makes what a later step takes".to_owned()
        } else {
            format!("serves {}", words.join(", "))
        },
        bindings: bindings.collect(),
    }
}
