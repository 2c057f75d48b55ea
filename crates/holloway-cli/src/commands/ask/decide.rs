//! Which plan is run, and may it be? The flags say, or chance, or the person at the terminal; what
//! lacks a grant or does only a part of the request does not run unnoticed.

use std::io::IsTerminal as _;

use holloway_flow::choose::{self, unseen};
use holloway_flow::flow::Planned;
use holloway_planner::card::Card;
use holloway_planner::drafts::Lack;
use serde_json::{Value, json};

use super::super::planning::{NONE_KNOWN, SAY_OTHERWISE, Shown, pick, rest_of, told};
use super::{Arguments, Decision, choice, keyboard};
use crate::carry::interrupts::Interrupts;
use crate::error::CliError;
use crate::print;
use crate::print::one_line;
use crate::session::Session;
use crate::workbench::Workbench;

/// Letters of a part of the request that are said.
const PART: usize = 120;

/// What is decided on, and by what.
pub(super) struct Table<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) request: &'a str,
    pub(super) planned: &'a Planned,
    pub(super) shown: &'a [Shown<'a>],
    pub(super) workbench: &'a Workbench,
    /// Inputs that flags gave.
    pub(super) given: &'a Value,
    pub(super) interrupts: &'a Interrupts,
}

impl Table<'_> {
    /// Runs this one, unless something stands in the way.
    pub(super) fn taken(&self, place: usize) -> Result<Decision, CliError> {
        let shown = self.shown.get(place).ok_or_else(|| {
            CliError::usage("plan-not-found", "there is no such plan")
                .hint("look at the cards again")
        })?;
        match self.obstacle(shown) {
            Some(obstacle) => Err(obstacle),
            None => Ok(Decision::Run(Box::new(shown.card.plan.clone()))),
        }
    }

    fn obstacle(&self, shown: &Shown<'_>) -> Option<CliError> {
        if self.arguments.dry_run {
            return None;
        }
        let parts = (!self.arguments.partial).then(|| part_missing(shown.card));
        not_granted(shown).or(parts.flatten())
    }
}

/// Why a plan would be refused on its way.
pub(super) fn not_granted(shown: &Shown<'_>) -> Option<CliError> {
    let said = |text: fn(&holloway_tools::ungranted::Ungranted) -> &str| {
        let texts: Vec<&str> = shown.lacks.iter().map(text).collect();
        texts.join("; and ")
    };
    (!shown.lacks.is_empty()).then(|| {
        let what = said(|lack| &lack.what);
        let message = format!("the {} plan would {what}", shown.card.strategy);
        CliError::usage("not-granted", message)
            .hint(format!("to grant it: {}", said(|lack| &lack.grant)))
    })
}

/// Why only a part of the request would be done.
fn part_missing(card: &Card) -> Option<CliError> {
    const REST: &str = "--partial runs the rest without it";
    let first = card.missing.first()?;
    let message = format!(
        "{}; without it the {} plan would only: {}",
        told(&card.missing, PART),
        card.strategy,
        rest_of(card)
    );
    let hint = match (first.lack, first.install.first()) {
        (_, Some(package)) => {
            format!("`holloway tools add {package}` adds one that might; {REST}")
        }
        (Lack::Tool, None) => format!("{REST}; {NONE_KNOWN}"),
        (Lack::Words, None) => format!("{SAY_OTHERWISE}; {REST}"),
        (Lack::Place | Lack::Condition | Lack::Unfit, None) => REST.to_owned(),
    };
    Some(CliError::usage("part-missing", message).hint(hint))
}

/// What is left out, in the words of the request.
pub(super) fn parts(card: &Card) -> String {
    let missing = card.missing.iter();
    let words: Vec<String> = missing
        .map(|missing| format!("“{}”", one_line(&missing.capability, PART)))
        .collect();
    words.join(", ")
}

pub(super) fn decide(table: &Table<'_>, session: &Session) -> Result<Decision, CliError> {
    let (arguments, shown) = (table.arguments, table.shown);
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let can_ask = terminal && !session.json && !arguments.auto;
    if let Some(word) = &arguments.plan {
        let place = pick(table.planned, word)?;
        if can_ask
            && let Some(shown) = shown.get(place)
            && is_part(shown.card, table)
            && not_granted(shown).is_none()
        {
            return Ok(choice::rest(shown, table.interrupts));
        }
        return table.taken(place);
    }
    if arguments.auto {
        return by_chance(table, session);
    }
    if let [only] = shown
        && unseen::may_run(only.card)
        && table.obstacle(only).is_none()
    {
        if !session.json && !arguments.manner.quiet {
            print::note("one plan that only looks: it runs without a choice");
        }
        return table.taken(0);
    }
    if can_ask {
        return choice::at_terminal(table, session);
    }
    Err(nobody(table))
}

/// Whether a person has to agree to a part.
pub(super) fn is_part(card: &Card, table: &Table<'_>) -> bool {
    !card.missing.is_empty() && !table.arguments.partial && !table.arguments.dry_run
}

/// There is nobody to ask; what would stand in the way even then is said first.
fn nobody(table: &Table<'_>) -> CliError {
    let obstacles: Vec<_> = table
        .shown
        .iter()
        .map(|shown| table.obstacle(shown))
        .collect();
    if obstacles.iter().all(Option::is_some)
        && let Some(first) = obstacles.into_iter().flatten().next()
    {
        return first;
    }
    let names: Vec<&str> = table
        .shown
        .iter()
        .map(|shown| shown.card.strategy.as_str())
        .collect();
    let message = match names.len() {
        1 => "there is a plan, and nobody to agree to it".to_owned(),
        count => format!("there are {count} plans and nobody to choose"),
    };
    CliError::usage("choice-needed", message)
        .hint(format!("add --plan {} or --auto", names.join("|")))
}

/// Thompson sampling over the confidences of those that can run; the choice is told.
fn by_chance(table: &Table<'_>, session: &Session) -> Result<Decision, CliError> {
    let arguments = table.arguments;
    let places = table.shown.iter().enumerate();
    let free: Vec<(usize, &Shown<'_>)> = places
        .filter(|(_, shown)| arguments.manner.yes || unseen::may_be_drawn(shown.card))
        .collect();
    if free.is_empty() {
        return Err(CliError::usage(
            "choice-needed",
            "the plans are a model's and change something: nobody has looked at them",
        )
        .hint("look at them with `holloway plan`, then take one with --plan, or add --yes"));
    }
    let open = free.iter().copied();
    // Chance never takes a plan that leaves a part of the request unserved, `--partial` or not.
    let open: Vec<(usize, &Shown<'_>)> = open
        .filter(|(_, shown)| table.obstacle(shown).is_none() && choose::serves_all(shown.card))
        .collect();
    let Some((first, _)) = open.first() else {
        let first = free.first().map_or(0, |(place, _)| *place);
        let unserved = free
            .first()
            .filter(|(_, shown)| not_granted(shown).is_none())
            .and_then(|(_, shown)| part_missing(shown.card));
        return match unserved {
            Some(unserved) => Err(unserved),
            None => table.taken(first),
        };
    };
    let seed = arguments.seed.unwrap_or_else(|| {
        choose::seed_of(table.request, open.iter().map(|(_, shown)| shown.card))
    });
    let confidences: Vec<f64> = open
        .iter()
        .map(|(_, shown)| shown.card.outlook.confidence)
        .collect();
    let drawn = choose::choose_seeded(&confidences, seed);
    let (place, card) = drawn
        .and_then(|drawn| open.get(drawn))
        .map_or((*first, None), |(place, shown)| (*place, Some(shown.card)));
    if let Some(card) = card {
        tell(card, session)?;
    }
    table.taken(place)
}

fn tell(card: &Card, session: &Session) -> Result<(), CliError> {
    if session.json {
        return print::line(&json!({
            "event": "auto_selected", "plan": card.id, "strategy": card.strategy,
            "confidence": card.outlook.confidence,
        }));
    }
    print::note(&format!(
        "chose the {} plan ({} %)",
        card.strategy,
        (card.outlook.confidence * 100.0).round()
    ));
    Ok(())
}

/// Whether a person says yes; no to everything else.
pub(super) fn agrees(question: &str, interrupts: &Interrupts) -> bool {
    print::note(question);
    keyboard::one_of(&['y', 'n'], interrupts) == Some('y')
}
