//! `holloway runs meter`: how much of everything did the steps of a run see? A bar for each step,
//! beside what loading all tools and skills would have taken.

use std::collections::BTreeMap;

use clap::Args;
use holloway_engine::context::Loaded;
use holloway_engine::entry::{Entry, EntryKind};
use serde::Serialize;

use super::history::History;
use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::{self, one_line, units, visible};
use crate::run_name;
use crate::session::Session;

/// Chart the size of each step's context beside loading everything
#[derive(Debug, Args)]
pub(super) struct Arguments {
    run: String,
}

/// Width of the longest bar.
const WIDTH: f64 = 40.0;
/// Of names of steps.
const NAME: usize = 28;

#[derive(Debug, Serialize)]
struct Meter {
    run: String,
    steps: Vec<Bar>,
    mean_tokens: u64,
    largest_tokens: u64,
    mean_everything: u64,
    /// How much less the steps saw, in percent.
    less_percent: f64,
    /// What models were sent, what they answered, and what of it providers had seen before.
    tokens_in: u64,
    tokens_out: u64,
    cached_tokens: u64,
    money: f64,
}

#[derive(Debug, Serialize)]
struct Bar {
    node: String,
    #[serde(flatten)]
    loaded: Loaded,
    /// Tokens that the provider counted for the answer that came last.
    cached: u64,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let store = session.store()?;
    let run = run_name::find(&arguments.run, session)?.run;
    let history = History::read(&run, store)?;
    let meter = measured(run.as_str(), &history.entries);
    if session.json {
        print::object(&meter)?;
        return Ok(Exit::Done);
    }
    if meter.steps.is_empty() {
        return Err(
            CliError::usage("context-unknown", format!("run {run} has no contexts"))
                .hint("`[context] told = false` turns them off"),
        );
    }
    print::result(&chart(&meter, Paint::stdout()))?;
    Ok(Exit::Done)
}

fn measured(run: &str, entries: &[Entry]) -> Meter {
    let mut meter = Meter {
        run: run.to_owned(),
        steps: Vec::new(),
        mean_tokens: 0,
        largest_tokens: 0,
        mean_everything: 0,
        less_percent: 0.0,
        tokens_in: 0,
        tokens_out: 0,
        cached_tokens: 0,
        money: 0.0,
    };
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    for entry in entries {
        match &entry.kind {
            EntryKind::ContextLoaded { node, loaded } => {
                places.insert(node.n, meter.steps.len());
                meter.steps.push(Bar {
                    node: node.node.to_string(),
                    loaded: Loaded::clone(loaded),
                    cached: 0,
                });
            }
            EntryKind::StepComplete { node, usage, .. }
            | EntryKind::StepError { node, usage, .. }
            | EntryKind::ExpectationUnmet { node, usage, .. } => {
                meter.money += usage.money;
                let Some(model) = &usage.model else { continue };
                meter.tokens_in += model.tokens_in;
                meter.tokens_out += model.tokens_out;
                meter.cached_tokens += model.cached_tokens;
                let bar = places
                    .get(&node.n)
                    .and_then(|place| meter.steps.get_mut(*place));
                if let Some(bar) = bar {
                    bar.cached = model.cached_tokens;
                }
            }
            _ => {}
        }
    }
    let number = meter.steps.len().max(1) as u64;
    let sum = |of: fn(&Loaded) -> u64| meter.steps.iter().map(|bar| of(&bar.loaded)).sum::<u64>();
    let (tokens, everything) = (sum(|it| it.tokens), sum(|it| it.everything));
    meter.mean_tokens = tokens / number;
    meter.mean_everything = everything / number;
    meter.largest_tokens = meter
        .steps
        .iter()
        .map(|bar| bar.loaded.tokens)
        .max()
        .unwrap_or(0);
    if everything > 0 {
        meter.less_percent = 100.0 * (1.0 - tokens as f64 / everything as f64);
    }
    meter
}

fn chart(meter: &Meter, paint: Paint) -> String {
    let longest = meter.largest_tokens.max(1) as f64;
    let mut lines: Vec<String> = meter
        .steps
        .iter()
        .map(|bar| {
            let share = bar.loaded.tokens as f64 / longest;
            let drawn = "█".repeat((share * WIDTH).round().max(1.0) as usize);
            let sent = match (bar.loaded.sent, bar.cached) {
                (0, _) => String::new(),
                (sent, 0) => format!(" ({sent} sent)"),
                (sent, cached) => format!(" ({sent} sent, {cached} cached)"),
            };
            let name = one_line(&visible(&bar.node), NAME);
            format!(
                "{name:NAME$} {:>6} {}{}",
                bar.loaded.tokens,
                paint.cyan(&drawn),
                paint.dim(&sent)
            )
        })
        .collect();
    let steps = units::count(meter.steps.len(), "step");
    lines.push(format!(
        "\n{steps}, mean {} tokens, largest {}; loading everything would take {} at each step: {:.1} % less",
        meter.mean_tokens, meter.largest_tokens, meter.mean_everything, meter.less_percent
    ));
    if meter.tokens_in > 0 {
        let money = if meter.money > 0.0 {
            format!(", {}", units::money(meter.money))
        } else {
            String::new()
        };
        lines.push(format!(
            "models were sent {} tokens ({} cached) and wrote {}{money}",
            meter.tokens_in, meter.cached_tokens, meter.tokens_out
        ));
    } else {
        lines.push("no model was asked: 0 tokens were sent".to_owned());
    }
    lines.join("\n")
}
