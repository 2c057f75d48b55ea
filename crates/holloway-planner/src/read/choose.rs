//! Which reading is meant? The best one whose columns, values and files fit. Where two that
//! differ are equally good, that is a question with both as choices.

use serde_json::Value;

use super::check::{Trouble, check};
use super::embedded::{Reading, read};
use crate::frame::scene::Scene;
use crate::frame::{Frame, Part};

/// Readings that are looked at.
const LOOKED_AT: usize = 8;
/// How much worse a reading may be that fits where the best does not.
const CLOSE: f64 = 0.7;
/// Readings that differ by no more are equally good.
const EQUAL: f64 = 0.05;

/// A request as it was understood, and what is against it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Understood {
    pub frame: Frame,
    pub troubles: Vec<Trouble>,
    pub score: f64,
}

/// Reads a request, checks the readings and takes one of them.
pub fn understand(request: &str, scene: &Scene) -> Understood {
    let readings = read(request, scene).into_iter().take(LOOKED_AT);
    let checked: Vec<Understood> = readings.map(|reading| checked(reading, scene)).collect();
    let Some(best) = checked.first() else {
        return Understood::default();
    };
    let near: Vec<&Understood> = checked
        .iter()
        .filter(|one| one.frame.leftover.len() <= best.frame.leftover.len() && one.score >= best.score - CLOSE)
        .collect();
    let first = near.iter().min_by_key(|one| severity(one)).copied().unwrap_or(best);
    let equal = near.iter().filter(|one| severity(one) == severity(first) && one.score >= first.score - EQUAL);
    // The one that says the most; what says a part of it says nothing else.
    let mut chosen = equal.clone().max_by_key(|one| content(&one.frame).len()).map_or(first, |one| one).clone();
    let rival = equal.clone().find(|one| differs(&one.frame, &chosen.frame));
    if let Some(question) = rival.filter(|_| chosen.troubles.is_empty()).map(|rival| question(&chosen.frame, &rival.frame)) {
        chosen.troubles.push(question);
    }
    chosen
}

fn checked(reading: Reading, scene: &Scene) -> Understood {
    let mut frame = reading.frame;
    let troubles = check(&mut frame, scene);
    Understood {
        frame,
        troubles,
        score: reading.score,
    }
}

/// Nothing against it, something open, or something that does not fit.
fn severity(one: &Understood) -> u8 {
    let of = |trouble: &Trouble| match trouble {
        Trouble::Open { .. } => 1,
        Trouble::Unfit { .. } => 2,
        Trouble::Leftover { .. } => 3,
    };
    one.troubles.iter().map(of).max().unwrap_or_default()
}

fn content(frame: &Frame) -> Vec<(usize, &str, &str, String)> {
    let mut parts = Vec::new();
    for (number, goal) in frame.goals.iter().enumerate() {
        parts.push((number, goal.act.as_str(), "", String::new()));
        let of = |part: &'_ Part| part.value.to_string();
        parts.extend(goal.parts.iter().map(|part| (number, goal.act.as_str(), part.slot.as_str(), of(part))));
    }
    parts.sort();
    parts
}

/// Whether one says something that the other does not.
fn differs(one: &Frame, other: &Frame) -> bool {
    let known = content(other);
    content(one).iter().any(|part| !known.contains(part))
}

/// The first thing in which two frames differ, with what each makes of it.
fn question(one: &Frame, other: &Frame) -> Trouble {
    for (number, goal) in one.goals.iter().enumerate() {
        let rival = other.goals.get(number);
        let known = |part: &Part| rival.is_some_and(|goal| goal.parts.iter().any(|other| same(part, other)));
        let Some(part) = goal.parts.iter().find(|part| !known(part)) else {
            continue;
        };
        let mut choices = vec![shown(part)];
        let others = rival.into_iter().flat_map(|rival| &rival.parts);
        let others = others.filter(|other| !goal.parts.iter().any(|part| same(part, other)));
        let mut others: Vec<&Part> = others.collect();
        others.sort_by_key(|other| other.slot != part.slot);
        choices.extend(others.first().map(|other| shown(other)));
        return Trouble::Open {
            goal: number,
            slot: part.slot.clone(),
            about: format!("what is meant by “{}”", part.said.text),
            choices,
        };
    }
    Trouble::Open {
        goal: 0,
        slot: "act".to_owned(),
        about: "what is to be done".to_owned(),
        choices: [one, other].iter().filter_map(|frame| frame.goals.first()).map(|goal| goal.act.clone()).collect(),
    }
}

fn same(one: &Part, other: &Part) -> bool {
    one.slot == other.slot && one.value == other.value
}

/// The column it is about, or all of it.
fn shown(part: &Part) -> String {
    let column = part.text("column").map(str::to_owned);
    column.unwrap_or_else(|| match &part.value {
        Value::String(text) => format!("{}: {text}", part.slot),
        value => format!("{}: {value}", part.slot),
    })
}
