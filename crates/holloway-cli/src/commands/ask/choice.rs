//! How does a person choose? By a key under the cards: a plan, Holloway's own choice,
//! a closer look, the plan in the editor, or nothing at all.

use std::time::Duration;

use holloway_flow::choose;
use holloway_plan::compile::compile;
use holloway_plan::explain;
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
use crate::print::visible;
use crate::session::Session;
use crate::{print, run_name};

const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Ctrl-C and the escape key, as they arrive from a terminal.
const STOPS: [char; 3] = ['\u{3}', '\u{1b}', 'q'];

/// Between two entries of the menu.
const BETWEEN: &str = "   ";

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
            Wish::Change => match changed(cards, bench, session)? {
                Changed::Plan(plan) => return Ok(Decision::Run(plan)),
                Changed::Nothing => {
                    print::note(&cards_text(cards, &console::Term::stderr(), paint))
                }
                Changed::Cancelled => return Ok(Decision::Cancelled),
            },
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
    wrapped(&parts, usize::from(console::Term::stderr().size().1))
}

/// As many entries on a line as there is room for.
fn wrapped(parts: &[String], width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let room = |line: &String| {
            console::measure_text_width(line) + BETWEEN.len() + console::measure_text_width(part)
        };
        match lines.last_mut() {
            Some(line) if room(line) <= width => {
                line.push_str(BETWEEN);
                line.push_str(part);
            }
            _ => lines.push(part.clone()),
        }
    }
    lines.join("\n")
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

/// What became of a plan in the editor.
enum Changed {
    Plan(Box<Plan>),
    /// Nothing was changed, or it was given up: back to the cards.
    Nothing,
    Cancelled,
}

/// A plan after the editor: sound again, looked at, and agreed to.
fn changed(cards: &[Card], bench: &Bench, session: &Session) -> Result<Changed, CliError> {
    let place = match cards.len() {
        1 => 0,
        count => {
            print::note(&format!("which one? 1 to {count}"));
            match wish(count)? {
                Wish::Take(place) => place,
                Wish::Cancel => return Ok(Changed::Cancelled),
                Wish::Chance | Wish::Why | Wish::Change => return Ok(Changed::Nothing),
            }
        }
    };
    let Some(card) = cards.get(place) else {
        return Ok(Changed::Nothing);
    };
    let before = yaml(card);
    let mut text = before.clone();
    loop {
        text = match edit_text(&text, "yaml") {
            Ok(text) => text,
            Err(reason) => {
                print::note(&reason);
                return Ok(Changed::Nothing);
            }
        };
        if text.trim() == before.trim() {
            print::note("nothing was changed");
            return Ok(Changed::Nothing);
        }
        match checked(&text, bench, session) {
            Ok(plan) => {
                print::note(&explained(&plan, session));
                print::note("r run it   c edit again   b back to the cards   q cancel");
                match answer(&['r', 'c', 'b'])? {
                    'r' => return Ok(Changed::Plan(Box::new(plan))),
                    'b' => return Ok(Changed::Nothing),
                    'c' => {}
                    _ => return Ok(Changed::Cancelled),
                }
            }
            Err(error) => {
                print::error(&error, false);
                print::note("c edit again   b back to the cards   q cancel");
                match answer(&['c', 'b'])? {
                    'c' => {}
                    'b' => return Ok(Changed::Nothing),
                    _ => return Ok(Changed::Cancelled),
                }
            }
        }
    }
}

/// What the changed plan will do.
fn explained(plan: &Plan, session: &Session) -> String {
    match compile(plan, &[], &session.limits) {
        Ok(dag) => visible(explain::text(plan, &dag).trim_end()),
        Err(error) => error.to_string(),
    }
}

fn checked(text: &str, bench: &Bench, session: &Session) -> Result<Plan, CliError> {
    let edited = PlanText {
        name: "the changed plan".to_owned(),
        text: text.to_owned(),
        folder: session.folder.clone(),
    };
    edited.check(&bench.table, session)
}

/// One of these keys, or one that stops.
fn answer(keys: &[char]) -> Result<char, CliError> {
    loop {
        let key = key()?;
        if keys.contains(&key) || STOPS.contains(&key) {
            return Ok(key);
        }
    }
}
