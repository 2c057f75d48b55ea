//! Which candidates together? The parameter whose best candidate stands out most chooses
//! first; what it takes counts less for the others.

use holloway_plan::tool::ToolSpec;
use serde_json::{Map, Value};

use super::candidates::{Candidate, Origin, candidates};
use super::features::{Features, Step, has_sign};
use super::reason::reason;
use super::weights::{SPENT, SPENT_LIST, SPENT_RESULT, score, weights};
use super::{Binding, Situation, Source};
use crate::catalogue::fit::{Fit, names_agree};
use crate::catalogue::parameter::Parameter;
use crate::catalogue::shape::Kind;
use crate::frame::Frame;
use crate::read::spans::Reading;
use crate::read::stated::{Stated, stated};

pub fn choose(tool: &ToolSpec, situation: &Situation<'_>, reading: &Reading) -> Vec<Binding> {
    let parameters = Parameter::of_tool(tool);
    let step = Step::new(tool.id.as_str(), situation, reading);
    let chosen = pick(&step, &parameters, &weights());
    let excluded = excluded(&parameters, &chosen);
    let mut bindings = Vec::new();
    for (parameter, choice) in parameters.iter().zip(chosen) {
        if excluded.contains(&parameter.name) {
            continue;
        }
        bindings.extend(binding(&step, parameter, choice));
    }
    bindings
}

/// Of parameters that must not be given together, all but the surest.
fn excluded<'a>(parameters: &[Parameter<'a>], chosen: &[Choice]) -> Vec<&'a str> {
    let given = |choice: &Choice| choice.candidate.origin != Origin::Nothing;
    let pairs: Vec<(&Parameter<'a>, &Choice)> = parameters.iter().zip(chosen).collect();
    let given: Vec<_> = pairs
        .into_iter()
        .filter(|(_, choice)| given(choice))
        .collect();
    let mut excluded = Vec::new();
    for (parameter, choice) in &given {
        for name in parameter.excludes() {
            let other = given.iter().find(|(other, _)| other.name == name);
            let Some((other, rival)) = other.filter(|(other, _)| other.name != parameter.name)
            else {
                continue;
            };
            let is_surer =
                (parameter.required, choice.confidence) >= (other.required, rival.confidence);
            let loser = if is_surer { other.name } else { parameter.name };
            let winner = if is_surer { parameter.name } else { other.name };
            if !excluded.contains(&winner) && !excluded.contains(&loser) {
                excluded.push(loser);
            }
        }
    }
    excluded
}

/// What was chosen for one parameter, and how sure that is.
#[derive(Clone, Debug)]
pub struct Choice {
    pub candidate: Candidate,
    pub confidence: f32,
}

/// What a parameter could be, with what speaks for it; results that only happen to be of
/// the right kind are left out.
pub fn weighed(step: &Step<'_, '_>, parameter: &Parameter<'_>) -> Vec<(Candidate, Features)> {
    let candidates = candidates(step, parameter);
    let mut weighed = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let features = step.features(parameter, &candidate);
        let is_result = matches!(candidate.origin, Origin::Earlier { .. });
        if !is_result || has_sign(&features) {
            weighed.push((candidate, features));
        }
    }
    weighed
}

/// One choice for each parameter, in their order.
pub fn pick(step: &Step<'_, '_>, parameters: &[Parameter<'_>], weights: &Features) -> Vec<Choice> {
    let mut slots: Vec<Slot> = Vec::new();
    for (place, parameter) in parameters.iter().enumerate() {
        let (candidates, features): (Vec<_>, Vec<_>) = weighed(step, parameter).into_iter().unzip();
        let scores = features.iter().map(|features| score(features, weights));
        let scores = scores.collect();
        slots.push(Slot {
            place,
            candidates,
            scores,
        });
    }
    leave_lists_whole(&mut slots, parameters);
    for stated in stated_for(step, parameters) {
        if let Some(slot) = slots.get_mut(stated.parameter) {
            slot.add_stated(stated);
        }
    }
    slots.sort_by(|one, other| other.margin().total_cmp(&one.margin()));
    let mut spent = Spent::default();
    let mut chosen: Vec<(usize, Choice)> = Vec::new();
    for slot in slots {
        let place = slot.place;
        if let Some(choice) = slot.best(&spent, step.reading) {
            spent.note(&choice.candidate, step.reading);
            chosen.push((place, choice));
        }
    }
    chosen.sort_by_key(|(place, _)| *place);
    chosen.into_iter().map(|(_, choice)| choice).collect()
}

/// What is stated outright: as far as it is known already.
fn stated_for(step: &Step<'_, '_>, parameters: &[Parameter<'_>]) -> Vec<Stated> {
    let Situation { frame, clause, .. } = *step.situation;
    match step.situation.stated {
        Some(known) => known.to_vec(),
        None => stated(step.tool, parameters, frame, clause),
    }
}

/// A tool that takes the list of an earlier step as it is, is not called for one item
/// after the other.
fn leave_lists_whole(slots: &mut [Slot], parameters: &[Parameter<'_>]) {
    let takes_whole = |(slot, parameter): (&Slot, &Parameter<'_>)| {
        let may_be_list = parameter.kind == Kind::Any || parameter.shape.list_items().is_some();
        may_be_list
            && slot
                .candidates
                .iter()
                .any(|it| is_list_named(it, parameter.name))
    };
    if !slots.iter().zip(parameters).any(takes_whole) {
        return;
    }
    for slot in slots {
        for (score, candidate) in slot.scores.iter_mut().zip(&slot.candidates) {
            if let Origin::Earlier { fit, .. } = &candidate.origin
                && matches!(fit, Fit::EachItem { .. })
            {
                *score -= SPENT_LIST;
            }
        }
    }
}

fn is_list_named(candidate: &Candidate, name: &str) -> bool {
    match &candidate.origin {
        Origin::Earlier {
            fit: Fit::Part { path, .. },
            ..
        } => names_agree(path, name) >= 1.0,
        _ => false,
    }
}

/// A parameter with all it could be.
struct Slot {
    place: usize,
    candidates: Vec<Candidate>,
    scores: Vec<f32>,
}

impl Slot {
    /// How far the best stands out.
    fn margin(&self) -> f32 {
        let (mut best, mut second) = (f32::MIN, f32::MIN);
        for score in &self.scores {
            if *score > best {
                (best, second) = (*score, best);
            } else if *score > second {
                second = *score;
            }
        }
        if second > f32::MIN {
            best - second
        } else {
            100.0
        }
    }

    /// What is stated outright counts more than anything else that is said.
    fn add_stated(&mut self, stated: Stated) {
        const SURER: f32 = 1.0;
        let is_said = |candidate: &Candidate| !matches!(candidate.origin, Origin::Earlier { .. });
        let scored = self.candidates.iter().zip(&self.scores);
        let said = scored.filter(|(candidate, _)| is_said(candidate));
        let best = said.map(|(_, score)| *score).fold(f32::MIN, f32::max);
        self.scores.push(best + SURER);
        self.candidates.push(Candidate {
            origin: Origin::Stated {
                place: stated.place,
            },
            value: stated.value,
        });
    }

    fn best(self, spent: &Spent, reading: &Reading) -> Option<Choice> {
        let mut scores = self.scores;
        for (score, candidate) in scores.iter_mut().zip(&self.candidates) {
            *score -= spent.penalty(candidate, reading);
        }
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let all: f32 = scores.iter().map(|score| (score - most).exp()).sum();
        let best = scores.iter().position(|score| *score >= most)?;
        let candidate = self.candidates.into_iter().nth(best)?;
        Some(Choice {
            candidate,
            confidence: 1.0 / all.max(1.0),
        })
    }
}

/// What other parameters of the step have taken.
#[derive(Default)]
struct Spent {
    places: Vec<std::ops::Range<usize>>,
    results: Vec<Value>,
}

impl Spent {
    fn note(&mut self, candidate: &Candidate, reading: &Reading) {
        if matches!(candidate.origin, Origin::Earlier { .. }) {
            self.results.push(candidate.value.clone());
        }
        self.places.extend(candidate.origin.place(reading));
    }

    fn penalty(&self, candidate: &Candidate, reading: &Reading) -> f32 {
        if matches!(candidate.origin, Origin::Earlier { .. }) {
            let taken = self.results.contains(&candidate.value);
            return if taken { SPENT_RESULT } else { 0.0 };
        }
        let place = candidate.origin.place(reading);
        let taken = place.is_some_and(|place| {
            self.places
                .iter()
                .any(|own| own.start < place.end && place.start < own.end)
        });
        if taken { SPENT } else { 0.0 }
    }
}

fn binding(step: &Step<'_, '_>, parameter: &Parameter<'_>, choice: Choice) -> Option<Binding> {
    let Choice {
        candidate,
        confidence,
    } = choice;
    let mut why = reason(&candidate.origin, step.situation, step.reading);
    let place = candidate.origin.place(step.reading);
    let entities = step.situation.frame.taken(&candidate.origin, step.reading);
    let exactly = |number: &&usize| {
        let entity = step.situation.frame.entities.get(**number);
        matches!(
            candidate.origin,
            Origin::Span { .. } | Origin::Several { .. }
        ) || entity.is_some_and(|entity| Some(&entity.place) == place.as_ref())
    };
    let number = entities.iter().find(exactly).copied();
    let value = candidate.value;
    let source = match candidate.origin {
        Origin::Nothing => match object(step, parameter) {
            Some((source, parts)) => {
                why = parts;
                source
            }
            None if parameter.required => Source::Input {
                name: parameter.name.to_owned(),
            },
            None => return None,
        },
        Origin::Earlier { number, fit, .. } => Source::Earlier {
            step: step.situation.earlier.get(number)?.step.to_owned(),
            path: fit.path().to_owned(),
        },
        Origin::Span { .. }
        | Origin::Several { .. }
        | Origin::Choice { .. }
        | Origin::Stated { .. }
        | Origin::Flag { .. } => match (number, place) {
            (Some(entity), _) => Source::Request { entity, value },
            (None, place) => Source::Words {
                place: place.unwrap_or_default(),
                value,
            },
        },
        Origin::Default | Origin::Only | Origin::Usual => Source::Schema { value },
        Origin::Past { .. } => Source::Past { value },
    };
    Some(Binding {
        parameter: parameter.name.to_owned(),
        source,
        entities,
        confidence,
        reason: why,
    })
}

impl Frame {
    /// The entities that a candidate is made of.
    fn taken(&self, origin: &Origin, reading: &Reading) -> Vec<usize> {
        let of_span = |number: &usize| reading.spans.get(*number)?.sort.entity();
        let place = match origin {
            Origin::Span { number, .. } => return of_span(number).into_iter().collect(),
            Origin::Several { numbers } => return numbers.iter().filter_map(of_span).collect(),
            Origin::Choice { place } | Origin::Flag { place } | Origin::Stated { place } => place,
            _ => return Vec::new(),
        };
        let entities = self.entities.iter().enumerate();
        let inside = entities
            .filter(|(_, entity)| entity.place.start < place.end && place.start < entity.place.end);
        inside.map(|(number, _)| number).collect()
    }
}

/// An object whose required fields the request says, one level deep.
fn object(step: &Step<'_, '_>, parameter: &Parameter<'_>) -> Option<(Source, String)> {
    if parameter.kind != Kind::Object || !parameter.required {
        return None;
    }
    let fields = Parameter::of_schema(parameter.shape);
    if !fields.iter().any(|field| field.required) {
        return None;
    }
    let alone = Situation {
        earlier: &[],
        stated: Some(&[]),
        ..*step.situation
    };
    let inner = Step::new("", &alone, step.reading);
    let mut value = Map::new();
    let mut first = None;
    let mut place = None;
    let mut said = Vec::new();
    for (field, choice) in fields.iter().zip(pick(&inner, &fields, &weights())) {
        let origin = &choice.candidate.origin;
        if *origin == Origin::Nothing {
            if field.required {
                return None;
            }
            continue;
        }
        first = first.or(origin.entity(step.reading));
        place = place.or(origin.place(step.reading));
        let why = reason(origin, step.situation, step.reading);
        if !said.contains(&why) {
            said.push(why);
        }
        value.insert(field.name.to_owned(), choice.candidate.value);
    }
    let value = Value::Object(value);
    if !parameter.shape.admits(&value) {
        return None;
    }
    let source = match first {
        Some(entity) => Source::Request { entity, value },
        None => Source::Words {
            place: place.unwrap_or_default(),
            value,
        },
    };
    Some((source, said.join(", ")))
}
