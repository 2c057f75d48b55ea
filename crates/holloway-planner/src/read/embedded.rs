//! How does Holloway read by itself? It finds the phrases of a language that take in the most
//! words, and makes goals of what they say. Words that no phrase takes in are left over; whoever
//! plans with the frame must not pass over them.

use serde_json::{Map, Value};

use super::compounds::come_apart;
use super::cover::{Cover, counts};
use super::holes::Holes;
use super::passing::{ClauseSigns, Passing, Weighed, WordSigns};
use super::phrases::{Match, matches};
use super::spelling::{put_right, was_put_right};
use super::tokens::{Token, TokenKind, tokens};
use super::weighing::{Weighing, runs};
use crate::frame::acts::Acts;
use crate::frame::scene::Scene;
use crate::frame::{Frame, Goal, Part, Said};
use crate::lexicon::Lexicon;

/// What a request that says nothing of its act asks for.
const DEFAULT_ACT: &str = "select";
/// More than one word of so many must be known for a language to be spoken.
const ENOUGH: usize = 3;
/// The slot of what a phrase says about the work: time, money, what matters most.
const LIMITS: &str = "constraints";

/// A frame and how well it accounts for the request.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameReading {
    pub frame: Frame,
    pub score: f64,
    /// Words that have to be accounted for.
    pub words: usize,
}

/// Frames for a request, the best first, in the language that the words are of.
pub fn read(request: &str, scene: &Scene) -> Vec<FrameReading> {
    let lexicon = language(&tokens(request));
    let passing = Passing::shipped().copied().unwrap_or_default();
    with_words(request, scene, lexicon, |words, holes| {
        let weighing = Weighing::of(words, &passing, holes);
        weighing.readings(request, words, holes)
    })
}

/// The signs of every clause of a request, and of the words that the best reading leaves over.
pub fn weighed(
    request: &str,
    scene: &Scene,
    lexicon: &Lexicon,
    passing: &Passing,
) -> (Vec<Weighed<ClauseSigns>>, Vec<Weighed<WordSigns>>) {
    with_words(request, scene, lexicon, |words, holes| {
        let weighing = Weighing::of(words, passing, holes);
        let at = |places: &std::ops::Range<usize>| said(request, words.tokens, places.clone()).at;
        let clauses = weighing.clauses.iter();
        let clauses = clauses.map(|clause| Weighed {
            at: at(&clause.at),
            signs: clause.signs,
        });
        let left = weighing.best_left(words);
        let left = runs(&left).into_iter().filter_map(|run| {
            let leftover = weighing.leftover(words, run.clone(), &left);
            // What is never passed over teaches nothing about the rest.
            (!leftover.is_telling()).then(|| Weighed {
                at: at(&run),
                signs: leftover.signs(holes),
            })
        });
        (clauses.collect(), left.collect())
    })
}

/// The words of a request, put right and taken apart, and the phrases that stand there.
pub(super) struct RequestWords<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) matched: Vec<Vec<Match>>,
    pub(super) lexicon: &'a Lexicon,
    pub(super) request: &'a str,
}

fn with_words<Out>(
    request: &str,
    scene: &Scene,
    lexicon: &Lexicon,
    with: impl FnOnce(&RequestWords<'_>, &mut Holes<'_>) -> Out,
) -> Out {
    let mut tokens = come_apart(tokens(request), lexicon, scene);
    put_right(&mut tokens, lexicon, scene);
    let beforehand = Holes::new(request, &[], scene, lexicon);
    for token in &mut tokens {
        token.idle = beforehand.is_idle(token);
    }
    let mut holes = beforehand.over(&tokens);
    let words = RequestWords {
        matched: matches(&tokens, lexicon, &mut holes),
        tokens: &tokens,
        lexicon,
        request,
    };
    with(&words, &mut holes)
}

/// The shipped language of which the request has the most words.
pub(crate) fn language(tokens: &[Token]) -> &'static Lexicon {
    static NONE: std::sync::LazyLock<Lexicon> = std::sync::LazyLock::new(Lexicon::default);
    let words = || tokens.iter().filter(|token| token.kind == TokenKind::Word);
    let known = |lexicon: &Lexicon| {
        let telling = words().filter(|token| lexicon.words.known_by.contains(&token.lower));
        let telling = telling.count();
        // A few words may hold none by which the language is known.
        let others = words().filter(|token| lexicon.index().knows(&token.lower, lexicon));
        (telling, if telling == 0 { others.count() } else { 0 })
    };
    let mut best: Option<(&'static Lexicon, (usize, usize))> = None;
    for lexicon in Lexicon::shipped() {
        let count = known(lexicon);
        if best.is_none_or(|(_, most)| count > most) {
            best = Some((lexicon, count));
        }
    }
    best.map_or(&NONE, |(lexicon, _)| lexicon)
}

pub(super) fn frame(
    request: &str,
    tokens: &[Token],
    cover: &Cover<'_>,
    lexicon: &Lexicon,
) -> Frame {
    let acts = Acts::table();
    let mut frame = Frame {
        language: spoken(tokens, lexicon),
        ..Frame::default()
    };
    let mut goal = Goal::default();
    let mut talks = false;
    for found in &cover.matches {
        let Some(phrase) = lexicon.phrases.get(found.phrase) else {
            continue;
        };
        talks |= phrase.talk;
        for (field, value) in found.parts.iter().filter_map(limit).flatten() {
            frame.constraints.add(field, value);
        }
        let only_limits =
            phrase.act.is_none() && found.parts.iter().all(|part| limit(part).is_some());
        if phrase.idle || phrase.talk || only_limits {
            continue;
        }
        let said = said(request, tokens, found.start..found.end);
        if let Some(act) = &phrase.act {
            let goes_on = !comes_after(&goal, &found.parts)
                && (goal.act.is_empty() || goal.act == *act && !clashes(acts, &goal, &found.parts));
            if !goes_on {
                frame.goals.push(std::mem::take(&mut goal));
            }
            if goal.act.is_empty() {
                goal.act.clone_from(act);
                goal.said = said.clone();
            }
        }
        for (slot, value) in found.parts.iter().filter(|part| limit(part).is_none()) {
            add(&mut goal, slot, value.clone(), &said);
        }
        frame.notes.extend(found.notes.iter().cloned());
        let put_right = tokens
            .get(found.start..found.end)
            .unwrap_or_default()
            .iter()
            .filter(|token| was_put_right(token));
        frame.notes.extend(
            put_right.map(|token| format!("`{}` was read as `{}`", token.text, token.lower)),
        );
    }
    if !goal.act.is_empty() || !goal.parts.is_empty() {
        frame.goals.push(goal);
    }
    if frame.goals.len() > 1 {
        // "Which" or "find" by itself asks for nothing.
        frame
            .goals
            .retain(|goal| goal.act != DEFAULT_ACT || !goal.parts.is_empty());
    }
    frame.goals = frame.goals.into_iter().flat_map(cut_first).collect();
    for goal in &mut frame.goals {
        if goal.act.is_empty() {
            DEFAULT_ACT.clone_into(&mut goal.act);
        }
        goal.text = text_of(request, goal);
    }
    if talks && frame.goals.is_empty() && cover.left.is_empty() {
        frame.no_plan = Some(String::new());
    }
    frame.notes.sort();
    frame.notes.dedup();
    frame
}

/// The words of phrases that another one had to go on with, and none does: "and then sort it".
pub(super) fn unfinished(tokens: &[Token], cover: &Cover<'_>, lexicon: &Lexicon) -> Vec<usize> {
    let said = |slot: &String| {
        let mut parts = cover.matches.iter().flat_map(|found| &found.parts);
        parts.any(|(known, _)| known == slot)
    };
    let is_open = |found: &&&Match| {
        let phrase = lexicon.phrases.get(found.phrase);
        let opens = phrase.map_or(&[][..], |phrase| phrase.opens.as_slice());
        !opens.is_empty() && !opens.iter().any(said)
    };
    let open = cover.matches.iter().filter(is_open);
    let words = open.flat_map(|found| found.start..found.end);
    words
        .filter(|at| {
            let token = tokens.get(*at);
            token.is_some_and(|token| token.kind == TokenKind::Word && counts(token))
        })
        .collect()
}

/// What a part says about the work and not about a goal.
fn limit((slot, value): &(String, Value)) -> Option<&Map<String, Value>> {
    value.as_object().filter(|_| slot == LIMITS)
}

/// The language, where enough of the words are of it.
fn spoken(tokens: &[Token], lexicon: &Lexicon) -> String {
    let words = tokens.iter().filter(|token| token.kind == TokenKind::Word);
    let known = words
        .clone()
        .filter(|token| lexicon.index().knows(&token.lower, lexicon));
    if ENOUGH * known.count() > words.count() {
        lexicon.language.clone()
    } else {
        String::new()
    }
}

/// Rows were chosen and saved; a figure that is asked for then is of these rows, not in that file.
fn comes_after(goal: &Goal, parts: &[(String, Value)]) -> bool {
    let figure = parts.iter().any(|(slot, _)| slot == "measures");
    let saved = goal.has("target") && !goal.has("measures");
    figure
        && saved
        && goal
            .parts
            .iter()
            .any(|part| decides_rows(part) || part.slot == "columns")
}

fn decides_rows(part: &Part) -> bool {
    let slot = Acts::table().slot(&part.slot);
    slot.is_some_and(|slot| slot.rows)
}

/// One figure of the first or largest few rows: the rows are cut before it is reckoned.
fn cut_first(goal: Goal) -> Vec<Goal> {
    let one_figure = goal.has("measures") && !goal.has("group") && !goal.has("period");
    let plain = goal.act.is_empty() || goal.act == DEFAULT_ACT;
    if !(plain && one_figure && goal.has("limit")) {
        return vec![goal];
    }
    let of_rows =
        |part: &Part| decides_rows(part) || matches!(part.slot.as_str(), "sources" | "compute");
    let (rows, figure) = goal.parts.into_iter().partition(of_rows);
    let with = |parts| Goal {
        act: DEFAULT_ACT.to_owned(),
        said: goal.said.clone(),
        parts,
        ..Goal::default()
    };
    vec![with(rows), with(figure)]
}

/// Whether parts cannot belong to the goal: what can be said once is said already.
fn clashes(acts: &Acts, goal: &Goal, parts: &[(String, Value)]) -> bool {
    let core = acts.act(&goal.act).is_some_and(|act| act.core);
    parts.iter().any(|(slot, value)| {
        let single = acts.slots.get(slot).is_some_and(|slot| slot.single);
        let known = goal.all(slot).any(|part| part.value != *value);
        known && (single || core && slot == "sources")
    })
}

/// The same thing said twice is one part.
fn add(goal: &mut Goal, slot: &str, value: Value, said: &Said) {
    let known = goal
        .parts
        .iter()
        .any(|part| part.slot == slot && part.value == value);
    if !known {
        goal.parts.push(Part::new(slot, value, said.clone()));
    }
}

pub(super) fn said(request: &str, tokens: &[Token], places: std::ops::Range<usize>) -> Said {
    let taken = tokens.get(places).unwrap_or_default();
    let at = match (taken.first(), taken.last()) {
        (Some(first), Some(last)) => first.at.start..last.at.end,
        _ => 0..0,
    };
    Said {
        text: request.get(at.clone()).unwrap_or_default().to_owned(),
        at,
    }
}

/// The words from the first to the last thing that was said of a goal.
fn text_of(request: &str, goal: &Goal) -> String {
    let places = goal
        .parts
        .iter()
        .map(|part| &part.said.at)
        .chain([&goal.said.at]);
    let places: Vec<_> = places.filter(|at| !at.is_empty()).collect();
    let start = places.iter().map(|at| at.start).min().unwrap_or_default();
    let end = places.iter().map(|at| at.end).max().unwrap_or_default();
    request.get(start..end).unwrap_or_default().to_owned()
}
