//! How does a person choose? By a key under the cards: a plan, Holloway's own choice,
//! a closer look, the plan in the editor, or nothing at all.

use holloway_flow::choose;
use holloway_planner::card::Card;

use super::super::planning::{Shown, cards_text, why_text};
use super::customise::{Changed, changed};
use super::decide::{Table, agrees, not_granted, parts};
use super::{Decision, keyboard};
use crate::carry::interrupts::Interrupts;
use crate::error::CliError;
use crate::print;
use crate::print::paint::Paint;
use crate::session::Session;

/// Between two entries of the menu.
const BETWEEN: &str = "   ";
/// Narrower lines than this are not broken any more.
const NARROWEST: usize = 12;

/// What a key means.
enum Wish {
    Take(usize),
    Chance,
    Why,
    Change,
}

pub(super) fn at_terminal(table: &Table<'_>, session: &Session) -> Result<Decision, CliError> {
    let paint = Paint::stderr();
    let show = || print::note(&cards_text(table.shown, &console::Term::stderr(), paint));
    show();
    loop {
        print::note(&menu(table.shown, paint));
        let Some(wish) = wish(table.shown.len(), table.interrupts) else {
            return Ok(Decision::Cancelled);
        };
        let place = match wish {
            Wish::Take(place) => place,
            Wish::Chance => {
                let Some(place) = drawn(table) else {
                    print::note("no plan serves every part of the request: choose one yourself");
                    continue;
                };
                place
            }
            Wish::Why => {
                for shown in table.shown {
                    print::note(&why_text(shown.card, paint));
                }
                continue;
            }
            Wish::Change => {
                match changed(table, session)? {
                    Changed::Plan(plan) => return Ok(Decision::Run(plan)),
                    Changed::Nothing => show(),
                    Changed::Cancelled => return Ok(Decision::Cancelled),
                }
                continue;
            }
        };
        if let Some(shown) = table.shown.get(place)
            && may_run(shown, table)
        {
            return Ok(Decision::Run(Box::new(shown.card.plan.clone())));
        }
        if table.interrupts.heard() {
            return Ok(Decision::Cancelled);
        }
    }
}

/// Whether nothing stands in the way, or the person agrees to what does.
fn may_run(shown: &Shown<'_>, table: &Table<'_>) -> bool {
    if let Some(lack) = not_granted(shown).filter(|_| !table.arguments.dry_run) {
        print::error(&lack, false);
        return false;
    }
    !table.lacks_consent(shown.card) || agrees(&rest_question(shown), table.interrupts)
}

/// The rest of a plan that does only a part, if the person agrees to it.
pub(super) fn rest(shown: &Shown<'_>, interrupts: &Interrupts) -> Decision {
    if agrees(&rest_question(shown), interrupts) {
        Decision::Run(Box::new(shown.card.plan.clone()))
    } else {
        Decision::Cancelled
    }
}

fn rest_question(shown: &Shown<'_>) -> String {
    format!("{} will be left out. Run the rest? y/n", parts(shown.card))
}

/// The plan that chance takes, the same one as with `--auto`.
fn drawn(table: &Table<'_>) -> Option<usize> {
    let cards: Vec<&Card> = table.shown.iter().map(|shown| shown.card).collect();
    let place = choose::drawn(table.request, &cards, None)?;
    let card = cards.get(place)?;
    print::note(&format!("chose the {} plan", card.strategy));
    Some(place)
}

fn menu(shown: &[Shown<'_>], paint: Paint) -> String {
    let mut entries: Vec<(String, String)> = Vec::new();
    if let [_] = shown {
        entries.push(("y".to_owned(), "run it".to_owned()));
    } else {
        let numbered = shown.iter().enumerate();
        entries.extend(
            numbered.map(|(place, shown)| ((place + 1).to_string(), shown.card.strategy.clone())),
        );
        entries.push(("a".to_owned(), "let Holloway decide".to_owned()));
    }
    entries.push(("w".to_owned(), "why these steps".to_owned()));
    entries.push(match shown.len() {
        1 => ("c".to_owned(), "change it in the editor".to_owned()),
        _ => ("c".to_owned(), "change one in the editor".to_owned()),
    });
    entries.push(match shown.len() {
        1 => ("n".to_owned(), "do not".to_owned()),
        _ => ("q".to_owned(), "cancel".to_owned()),
    });
    let parts: Vec<String> = entries
        .iter()
        .map(|(key, word)| format!("{} {word}", paint.bold(key)))
        .collect();
    let width = usize::from(console::Term::stderr().size().1).max(NARROWEST);
    let lines = wrapped(&parts, width);
    match shown {
        [only] if only.same.is_empty() => format!("Run this plan?\n{lines}"),
        // Every strategy was tried, and the request leaves nothing to add or to leave out.
        [_] => format!("There is one way to do it, so nothing to choose. Run this plan?\n{lines}"),
        _ => lines,
    }
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

/// Nothing when the person cancels.
fn wish(count: usize, interrupts: &Interrupts) -> Option<Wish> {
    let mut keys = vec!['w', 'c', '1'];
    if count == 1 {
        keys.extend(['y', 'n']);
    } else {
        keys.push('a');
        keys.extend((2..=count.min(9)).filter_map(|number| char::from_digit(number as u32, 10)));
    }
    Some(match keyboard::one_of(&keys, interrupts)? {
        'a' => Wish::Chance,
        'w' => Wish::Why,
        'c' => Wish::Change,
        'y' => Wish::Take(0),
        key => Wish::Take((key.to_digit(10)? as usize).checked_sub(1)?),
    })
}

/// Which of several plans is meant.
pub(super) fn which(count: usize, interrupts: &Interrupts) -> Option<usize> {
    if count <= 1 {
        return Some(0);
    }
    print::note(&format!("which one? 1 to {count}"));
    let keys: Vec<char> = (1..=count.min(9))
        .filter_map(|number| char::from_digit(number as u32, 10))
        .collect();
    let key = keyboard::one_of(&keys, interrupts)?;
    (key.to_digit(10)? as usize).checked_sub(1)
}
