//! How does a person choose? By a key under the cards: a plan, Holloway's own choice,
//! a closer look, the plan in the editor, or nothing at all.

use std::time::Duration;

use holloway_flow::choose;
use holloway_plan::plan::Plan;
use holloway_planner::card::Card;

use super::super::planning::{cards_text, why_text, yaml};
use super::Decision;
use crate::bench::Bench;
use crate::carry::edit::edit_text;
use crate::carry::keys::Keys;
use crate::error::CliError;
use crate::plan_text::PlanText;
use crate::print::paint::Paint;
use crate::session::Session;
use crate::{print, run_name};

const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Ctrl-C and the escape key, as they arrive from a terminal.
const STOPS: [char; 3] = ['\u{3}', '\u{1b}', 'q'];

/// What a key means.
enum Wish {
    Take(usize),
    Chance,
    Why,
    Change,
    Cancel,
}

pub(super) fn at_terminal(
    cards: &[Card],
    bench: &Bench,
    session: &Session,
) -> Result<Decision, CliError> {
    let paint = Paint::stderr();
    print::note(&cards_text(cards, &console::Term::stderr(), paint));
    loop {
        print::note(&menu(cards, paint));
        match wish(cards.len())? {
            Wish::Take(place) => return super::taken(cards, place),
            Wish::Cancel => return Ok(Decision::Cancelled),
            Wish::Chance => {
                let confidences: Vec<f64> =
                    cards.iter().map(|card| card.outlook.confidence).collect();
                let place = choose::choose_seeded(&confidences, run_name::random()?).unwrap_or(0);
                if let Some(card) = cards.get(place) {
                    print::note(&format!("chose the {} plan", card.strategy));
                }
                return super::taken(cards, place);
            }
            Wish::Why => {
                for card in cards {
                    print::note(&why_text(card, paint));
                }
            }
            Wish::Change => {
                if let Some(plan) = changed(cards, bench, session)? {
                    return Ok(Decision::Run(Box::new(plan)));
                }
            }
        }
    }
}

fn menu(cards: &[Card], paint: Paint) -> String {
    let mut parts: Vec<String> = cards
        .iter()
        .enumerate()
        .map(|(place, card)| format!("{} {}", paint.bold(&(place + 1).to_string()), card.strategy))
        .collect();
    for (key, word) in [
        ("a", "let Holloway decide"),
        ("w", "why these steps"),
        ("c", "change one in the editor"),
        ("q", "cancel"),
    ] {
        parts.push(format!("{} {word}", paint.bold(key)));
    }
    parts.join("   ")
}

fn wish(count: usize) -> Result<Wish, CliError> {
    loop {
        let wish = match key()? {
            'a' => Wish::Chance,
            'w' => Wish::Why,
            'c' => Wish::Change,
            key if STOPS.contains(&key) => Wish::Cancel,
            key => match number(key, count) {
                Some(place) => Wish::Take(place),
                None => continue,
            },
        };
        return Ok(wish);
    }
}

fn number(key: char, count: usize) -> Option<usize> {
    let place = (key.to_digit(10)? as usize).checked_sub(1)?;
    (place < count).then_some(place)
}

/// Waits for a key; a terminal that is gone cancels.
fn key() -> Result<char, CliError> {
    let Ok(_keys) = Keys::take_all() else {
        return Ok('q');
    };
    loop {
        match Keys::next(LOOK_EVERY) {
            Ok(Some(key)) => return Ok(key),
            Ok(None) => {}
            Err(_) => return Ok('q'),
        }
    }
}

/// A plan after the editor, sound again; nothing if it was given up.
fn changed(cards: &[Card], bench: &Bench, session: &Session) -> Result<Option<Plan>, CliError> {
    let place = if cards.len() == 1 {
        0
    } else {
        print::note(&format!("which one? 1 to {}", cards.len()));
        match wish(cards.len())? {
            Wish::Take(place) => place,
            _ => return Ok(None),
        }
    };
    let Some(card) = cards.get(place) else {
        return Ok(None);
    };
    let mut text = yaml(card);
    loop {
        text = match edit_text(&text, "yaml") {
            Ok(text) => text,
            Err(reason) => {
                print::note(&reason);
                return Ok(None);
            }
        };
        let edited = PlanText {
            name: "the changed plan".to_owned(),
            text: text.clone(),
            folder: session.folder.clone(),
        };
        match edited.check(&bench.table, session) {
            Ok(plan) => return Ok(Some(plan)),
            Err(error) => {
                print::error(&error, false);
                print::note("c edit again   q back to the cards");
                if !matches!(wish(0)?, Wish::Change) {
                    return Ok(None);
                }
            }
        }
    }
}
