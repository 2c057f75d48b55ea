//! What does the embedded reader make of requests? Requests in the voices of many people, in
//! `reading/*.md`, and the frames that they become; and whether the files of the languages fit
//! the table of acts and the recognisers.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt::Write as _;

use holloway_planner::frame::acts::Acts;
use holloway_planner::frame::constraints::{Constraints, Depth, Priority};
use holloway_planner::frame::scene::Scene;
use holloway_planner::lexicon::pattern::Piece;
use holloway_planner::lexicon::{DE_PHRASES, DE_WORDS, EN_PHRASES, EN_WORDS, Lexicon};
use holloway_planner::read::check::Trouble;
use holloway_planner::read::choose::{Understood, understand};
use holloway_planner::read::is_hole;
use serde_json::Value;

#[path = "reading/covering.rs"]
mod covering;

fn languages() -> [Lexicon; 2] {
    [(EN_WORDS, EN_PHRASES), (DE_WORDS, DE_PHRASES)].map(|(words, phrases)| {
        Lexicon::read(words, &phrases).unwrap_or_else(|error| panic!("{error}"))
    })
}

fn scene() -> Scene {
    serde_json::from_str(include_str!("reading/scene.json")).unwrap()
}

/// The requests of a file, with its headings, each followed by what it was understood as.
fn read_all(file: &str) -> (String, Vec<Understood>) {
    let scene = scene();
    let (mut text, mut all) = (String::new(), Vec::new());
    for line in file.lines() {
        let Some(request) = line.strip_prefix("- ") else {
            writeln!(text, "{line}").unwrap();
            continue;
        };
        let understood = understand(request, &scene);
        writeln!(text, "- {request}\n{}", shown(&understood)).unwrap();
        all.push(understood);
    }
    (text, all)
}

fn shown(understood: &Understood) -> String {
    let mut lines = Vec::new();
    for goal in &understood.frame.goals {
        let parts = goal
            .parts
            .iter()
            .map(|part| format!("{}={}", part.slot, plain(&part.value)));
        lines.push(format!(
            "    {} {}",
            goal.act,
            parts.collect::<Vec<_>>().join(" ")
        ));
    }
    for trouble in &understood.troubles {
        lines.push(match trouble {
            Trouble::Leftover { words } => format!("    left over: {}", words.join(", ")),
            Trouble::Open { about, choices, .. } => {
                format!("    open: {about} [{}]", choices.join(", "))
            }
            Trouble::Unfit { about } => format!("    unfit: {about}"),
        });
    }
    let doubtful = understood.frame.doubtful.iter();
    lines.extend(doubtful.map(|said| format!("    doubtful: {}", said.text)));
    lines.extend(
        understood
            .frame
            .notes
            .iter()
            .map(|note| format!("    note: {note}")),
    );
    lines.join("\n")
}

/// A value with its fields in the order of their names.
fn plain(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| name.as_str());
            let fields = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", plain(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!(
                "[{}]",
                items.iter().map(plain).collect::<Vec<_>>().join(", ")
            )
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn english_requests_become_frames() {
    let (text, all) = read_all(include_str!("reading/english.md"));
    insta::assert_snapshot!("english", text);
    for understood in all {
        assert_eq!(understood.troubles, [], "{:?}", understood.frame.goals);
        assert_eq!(understood.frame.language, "en");
    }
}

#[test]
fn german_requests_become_frames() {
    let (text, all) = read_all(include_str!("reading/german.md"));
    insta::assert_snapshot!("german", text);
    for understood in all {
        assert_eq!(understood.troubles, [], "{:?}", understood.frame.goals);
        assert_eq!(understood.frame.language, "de");
    }
}

#[test]
fn what_is_not_accounted_for_is_not_claimed() {
    let (text, all) = read_all(include_str!("reading/refused.md"));
    insta::assert_snapshot!("refused", text);
    for understood in all {
        let frame = &understood.frame;
        let claimed = understood.troubles.is_empty() && frame.doubtful.is_empty();
        assert!(!claimed, "{:?}", frame.goals);
    }
}

#[test]
fn phrases_speak_of_acts_and_slots_that_are_there() {
    let acts = Acts::table();
    assert!(!acts.acts.is_empty());
    for lexicon in languages() {
        assert!(lexicon.phrases.len() > 50, "{}", lexicon.language);
        for phrase in &lexicon.phrases {
            if let Some(act) = &phrase.act {
                assert!(
                    acts.act(act).is_some(),
                    "{}: no act `{act}`",
                    lexicon.language
                );
            }
            for (slot, _) in &phrase.parts {
                assert!(
                    acts.slots.contains_key(slot),
                    "{}: no slot `{slot}`",
                    lexicon.language
                );
            }
        }
    }
}

#[test]
fn holes_are_known_and_what_fills_parts_is_among_them() {
    for lexicon in languages() {
        for phrase in &lexicon.phrases {
            let mut holes = Vec::new();
            for pattern in &phrase.patterns {
                holes_of(&pattern.pieces, &mut holes);
            }
            for (kind, _) in &holes {
                assert!(is_hole(kind), "{}: no hole `{kind}`", lexicon.language);
            }
            for name in phrase.parts.iter().flat_map(|(_, value)| named(value)) {
                let known = holes.iter().any(|(_, known)| *known == name);
                assert!(
                    known,
                    "{}: `{name}` is in no pattern of {:?}",
                    lexicon.language, phrase.parts
                );
            }
        }
    }
}

/// A pattern that takes words in and says nothing of them would swallow what limits a result.
#[test]
fn every_way_to_say_a_phrase_fills_one_of_its_parts() {
    let mut silent = Vec::new();
    let limiting = [
        "filters", "measures", "group", "order", "limit", "compute", "columns",
    ];
    for lexicon in languages() {
        for phrase in &lexicon.phrases {
            let parts = phrase
                .parts
                .iter()
                .filter(|(slot, _)| limiting.contains(&slot.as_str()));
            let parts: Vec<_> = parts.collect();
            for pattern in phrase.patterns.iter().filter(|_| !parts.is_empty()) {
                let mut holes = Vec::new();
                holes_of(&pattern.pieces, &mut holes);
                let filled = |value: &Value| {
                    named(value)
                        .iter()
                        .all(|name| holes.iter().any(|(_, hole)| hole == name))
                };
                if !parts.iter().any(|(_, value)| filled(value)) {
                    silent.push(format!("{}: {pattern:?}", lexicon.language));
                }
            }
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

fn holes_of(pieces: &[Piece], holes: &mut Vec<(String, String)>) {
    for piece in pieces {
        match piece {
            Piece::Word { .. } => {}
            Piece::Any(ways) => ways.iter().for_each(|way| holes_of(way, holes)),
            Piece::Maybe(inside) => holes_of(inside, holes),
            Piece::Hole { kind, name } => holes.push((kind.clone(), name.clone())),
        }
    }
}

/// The holes that a value speaks of.
fn named(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => {
            let inside = text
                .strip_prefix('{')
                .and_then(|text| text.strip_suffix('}'));
            let name = inside.map(|inside| inside.split('.').next().unwrap().to_owned());
            name.into_iter().collect()
        }
        Value::Object(fields) => fields.values().flat_map(named).collect(),
        Value::Array(items) => items.iter().flat_map(named).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn any_text_is_read_without_a_panic() {
    let scene = scene();
    for text in [
        "", " ", "?", "'", "\"", "a\"b", "…", "é", "%%%", "<>", "{}", "\u{0}", "𝒳.csv", "5 5 5 5",
        "'s 's", "€", "-", "/", "~",
    ] {
        let understood = understand(text, &scene);
        assert!(
            !understood.troubles.is_empty() || understood.frame.goals.is_empty(),
            "{text}"
        );
    }
}

/// What a request limits, and whether all else of it was understood.
#[track_caller]
fn check_limits(request: &str, seconds: Option<f64>, money: Option<f64>, rest: (Priority, Depth)) {
    let understood = understand(request, &scene());
    let expected = Constraints {
        seconds,
        money,
        priority: rest.0,
        depth: rest.1,
    };
    assert_eq!(understood.frame.constraints, expected, "{request}");
    assert_eq!(understood.troubles, [], "{request}");
}

#[test]
fn what_limits_the_work_is_accounted_for() {
    let usual = (Priority::Balanced, Depth::Usual);
    check_limits(
        "Find broken links on https://shop.example within 20 seconds and for at most $0.01",
        Some(20.0),
        Some(0.01),
        usual,
    );
    check_limits(
        "check https://shop.example for broken links in under half an hour, spending at most 50 cents",
        Some(1800.0),
        Some(0.5),
        usual,
    );
    check_limits(
        "Audit https://shop.example as quickly as possible",
        None,
        None,
        (Priority::Speed, Depth::Usual),
    );
    check_limits(
        "Audit https://shop.example thoroughly",
        None,
        None,
        (Priority::Fidelity, Depth::Complete),
    );
    check_limits(
        "Prüfe https://shop.example auf kaputte Links, innerhalb von 2 Minuten und für höchstens 5 Euro",
        Some(120.0),
        Some(5.0),
        usual,
    );
}

#[test]
fn small_talk_needs_no_plan() {
    let read = |request: &str| understand(request, &scene()).frame;
    for request in [
        "hello there",
        "Thanks a lot!",
        "who are you?",
        "Guten Tag",
        "Was kannst du?",
    ] {
        let frame = read(request);
        assert!(frame.no_plan.is_some(), "{request}: {frame:?}");
    }
    for request in ["...", ""] {
        let frame = read(request);
        assert!(frame.is_empty(), "{request}: {frame:?}");
    }
    for request in [
        "hello, how many words has notes.txt?",
        "what can you do about orders.csv",
    ] {
        assert!(read(request).no_plan.is_none(), "{request}");
    }
    assert_eq!(
        read("Calcule la moyenne des salaires dans staff.csv").language,
        ""
    );
}
