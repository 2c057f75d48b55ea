//! What is asked of tools that are in no table of acts? The clauses of a request as goals with the act
//! `other`, each with its verb, its object and its place. Whoever plans over tools of others sees these
//! goals, and no request.

use std::ops::Range;

use holloway_search::clauses::bounded;
use holloway_search::words::is_empty_word;

use super::belongings::belongings;
use super::clauses::{part_at, parts};
use super::denial::{is_denied, without_denial};
use super::entities::entities;
use super::services::services;
use super::stated::tokens::tokens;
use super::verbs::{Lead, is_order, lead};
use crate::frame::wording::{Wording, Words};
use crate::frame::{Action, Clause, Entity, EntityKind, Frame, Goal, OTHER, Said};
use crate::lexicon::lists::{List, Patterns};

const SENTENCE_ENDS: [char; 5] = ['.', '!', '?', ';', '\n'];
const PIECES_AT_MOST: usize = 100;

/// What stands between two things that may be asked for.
static BORDERS: Patterns = Patterns::named("read_other.borders");
/// How a clause begins that only says when, how or how much.
static CIRCUMSTANCE: Patterns = Patterns::named("read_other.circumstance");
/// What such a clause consists of, beside empty words.
static CIRCUMSTANTIAL: List = List::named("read_other.circumstantial");
/// Asks for help in general, or only leads on.
static HELP: Patterns = Patterns::named("read_other.help");
/// How a sentence begins that has yet to say what to do.
static LEADS_ON: List = List::named("read_other.leads_on");
/// Words around a clause that do not belong to it.
static LEADS: List = List::named("read_other.leads");
static TAILS: List = List::named("read_other.tails");

/// Reads a request. Of a very long one, only the beginning is read.
pub fn read(request: &str) -> Frame {
    let words = bounded(request);
    let entities = entities(&words);
    let parts = parts(&words);
    let told = |at: &Range<usize>| words.get(..at.start).unwrap_or_default().to_owned();
    let goal = |at: Range<usize>| Goal {
        clause: Clause {
            number: part_at(&parts, at.start),
            before: told(&at),
            ..Clause::default()
        },
        said: Said {
            text: words.get(at.clone()).unwrap_or_default().to_owned(),
            at,
        },
        ..Goal::default()
    };
    let goals = asking(&words, &entities).into_iter().map(goal).collect();
    frame(goals, words, parts, entities)
}

/// Where the goals of a request begin that stand behind another.
pub(super) fn cuts(request: &str) -> Vec<usize> {
    let goals = read(request).goals.into_iter();
    goals.skip(1).map(|goal| goal.said.at.start).collect()
}

/// Goals that somebody has taken apart already, a clause each: what was given with them stays, and
/// their places are those in their texts, one after the other.
pub fn of_goals(goals: &[Goal]) -> Frame {
    let mut words = String::new();
    let mut parts = Vec::new();
    let goal = |(number, goal): (usize, &Goal)| {
        words.push_str(if number > 0 { ". " } else { "" });
        let start = words.len();
        words.push_str(&bounded(&goal.text));
        let at = start..words.len();
        parts.push(at.clone());
        let text = words.get(at.clone()).unwrap_or_default().to_owned();
        Goal {
            said: Said { text, at },
            clause: Clause {
                number,
                ..goal.clause.clone()
            },
            ..goal.clone()
        }
    };
    let goals = goals.iter().enumerate().map(goal).collect();
    let entities = entities(&words);
    frame(goals, words, parts, entities)
}

/// The goals with what their words say.
fn frame(
    goals: Vec<Goal>,
    words: String,
    parts: Vec<Range<usize>>,
    entities: Vec<Entity>,
) -> Frame {
    let mut frame = Frame::default();
    for mut goal in goals {
        goal.text = tidy(&goal.said.text);
        if goal.text.is_empty() {
            continue;
        }
        OTHER.clone_into(&mut goal.act);
        if !goal.clause.is_given {
            goal.clause.action = Action::of(&goal.text);
        }
        (goal.clause.main, goal.clause.with) = belongings(&goal.text);
        goal.clause.services = services(&without_places(&entities, &goal.text));
        if let Some(before) = frame.goals.last() {
            goal.clause.before.clone_from(&before.text);
        }
        frame.goals.push(goal);
    }
    frame.wording = Wording::new(Words {
        tokens: tokens(&words, &entities),
        text: words,
        parts,
    });
    frame.entities = entities;
    frame
}

/// The clauses that ask for something.
fn asking(text: &str, entities: &[Entity]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // Where the sentence began, and where the text began, while nothing was asked yet.
    let mut context: Option<usize> = None;
    let mut told: Option<usize> = None;
    let mut pending: Option<usize> = None;
    let mut denied = false;
    for piece in pieces(text, entities) {
        let place = without_denial(text, piece);
        let said = text.get(place.clone()).unwrap_or_default();
        if said.trim().is_empty() {
            continue;
        }
        if is_circumstance(said, place.start, entities) {
            // "In a.yaml, …" says where the next thing is done.
            let names_place = |it: &Entity| {
                is_place(it) && place.start <= it.place.start && it.place.end <= place.end
            };
            if found.is_empty() && entities.iter().any(names_place) {
                context = context.or(Some(place.start));
            }
            continue;
        }
        // A single word that can be a verb is more often a noun.
        let is_single = said.split_whitespace().nth(1).is_none();
        let asks = !is_item(text, &place)
            && lead(said) != Lead::Other
            && (!is_single || found.is_empty() || is_order(said.trim()));
        // What is not to be done reaches as far as the next thing that is.
        let begins = text.get(..place.start).unwrap_or_default().trim_end();
        denied = is_denied(said) || denied && !asks && !begins.ends_with(SENTENCE_ENDS);
        if denied {
            continue;
        }
        match found.last_mut() {
            None if asks => {
                // What stands before it in its sentence belongs to it.
                let before = context.and_then(|start| Some((start, text.get(start..place.start)?)));
                let joined = before.filter(|(_, before)| !has_sentence_end(before));
                let start = joined.map_or(place.start, |(start, _)| start);
                found.push(start..place.end);
            }
            Some(_) if asks => {
                let start = pending.take().unwrap_or(place.start);
                found.push(start..place.end);
            }
            // "After that is done, …" belongs to what comes next.
            Some(_) if leads_on(text, &place) => pending = Some(place.start),
            // A piece without a verb belongs to what was asked before it.
            Some(last) => last.end = place.end,
            None => {
                let ended = context.and_then(|start| text.get(start..place.start));
                let ended = ended.is_some_and(has_sentence_end);
                context = if ended {
                    Some(place.start)
                } else {
                    context.or(Some(place.start))
                };
                told = told.or(Some(place.start));
            }
        }
    }
    // Nothing is asked in so many words: all that was said is what is wanted.
    if found.is_empty()
        && let Some(start) = told
    {
        found.push(start..text.len());
    }
    found
}

/// After a colon, "rent 1200" is one of the things that something is done with.
fn is_item(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default().trim_end();
    let said = text.get(place.clone()).unwrap_or_default();
    let second = said.split_whitespace().nth(1).unwrap_or_default();
    before.ends_with(':') && second.starts_with(|letter: char| letter.is_ascii_digit())
}

/// A point within a name ends no sentence.
fn has_sentence_end(text: &str) -> bool {
    let mut ends = text.match_indices(SENTENCE_ENDS);
    ends.any(|(at, end)| {
        let after = text
            .get(at + end.len()..)
            .and_then(|rest| rest.chars().next());
        after.is_none_or(char::is_whitespace)
    })
}

/// Does it begin a sentence that has yet to say what to do?
fn leads_on(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default().trim_end();
    let said = text.get(place.clone()).unwrap_or_default().trim_start();
    let first = said
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    before.ends_with(SENTENCE_ENDS) && LEADS_ON.contains(&first.as_str())
}

/// The text between commas, ends of sentences and words like "then"; what stands inside an
/// entity is no border.
fn pieces(text: &str, entities: &[Entity]) -> Vec<Range<usize>> {
    let inside = |at: usize| {
        entities
            .iter()
            .any(|it| it.place.start < at && at < it.place.end)
    };
    let mut pieces = Vec::new();
    let mut from = 0;
    let borders = BORDERS.iter().flat_map(|rule| rule.find_iter(text));
    for border in borders.filter(|border| !inside(border.start())) {
        if pieces.len() >= PIECES_AT_MOST {
            break;
        }
        pieces.push(from..border.start());
        from = border.end();
    }
    pieces.push(from..text.len());
    pieces
}

fn is_circumstance(said: &str, start: usize, entities: &[Entity]) -> bool {
    let is = |patterns: &Patterns| patterns.iter().any(|rule| rule.is_match(said));
    if is(&HELP) {
        return true;
    }
    if !is(&CIRCUMSTANCE) {
        return false;
    }
    let mut at = start;
    let mut content = false;
    for word in said.split_inclusive(char::is_whitespace) {
        let is_entity = entities
            .iter()
            .any(|it| it.place.start < at + word.len() && at < it.place.end);
        at += word.len();
        let bare = word
            .trim_matches(|letter: char| !letter.is_alphanumeric())
            .to_lowercase();
        let says_nothing =
            bare.is_empty() || is_empty_word(&bare) || CIRCUMSTANTIAL.contains(&bare.as_str());
        content |= !is_entity && !says_nothing;
    }
    !content
}

/// A text without files and addresses, which are no services though they may be called so.
fn without_places(entities: &[Entity], text: &str) -> String {
    use EntityKind::{Code, Email, File, Path, Url};
    let is_place = |kind: EntityKind| matches!(kind, Code | Email | File | Path | Url);
    let places = entities.iter().filter(|entity| is_place(entity.kind));
    places.fold(text.to_owned(), |text, place| {
        text.replace(&place.text, " ")
    })
}

fn is_place(entity: &Entity) -> bool {
    use EntityKind::{File, Path, Url};
    matches!(entity.kind, Url | File | Path)
}

/// Without leading connectives and the marks around it.
pub(super) fn tidy(said: &str) -> String {
    let mut said = said;
    loop {
        let before = said.len();
        said =
            said.trim_matches(|letter: char| letter.is_whitespace() || ",;.:!?".contains(letter));
        for lead in LEADS.iter() {
            if said
                .get(..lead.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(lead))
            {
                said = said.get(lead.len()..).unwrap_or_default();
            }
        }
        for tail in TAILS.iter() {
            let cut = said.len().saturating_sub(tail.len());
            if said
                .get(cut..)
                .is_some_and(|end| end.eq_ignore_ascii_case(tail))
            {
                said = said.get(..cut).unwrap_or_default();
            }
        }
        if said.len() == before {
            return said.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &[&str]) {
        let frame = read(request);
        let texts: Vec<&str> = frame.goals.iter().map(|goal| goal.text.as_str()).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn goals_are_clauses_that_ask_for_something() {
        check(
            "Find cheap flights and then book a hotel in Oslo.",
            &["Find cheap flights", "book a hotel in Oslo"],
        );
        check(
            "list the issues, but do not close them",
            &["list the issues"],
        );
        check("In a.yaml, swap the ports", &["In a.yaml, swap the ports"]);
        check("what time is it in Tokyo?", &["what time is it in Tokyo"]);
        check("", &[]);
    }
}
