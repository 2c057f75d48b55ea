//! `holloway ask`: a request in plain words, done. Plans are made, one is chosen, run,
//! and answered with what came out.

mod choice;
mod early;
mod inputs;

use std::io::IsTerminal as _;

use clap::Args;
use holloway_flow::choose;
use holloway_flow::flow::{EMBEDDED, Planned};
use holloway_flow::prepare::Order;
use holloway_flow::remember::past_run;
use holloway_plan::plan::Plan;
use holloway_plan::tool::Effect;
use holloway_planner::card::Card;
use serde_json::json;

use early::Early;

use super::planning::{
    card_data, keep, missing_text, pick, planned, planner, request_of, without_plan,
};
use super::run::{Terms, begin, options};
use crate::arguments::{Given, Manner, Reach};
use crate::bench::Bench;
use crate::carry::Ending;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::secret_file::SecretFile;
use crate::session::{Session, now_ms};
use crate::{print, run_name};

/// Plan a request, choose, run, answer
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  holloway ask \"audit http://127.0.0.1:8080 for SEO and security and write a report\"
  holloway ask \"how many rows has prices.csv\" --auto
  holloway ask \"summarise notes.txt\" --plan quick --dry-run")]
pub(crate) struct Arguments {
    /// What is to be done, in plain words
    #[arg(required = true)]
    request: Vec<String>,
    /// Take this plan: quick, balanced, thorough, or its number
    #[arg(long, value_name = "WHICH", conflicts_with = "auto")]
    plan: Option<String>,
    /// Let Holloway choose: the more confident a plan, the more often it is taken
    #[arg(long)]
    auto: bool,
    /// Call nothing that writes; show what would be called
    #[arg(long)]
    dry_run: bool,
    /// Choose by this number instead of by chance
    #[arg(long, value_name = "N", requires = "auto")]
    seed: Option<u64>,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    reach: Reach,
}

/// From here on a plan that only looks need not be shown first.
const LIKELY: f64 = 0.5;

/// What was decided about the cards.
enum Decision {
    Run(Box<Plan>),
    Cancelled,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let request = request_of(&arguments.request)?;
    let reach = reach_of_request(&arguments.reach, &request);
    let bench = session.bench(&reach)?;
    let early = Early::new(&bench, session)?;
    let planner = planner(&bench, session)?;
    let begin = |plan| early.start(plan);
    let planned = planned(&planner, &request, &begin, early.finish(), session)?;
    if planned.cards.is_empty() {
        return without_plan(&planned, session);
    }
    keep(&request, &planned.cards, session)?;
    announce(&planned, session)?;
    match decide(arguments, &planned, &bench, session)? {
        Decision::Run(plan) => {
            carry_out(arguments, &request, *plan, &bench, early.began(), session)
        }
        Decision::Cancelled => {
            if session.json {
                print::line(&json!({"event": "cancelled"}))?;
            } else {
                print::note("cancelled; nothing was run");
            }
            Ok(Exit::Interrupted)
        }
    }
}

/// A private address that the person named may be reached; nothing else is granted by words.
fn reach_of_request(reach: &Reach, request: &str) -> Reach {
    let mut reach = reach.clone();
    for host in holloway_adapters::tools::named_hosts::private_hosts(request) {
        if !reach.allow_host.contains(&host) {
            print::note(&format!(
                "tools may reach {host}, because the request names it"
            ));
            reach.allow_host.push(host);
        }
    }
    reach
}

/// The event of the same name for programs, what is missing for people.
fn announce(planned: &Planned, session: &Session) -> Result<(), CliError> {
    if session.json {
        let plans: Vec<_> = planned.cards.iter().map(card_data).collect();
        return print::line(&json!({
            "event": "plans_ready", "plans": plans, "missing": planned.missing,
            "notes": planned.notes, "spent": planned.spent,
        }));
    }
    if let Some(missing) = missing_text(planned, Paint::stderr()) {
        print::note(&missing);
    }
    Ok(())
}

fn decide(
    arguments: &Arguments,
    planned: &Planned,
    bench: &Bench,
    session: &Session,
) -> Result<Decision, CliError> {
    let cards = &planned.cards;
    if let Some(word) = &arguments.plan {
        return taken(cards, pick(planned, word)?);
    }
    if arguments.auto {
        return by_chance(cards, arguments, session);
    }
    if let [only] = cards.as_slice()
        && is_harmless(only)
    {
        if !session.json && !arguments.manner.quiet {
            print::note("one plan that only looks: it runs without a choice");
        }
        return taken(cards, 0);
    }
    let terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !terminal || session.json {
        let names: Vec<&str> = cards.iter().map(|card| card.strategy.as_str()).collect();
        return Err(CliError::usage(
            "choice-needed",
            match cards.len() {
                1 => "there is a plan, and nobody to agree to it".to_owned(),
                count => format!("there are {count} plans and nobody to choose"),
            },
        )
        .hint(format!("add --plan {} or --auto", names.join("|"))));
    }
    choice::at_terminal(cards, bench, session)
}

/// Whether chance may choose it: what a model wrote and changes something, a person sees first.
fn may_be_drawn(card: &Card) -> bool {
    card.made_by == EMBEDDED || looks_only(card)
}

fn looks_only(card: &Card) -> bool {
    let mut tools = card.plan.tools().values();
    tools.all(|tool| tool.effect == Effect::Read)
}

/// Whether a plan may run without having been shown: ours, likely right, and only looking.
fn is_harmless(card: &Card) -> bool {
    looks_only(card)
        && card.made_by == EMBEDDED
        && card.open_inputs.is_empty()
        && card.outlook.risks.is_empty()
        && card.outlook.confidence >= LIKELY
}

fn taken(cards: &[Card], place: usize) -> Result<Decision, CliError> {
    let card = cards.get(place).ok_or_else(|| {
        CliError::usage("plan-not-found", "there is no such plan").hint("look at the cards again")
    })?;
    Ok(Decision::Run(Box::new(card.plan.clone())))
}

/// Thompson sampling over the confidences; the choice is told.
fn by_chance(
    cards: &[Card],
    arguments: &Arguments,
    session: &Session,
) -> Result<Decision, CliError> {
    let free: Vec<Card> = cards
        .iter()
        .filter(|card| arguments.manner.yes || may_be_drawn(card))
        .cloned()
        .collect();
    let cards = free.as_slice();
    if cards.is_empty() {
        return Err(CliError::usage(
            "choice-needed",
            "the plans are a model's and change something: nobody has looked at them",
        )
        .hint("look at them with `holloway plan`, then take one with --plan, or add --yes"));
    }
    let seed = match arguments.seed {
        Some(seed) => seed,
        None => run_name::random()?,
    };
    let confidences: Vec<f64> = cards.iter().map(|card| card.outlook.confidence).collect();
    let place = choose::choose_seeded(&confidences, seed).unwrap_or(0);
    if let Some(card) = cards.get(place) {
        if session.json {
            print::line(&json!({
                "event": "auto_selected", "plan": card.id, "strategy": card.strategy,
                "confidence": card.outlook.confidence,
            }))?;
        } else {
            print::note(&format!(
                "chose the {} plan ({} %)",
                card.strategy,
                (card.outlook.confidence * 100.0).round()
            ));
        }
    }
    taken(cards, place)
}

fn carry_out(
    arguments: &Arguments,
    request: &str,
    plan: Plan,
    bench: &Bench,
    began: bool,
    session: &Session,
) -> Result<Exit, CliError> {
    let input = inputs::complete(&plan, &arguments.given, session)?;
    let run = run_name::new(now_ms())?;
    let mut options = options(
        &arguments.terms,
        &arguments.manner,
        arguments.dry_run,
        session,
    )?;
    // What was read early is found in memory.
    options.memoize |= began;
    let order = Order {
        run: run.clone(),
        context: json!({ "input": input }),
        options,
        reuse: std::collections::BTreeMap::new(),
        forked_from: None,
        terms: bench.terms(),
    };
    let secrets = SecretFile::open()?;
    let past = past_run(request, &plan, &|text| secrets.holds(text));
    let exit = begin(
        plan,
        order,
        bench,
        &arguments.manner,
        Ending::Answer,
        session,
    )?;
    if let (Exit::Done, Some(past), false) = (exit, past, arguments.dry_run) {
        let past = serde_json::to_value(&past).unwrap_or_default();
        session.store()?.remember_run(run.as_str(), &past)?;
    }
    Ok(exit)
}
