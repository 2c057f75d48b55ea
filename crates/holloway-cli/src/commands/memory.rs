//! `holloway memory`: what does planning remember, and how does it forget? Runs of `ask` that
//! reached their goal, plans that were made, results of calls that only read.

use clap::{Args, Subcommand};
use holloway_planner::recall::PastRun;
use holloway_store::{RememberedRun, Store};
use serde_json::{Map, Value, json};

use crate::error::{CliError, Exit};
use crate::print::paint::Paint;
use crate::print::table::table;
use crate::print::{self, indented, one_line, units, visible};
use crate::session::Session;

/// How much of a request stands in the list.
const REQUEST_SHOWN: usize = 70;

/// Look at what planning remembers, and make it forget
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the runs that planning learns from, the newest first
    List {
        /// How many at most
        #[arg(long, default_value = "20", value_parser = crate::arguments::at_least_one)]
        limit: usize,
    },
    /// Show what is remembered of one run: request, tools, settings
    Show {
        /// The run, the beginning of its name, or `last`
        run: String,
    },
    Forget(Forget),
}

/// Forget runs, and if wanted plans and results; the runs themselves stay in `holloway runs`
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
struct Forget {
    /// The run, the beginning of its name, or `last`
    #[arg(conflicts_with = "all")]
    run: Option<String>,
    /// Forget all of them
    #[arg(long)]
    all: bool,
    /// Forget the plans that were made and are kept by their id only
    #[arg(long)]
    plans: bool,
    /// Forget the results of calls that only read, kept between runs
    #[arg(long)]
    results: bool,
}

pub(super) fn run(arguments: Arguments, session: &Session) -> Result<Exit, CliError> {
    let list = Action::List { limit: 20 };
    match arguments.command.unwrap_or(list) {
        Action::List { limit } => show_all(limit, session),
        Action::Show { run } => show(&run, session),
        Action::Forget(forget) => forget_some(&forget, session),
    }
}

fn show_all(limit: usize, session: &Session) -> Result<Exit, CliError> {
    let mut runs = remembered(session)?;
    let whole = runs.len();
    runs.reverse();
    runs.truncate(limit);
    if session.json {
        let runs: Vec<Value> = runs.iter().map(data).collect();
        print::object(&json!({ "remembered": runs, "all": whole }))?;
    } else if runs.is_empty() {
        print::note("nothing is remembered yet; runs of `holloway ask` that reach their goal are");
    } else {
        let rows: Vec<[String; 4]> = runs.iter().map(row).collect();
        let heading = ["RUN", "ENDED (UTC)", "TOOLS", "REQUEST"];
        print::result(&table(heading, &rows, Paint::stdout()))?;
        if whole > runs.len() {
            print::note(&format!("{} of {whole}; --limit shows more", runs.len()));
        }
    }
    Ok(Exit::Done)
}

fn remembered(session: &Session) -> Result<Vec<RememberedRun>, CliError> {
    if !session.has_store()? {
        return Ok(Vec::new());
    }
    Ok(session.store()?.remembered_runs()?)
}

/// What planning and runs learn from all remembered runs.
pub(super) fn past_runs(session: &Session) -> Result<Vec<PastRun>, CliError> {
    Ok(remembered(session)?.iter().map(past).collect())
}

fn past(run: &RememberedRun) -> PastRun {
    serde_json::from_value(run.past.clone()).unwrap_or_default()
}

fn row(run: &RememberedRun) -> [String; 4] {
    let past = past(run);
    [
        one_line(&run.run, 20),
        units::moment(run.at_ms),
        past.tools.len().to_string(),
        one_line(&past.request, REQUEST_SHOWN),
    ]
}

fn data(run: &RememberedRun) -> Value {
    let mut data = json!({"run": run.run, "at_ms": run.at_ms});
    if let (Some(data), Some(past)) = (data.as_object_mut(), run.past.as_object()) {
        data.extend(past.clone());
    }
    data
}

fn show(word: &str, session: &Session) -> Result<Exit, CliError> {
    let run = find(word, remembered(session)?)?;
    if session.json {
        print::object(&data(&run))?;
        return Ok(Exit::Done);
    }
    let paint = Paint::stdout();
    let past = past(&run);
    let mut lines = vec![
        format!("{} {}", paint.bold(&run.run), units::moment(run.at_ms)),
        indented(&past.request),
    ];
    for (place, tool) in past.tools.iter().enumerate() {
        let from: Vec<String> = past
            .links
            .iter()
            .filter(|(_, to)| *to == place)
            .map(|(from, _)| (from + 1).to_string())
            .collect();
        let takes = match from.as_slice() {
            [] => String::new(),
            from => paint.dim(&format!("  takes from {}", from.join(", "))),
        };
        let settings = past.arguments.get(place).map(settings).unwrap_or_default();
        let tool = visible(tool);
        lines.push(format!("  {:>2} {tool}{settings}{takes}", place + 1));
    }
    print::result(&lines.join("\n"))?;
    Ok(Exit::Done)
}

/// The values that are kept; names alone say nothing here.
fn settings(arguments: &Map<String, Value>) -> String {
    let kept = arguments.iter().filter(|(_, value)| !value.is_null());
    let kept: Vec<String> = kept
        .map(|(name, value)| format!("{}={}", visible(name), one_line(&value.to_string(), 40)))
        .collect();
    match kept.as_slice() {
        [] => String::new(),
        kept => format!("  {}", kept.join(" ")),
    }
}

fn forget_some(forget: &Forget, session: &Session) -> Result<Exit, CliError> {
    let named = forget.run.as_deref();
    let run = named
        .map(|word| find(word, remembered(session)?))
        .transpose()?;
    if !session.has_store()? {
        return told(Forgotten::default(), session);
    }
    let store = session.store()?;
    told(forgotten(forget, run, store)?, session)
}

/// How much was forgotten.
#[derive(Debug, Default)]
struct Forgotten {
    runs: usize,
    plans: usize,
    results: usize,
}

fn forgotten(
    forget: &Forget,
    run: Option<RememberedRun>,
    store: &Store,
) -> Result<Forgotten, CliError> {
    let runs = match run {
        Some(run) => usize::from(store.forget_run(&run.run)?),
        None if forget.all => store.forget_runs()?,
        None => 0,
    };
    Ok(Forgotten {
        runs,
        plans: if forget.plans {
            store.forget_made_plans()?
        } else {
            0
        },
        results: if forget.results {
            store.forget_results()?
        } else {
            0
        },
    })
}

fn told(forgotten: Forgotten, session: &Session) -> Result<Exit, CliError> {
    let Forgotten {
        runs,
        plans,
        results,
    } = forgotten;
    if session.json {
        print::object(&json!({"forgotten": {"runs": runs, "plans": plans, "results": results}}))?;
        return Ok(Exit::Done);
    }
    let parts = [(runs, "run"), (plans, "plan"), (results, "result")];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| units::count(count, word))
        .collect();
    print::result(&match parts.as_slice() {
        [] => "there was nothing to forget".to_owned(),
        parts => format!("forgot {}", parts.join(", ")),
    })?;
    Ok(Exit::Done)
}

/// The remembered run that a word means.
fn find(word: &str, runs: Vec<RememberedRun>) -> Result<RememberedRun, CliError> {
    if word == "last" {
        let last = runs.into_iter().last();
        return last.ok_or_else(|| {
            CliError::usage("run-unknown", "nothing is remembered yet")
                .hint("runs of `holloway ask` that reach their goal are")
        });
    }
    let begins = |run: &RememberedRun| !word.is_empty() && run.run.starts_with(word);
    let mut found: Vec<RememberedRun> = runs.into_iter().filter(begins).collect();
    if let Some(exact) = found.iter().position(|run| run.run == word) {
        return Ok(found.swap_remove(exact));
    }
    match found.len() {
        1 => Ok(found.swap_remove(0)),
        0 => {
            let message = format!("no run `{word}` is remembered");
            Err(CliError::usage("run-unknown", message).hint("`holloway memory` lists them"))
        }
        count => {
            let message = format!("{count} remembered runs begin with `{word}`");
            Err(CliError::usage("run-ambiguous", message).hint("type more of its name"))
        }
    }
}
