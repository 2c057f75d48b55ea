//! What of a request is left undone, and why? What no tool at hand does, what was not
//! understood, files that no step takes, and conditions that nobody looks at first.

use holloway_plan::draft::Draft;
use holloway_search::rank::Hit;
use serde::Serialize;
use serde_json::Value;

use super::{beyond, conditions, fitting, targets, words};
use crate::catalogue::Catalogue;
use crate::request::conditions::{Condition, Said};
use crate::request::provisos::provisos;
use crate::request::{Analysis, Capability, EntityKind};

/// A part of a request that a plan does not do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// In the words of the request.
    pub capability: String,
    pub lack: Lack,
    /// What could be added, as `tools add` takes it.
    pub install: Vec<String>,
}

/// Why a part is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// No tool at hand does it.
    Tool,
    /// It was not understood.
    Words,
    /// It was understood and does not fit what is there.
    Unfit,
    /// It names a file or an address that no step takes.
    Place,
    /// It says what the rest depends on, and no step looks first.
    Condition,
}

impl Missing {
    pub fn new(capability: impl Into<String>, lack: Lack) -> Self {
        Self {
            capability: capability.into(),
            lack,
            install: Vec::new(),
        }
    }

    /// Whether it is this part of the request, or in it.
    pub(super) fn is_in(&self, part: &str) -> bool {
        // What was not understood stands before what could be said instead.
        let said = self.capability.split(" (").next().unwrap_or_default();
        part == self.capability || part.contains(said)
    }

    /// For people: "no tool for “knit a pullover”".
    pub fn told(&self) -> String {
        let said = &self.capability;
        match self.lack {
            Lack::Tool => format!("no tool for “{said}”"),
            Lack::Words => format!("not clear: “{said}”"),
            Lack::Unfit => said.clone(),
            Lack::Place => format!("no step takes what is named in “{said}”"),
            Lack::Condition => format!("no step looks first: “{said}”"),
        }
    }
}

/// What a request asks for and no tool at hand does; also where there is no draft at all.
pub fn missing(analysis: &Analysis, catalogue: &Catalogue) -> Vec<Missing> {
    if let Some(part) = beyond::beyond(analysis, catalogue) {
        return vec![part];
    }
    if !analysis.is_english() {
        return vec![Missing::new(&analysis.request, Lack::Words)];
    }
    // What was not understood would be missed whatever tools there are.
    if let Some(part) = &analysis.unclear
        && conditions::is_for_rows(catalogue, &[])
    {
        return vec![Missing::new(part, Lack::Words)];
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
    let told = told.into_iter();
    told.map(|capability| Missing::new(&capability.text, Lack::Tool))
        .collect()
}

/// Conditions on rows that no step of the draft knows of.
pub(super) fn dropped(analysis: &Analysis, draft: &Draft) -> Vec<Missing> {
    let given = given(draft).to_lowercase();
    let lost = analysis.conditions.iter();
    let lost = lost.filter(|said| match &said.condition {
        Condition::Keep(keep) => !given.contains(&keep.column.to_lowercase()),
        _ => false,
    });
    let text = |said: &Said| analysis.request.get(said.place.clone());
    lost.filter_map(text)
        .map(|part| Missing::new(part, Lack::Tool))
        .collect()
}

/// What deeds depend on: no step of a draft of ours is taken or left by what another found.
pub(super) fn unheeded(analysis: &Analysis) -> impl Iterator<Item = Missing> {
    let provisos = provisos(analysis).into_iter();
    provisos.map(|proviso| Missing::new(proviso, Lack::Condition))
}

/// The parts of the request that name what no step takes.
pub(super) fn untouched(analysis: &Analysis, unused: &[String]) -> Vec<Missing> {
    let mut parts: Vec<Missing> = Vec::new();
    for name in unused {
        let mut capabilities = analysis.capabilities.iter();
        let naming = capabilities.find(|one| one.text.contains(name.as_str()));
        let part = naming.map_or(name, |capability| &capability.text);
        if !parts.iter().any(|known| known.capability == *part) {
            parts.push(Missing::new(part, Lack::Place));
        }
    }
    parts
}

/// The files and addresses of the request that nothing in the draft takes, but for those
/// that are to be left alone.
pub(super) fn unused(analysis: &Analysis, draft: &Draft) -> Vec<String> {
    let taken = given(draft);
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

/// All that the steps of a draft are given, as text.
fn given(draft: &Draft) -> String {
    let inputs = draft.input.as_ref().map(Value::to_string);
    let mut given = inputs.unwrap_or_default();
    draft.walk(&mut |step| {
        for value in step.input.iter().chain(&step.over) {
            given.push_str(&value.to_string());
        }
    });
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_with_its_reason() {
        let told = |lack| Missing::new("knit a pullover", lack).told();
        assert_eq!(told(Lack::Tool), "no tool for “knit a pullover”");
        assert_eq!(told(Lack::Words), "not clear: “knit a pullover”");
    }
}
