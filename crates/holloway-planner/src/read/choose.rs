//! Which reading is meant? The best one whose columns, values and files fit. Where two that
//! differ are equally good, that is a question with both as choices.

use serde_json::Value;

use super::answers::put_in;
use super::check::{Trouble, check};
use super::embedded::{FrameReading, read};
use crate::frame::scene::Scene;
use crate::frame::{Frame, Goal, Part};

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
    /// How far the next reading lies behind that says something else and fits no worse.
    pub margin: f64,
    /// Words that have to be accounted for.
    pub words: usize,
}

/// Reads a request, checks the readings and takes one of them.
pub fn understand(request: &str, scene: &Scene) -> Understood {
    understand_with(request, scene, &[])
}

/// The same, with answers to the questions that it raises, in their order.
pub fn understand_with(request: &str, scene: &Scene, answers: &[String]) -> Understood {
    let mut answers = answers.iter().peekable();
    let mut understood = chosen(request, scene, &mut answers);
    for answer in answers {
        understood = put_in(understood, answer, scene);
    }
    understood
}

fn chosen<'a>(
    request: &str,
    scene: &Scene,
    answers: &mut std::iter::Peekable<impl Iterator<Item = &'a String>>,
) -> Understood {
    let checked = readings(request, scene);
    let Some(best) = checked.first() else {
        return Understood::default();
    };
    let near: Vec<&Understood> = checked
        .iter()
        .filter(|one| {
            one.frame.leftover.len() <= best.frame.leftover.len() && one.score >= best.score - CLOSE
        })
        .collect();
    let first = near
        .iter()
        .min_by_key(|one| severity(one))
        .copied()
        .unwrap_or(best);
    let equal = near
        .iter()
        .filter(|one| severity(one) == severity(first) && one.score >= first.score - EQUAL);
    // The one that says the most; what says a part of it says nothing else.
    let mut chosen = equal
        .clone()
        .max_by_key(|one| content(&one.frame).len())
        .map_or(first, |one| one)
        .clone();
    let rival = equal.clone().find(|one| differs(&one.frame, &chosen.frame));
    let Some(rival) = rival.filter(|_| chosen.troubles.is_empty()) else {
        return chosen;
    };
    let question = question(&chosen.frame, &rival.frame);
    let Trouble::Open { choices, .. } = &question else {
        return chosen;
    };
    let place = answers
        .peek()
        .and_then(|answer| choices.iter().position(|choice| choice == *answer));
    match place {
        Some(0) => {
            answers.next();
        }
        Some(_) => {
            answers.next();
            chosen = (**rival).clone();
        }
        None => chosen.troubles.push(question),
    }
    chosen
}

/// All readings that are looked at, the best first.
pub fn readings(request: &str, scene: &Scene) -> Vec<Understood> {
    let found = read(request, scene).into_iter().take(LOOKED_AT);
    let mut found: Vec<Understood> = found.map(|reading| checked(reading, scene)).collect();
    let margins: Vec<f64> = found.iter().map(|one| margin(one, &found)).collect();
    for (one, margin) in found.iter_mut().zip(margins) {
        one.margin = margin;
    }
    found
}

fn margin(one: &Understood, all: &[Understood]) -> f64 {
    let rivals = all
        .iter()
        .filter(|rival| severity(rival) <= severity(one) && differs(&rival.frame, &one.frame));
    let behind = rivals.map(|rival| one.score - rival.score);
    behind.fold(f64::INFINITY, f64::min)
}

fn checked(reading: FrameReading, scene: &Scene) -> Understood {
    let mut frame = reading.frame;
    let troubles = check(&mut frame, scene);
    Understood {
        frame,
        troubles,
        score: reading.score,
        margin: 0.0,
        words: reading.words,
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
        parts.extend(
            goal.parts
                .iter()
                .map(|part| (number, goal.act.as_str(), part.slot.as_str(), of(part))),
        );
    }
    parts.sort();
    parts
}

/// Whether one says something that the other does not.
fn differs(one: &Frame, other: &Frame) -> bool {
    let known = content(other);
    content(one).iter().any(|part| !known.contains(part))
}

/// The first goal in which two frames differ, with what each makes of it.
fn question(one: &Frame, other: &Frame) -> Trouble {
    let pairs = one.goals.iter().zip(&other.goals).enumerate();
    let mut differing =
        pairs.filter(|(_, (one, other))| one.act != other.act || !only_in(one, other).is_empty());
    let Some((number, (goal, rival))) = differing.next() else {
        return Trouble::Open {
            goal: 0,
            slot: "goals".to_owned(),
            about: "how many things are to be done".to_owned(),
            choices: [one, other]
                .map(|frame| frame.goals.len().to_string())
                .to_vec(),
        };
    };
    let parts = only_in(goal, rival);
    let said = parts.first().map_or(&goal.said, |part| &part.said);
    Trouble::Open {
        goal: number,
        slot: parts
            .first()
            .map_or("act", |part| part.slot.as_str())
            .to_owned(),
        about: format!("what is meant by “{}”", said.text),
        choices: vec![shown(goal, &parts), shown(rival, &only_in(rival, goal))],
    }
}

/// The parts of a goal that another does not have.
fn only_in<'a>(goal: &'a Goal, other: &Goal) -> Vec<&'a Part> {
    let known = |part: &&Part| {
        other
            .parts
            .iter()
            .any(|other| other.slot == part.slot && other.value == part.value)
    };
    goal.parts.iter().filter(|part| !known(part)).collect()
}

/// What is asked, by slots and columns: `group customer, measures sum qty`.
fn shown(goal: &Goal, parts: &[&Part]) -> String {
    let of = |part: &&Part| {
        let texts = ["function", "column", "op", "value"]
            .iter()
            .filter_map(|field| part.value.get(field));
        let texts = texts.map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        });
        let texts: Vec<String> = match &part.value {
            Value::Object(_) => texts.collect(),
            Value::String(text) => vec![text.clone()],
            other => vec![other.to_string()],
        };
        format!("{} {}", part.slot, texts.join(" "))
    };
    if parts.is_empty() {
        return goal.act.clone();
    }
    parts.iter().map(of).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::scene::{Column, File, Holds};

    /// Two columns of texts that share a value, and one of numbers.
    fn scene() -> Scene {
        let texts = |name: &str| Column {
            name: name.to_owned(),
            values: vec!["Berlin".to_owned()],
            ..Column::default()
        };
        let numbers = Column {
            name: "amount".to_owned(),
            holds: Holds::Numbers,
            ..Column::default()
        };
        let file = File {
            name: "trips.csv".to_owned(),
            columns: vec![texts("start"), texts("goal"), numbers],
        };
        Scene {
            files: vec![file],
            ..Scene::default()
        }
    }

    fn check(request: &str, expected: &[&str]) {
        let understood = understand(request, &scene());
        let choices = understood
            .troubles
            .iter()
            .filter_map(|trouble| match trouble {
                Trouble::Open { choices, .. } => Some(choices.join(" | ")),
                _ => None,
            });
        assert_eq!(choices.collect::<Vec<_>>(), expected, "{request}");
    }

    #[test]
    fn two_equal_readings_are_a_question() {
        check(
            "show the trips from Berlin in trips.csv",
            &["filters start eq Berlin | filters goal eq Berlin"],
        );
        check("show the trips with goal Berlin in trips.csv", &[]);
        check(
            "which goal has the highest amount in trips.csv?",
            &[
                "group goal, measures sum amount, order amount_sum | order amount, columns goal, columns amount",
            ],
        );
        check("total amount per goal in trips.csv", &[]);
    }
}
