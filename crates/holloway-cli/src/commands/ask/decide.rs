//! Which plan is run? The flags are handed to the flow, which decides; what it decided is carried out
//! and told here.

use std::io::IsTerminal as _;

use holloway_flow::choose::decision::{self, Candidate, ChosenBy, Refusal, Ruling, Wishes};
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
    /// What the flags say.
    fn wishes(&self, named: Option<usize>, can_ask: bool) -> Wishes<'_> {
        Wishes {
            request: self.request,
            named,
            auto: self.arguments.auto,
            seed: self.arguments.seed,
            yes: self.arguments.manner.yes,
            partial: self.arguments.partial,
            dry_run: self.arguments.dry_run,
            can_ask,
        }
    }

    /// Whether a person has to agree to a part.
    pub(super) fn lacks_consent(&self, card: &Card) -> bool {
        self.wishes(None, true).lacks_consent(card)
    }

    fn run(&self, place: usize) -> Result<Decision, CliError> {
        let shown = self.shown.get(place).ok_or_else(no_such_plan)?;
        Ok(Decision::Run(Box::new(shown.card.plan.clone())))
    }
}

fn no_such_plan() -> CliError {
    CliError::usage("plan-not-found", "there is no such plan").hint("look at the cards again")
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
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let can_ask = terminal && !session.json && !table.arguments.auto;
    let named = table.arguments.plan.as_ref();
    let named = named.map(|word| pick(table.planned, word)).transpose()?;
    let candidates = table.shown.iter().map(|shown| Candidate {
        card: shown.card,
        is_granted: shown.lacks.is_empty(),
    });
    let candidates: Vec<Candidate<'_>> = candidates.collect();
    match decision::decide(&candidates, &table.wishes(named, can_ask)) {
        Ruling::Run { place, by } => {
            announce(place, by, table, session)?;
            table.run(place)
        }
        Ruling::AskAboutRest(place) => {
            let shown = table.shown.get(place).ok_or_else(no_such_plan)?;
            Ok(choice::rest(shown, table.interrupts))
        }
        Ruling::AskWhich => choice::at_terminal(table, session),
        Ruling::Refuse(refusal) => Err(refused(refusal, table)),
    }
}

/// How a plan came to be taken, where nobody named it.
fn announce(
    place: usize,
    by: ChosenBy,
    table: &Table<'_>,
    session: &Session,
) -> Result<(), CliError> {
    match by {
        ChosenBy::Chance => match table.shown.get(place) {
            Some(shown) => tell(shown.card, session),
            None => Ok(()),
        },
        ChosenBy::BeingHarmless if !session.json && !table.arguments.manner.quiet => {
            print::note("one plan that only looks: it runs without a choice");
            Ok(())
        }
        ChosenBy::BeingHarmless | ChosenBy::Name => Ok(()),
    }
}

fn refused(refusal: Refusal, table: &Table<'_>) -> CliError {
    let shown = |place: usize| table.shown.get(place);
    match refusal {
        Refusal::NoSuchPlan => no_such_plan(),
        Refusal::NotGranted(place) => {
            let lack = shown(place).and_then(not_granted);
            lack.unwrap_or_else(no_such_plan)
        }
        Refusal::PartMissing(place) => {
            let part = shown(place).and_then(|shown| part_missing(shown.card));
            part.unwrap_or_else(no_such_plan)
        }
        Refusal::Unseen => CliError::usage(
            "choice-needed",
            "the plans are a model's and change something: nobody has looked at them",
        )
        .hint("look at them with `holloway plan`, then take one with --plan, or add --yes"),
        Refusal::Inferred => CliError::usage(
            "choice-needed",
            "the plans rely on what a tool was inferred to do",
        )
        .hint(
            "look at them with `holloway plan`, then take one with --plan; or declare what the \
             tool does under [tools.does] in holloway.toml",
        ),
        Refusal::NobodyToChoose => nobody(table),
    }
}

/// There is nobody to ask.
fn nobody(table: &Table<'_>) -> CliError {
    let names = table.shown.iter().map(|shown| shown.card.strategy.as_str());
    let names: Vec<&str> = names.collect();
    let message = match names.len() {
        1 => "there is a plan, and nobody to agree to it".to_owned(),
        count => format!("there are {count} plans and nobody to choose"),
    };
    CliError::usage("choice-needed", message)
        .hint(format!("add --plan {} or --auto", names.join("|")))
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
