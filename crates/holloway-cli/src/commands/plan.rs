//! `holloway plan`: which plans would do this? Cards to look at, nothing is run.

mod tasks;

use std::collections::BTreeSet;
use std::path::Path;

use clap::Args;
use holloway_flow::discover::tools_of_lines;
use holloway_flow::flow::tasks::{TaskPlans, Tracked};
use holloway_flow::flow::{Planned, Planner};
use holloway_flow::skills::Skills;
use holloway_plan::read::read_text;
use holloway_planner::card::Card;
use holloway_planner::read::tasks::pattern::Pattern;
use holloway_tools::named_hosts::private_hosts;
use serde_json::json;

use super::ask::questions::needed;
use super::planning::{
    Shown, card_data, cards_text, keep, missing_text, pick, planned, planner, request_of,
    show_prompts, shown, shown_data, tell_notes, why_text, without_plan, yaml,
};
use crate::arguments::{Asking, Reach};
use crate::error::{CliError, Exit};
use crate::from_here::from_here;
use crate::glance::scene;
use crate::input::text_of;
use crate::print::paint::Paint;
use crate::print::{self, one_line};
use crate::session::Session;

/// How many characters of the names of tools are shown.
const TOOLS_SHOWN: usize = 400;

/// Show plans for a request, and keep one if wanted
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  holloway plan \"audit http://127.0.0.1:8080 for SEO and security and write a report\"
  holloway plan \"summarise notes.txt\" --plan quick -o summary.yaml
  holloway plan --tasks tasks.yaml --plan thorough -o report.yaml
  holloway plan \"find broken links on https://example.com\" --why")]
pub(crate) struct Arguments {
    /// What is to be done, in plain words
    #[arg(required_unless_present = "tasks", conflicts_with = "tasks")]
    request: Vec<String>,
    /// Plan tasks that are taken apart already: a JSON or YAML file, or `-`
    #[arg(long, value_name = "FILE")]
    tasks: Option<String>,
    /// Show at most this many plans
    #[arg(short = 'n', long = "plans", value_name = "N", value_parser = clap::value_parser!(u8).range(1..=9))]
    count: Option<u8>,
    /// Which one to save: its number, strategy or id; the first if not said
    #[arg(long, value_name = "WHICH")]
    plan: Option<String>,
    /// Save the plan to a file; `-` prints it
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// Write over the file if it is there already
    #[arg(long, requires = "output")]
    replace: bool,
    /// Answer a question that the request leaves open, in the order they are asked
    #[arg(long, value_name = "TEXT")]
    answer: Vec<String>,
    /// Also say why each step is there and where its arguments come from
    #[arg(long)]
    why: bool,
    /// Plan over a catalogue in a file instead: one JSON object per line
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// Print what a model is asked. Without a model, print what it would be asked
    #[arg(long, conflicts_with_all = ["tasks", "json", "output", "why", "plan", "count"])]
    show_prompt: bool,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    reach: Reach,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    std::thread::spawn(holloway_planner::read::warm_up);
    let tasks = arguments.tasks.as_deref();
    let pattern = tasks.map(|file| tasks::read(file, session)).transpose()?;
    let request = match &pattern {
        Some(pattern) => request_of(std::slice::from_ref(&pattern.objective))?,
        None => request_of(&arguments.request)?,
    };
    let workbench = match &arguments.from {
        Some(_) => None,
        None => Some(session.workbench(&reach_of(arguments))?),
    };
    let planner = match (&arguments.from, &workbench) {
        (None, Some(workbench)) => {
            let answers = arguments.answer.clone();
            let said = pattern.as_ref().map(Pattern::text);
            let scene = scene(said.as_ref().unwrap_or(&request), workbench)?;
            let planner = planner(workbench, session)?.with_scene(scene);
            planner.with_answers(answers)
        }
        (file, _) => over_file(file.as_deref().unwrap_or_default(), session)?,
    };
    let (mut planned, tracked) = if let Some(pattern) = &pattern {
        let TaskPlans { planned, tracked } = tasks::planned(&planner, pattern)?;
        tell_notes(&planned, session);
        (planned, tracked)
    } else {
        if arguments.show_prompt {
            return show_prompts(&planner, &request, arguments.asking.model, session);
        }
        let when = arguments.asking.model;
        let planned = planned((&planner, &request), when, &|_| {}, async {}, session)?;
        (planned, Vec::new())
    };
    if let Some(count) = arguments.count {
        planned.cards.truncate(usize::from(count));
    }
    if let Some(question) = planned.question() {
        return Err(needed(question, session)?);
    }
    if planned.cards.is_empty() {
        return without_plan(&planned, session);
    }
    if arguments.from.is_none() {
        keep(&request, &planned.cards, session)?;
    }
    let chosen = arguments
        .plan
        .as_deref()
        .map(|word| pick(&planned, word))
        .transpose()?;
    if let Some(file) = &arguments.output {
        if let Some(missing) = missing_text(&planned, Paint::stderr()) {
            print::note(&missing);
        }
        return save(file, &planned, chosen.unwrap_or(0), arguments, session);
    }
    let shown = shown(&planned, &json!({}), workbench.as_ref());
    show(&planned, &shown, &tracked, chosen, arguments, session)
}

/// Hosts that the request names will be granted with it, so that nothing is lacking there.
fn reach_of(arguments: &Arguments) -> Reach {
    let mut reach = arguments.reach.clone();
    reach
        .allow_host
        .extend(private_hosts(&arguments.request.join(" ")));
    reach
}

fn show(
    planned: &Planned,
    shown: &[Shown<'_>],
    tracked: &[Tracked],
    chosen: Option<usize>,
    arguments: &Arguments,
    session: &Session,
) -> Result<Exit, CliError> {
    let cards = match chosen {
        Some(place) => shown.get(place..=place).unwrap_or_default(),
        None => shown,
    };
    if session.json {
        let cards: Vec<_> = cards.iter().map(shown_data).collect();
        let mut data = json!({
            "plans": cards, "missing": planned.missing, "frame": planned.understood.frame,
            "notes": planned.notes, "spent": planned.spent,
        });
        if let (Some(fields), false) = (data.as_object_mut(), tracked.is_empty()) {
            fields.insert("tracked".to_owned(), json!(tracked));
        }
        print::object(&data)?;
        return Ok(Exit::Done);
    }
    let paint = Paint::stdout();
    print::result(&cards_text(cards, &console::Term::stdout(), paint))?;
    if let Some(missing) = missing_text(planned, paint) {
        print::result(&missing)?;
    }
    if arguments.why {
        for shown in cards {
            print::result(&why_text(shown.card, paint))?;
        }
    }
    if arguments.from.is_none() {
        let allowed = allowed_hosts(arguments);
        for Shown { card, .. } in cards {
            let line = format!("{}: holloway run {}{allowed}", card.strategy, card.id);
            print::note(&paint.dim(&line));
        }
    }
    Ok(Exit::Done)
}

fn save(
    file: &str,
    planned: &Planned,
    place: usize,
    arguments: &Arguments,
    session: &Session,
) -> Result<Exit, CliError> {
    let Some(card) = planned.cards.get(place) else {
        return Ok(Exit::Done);
    };
    let text = yaml(card);
    if file == "-" {
        if session.json {
            print::object(card.plan.draft())?;
        } else {
            print::result(text.trim_end())?;
        }
        return Ok(Exit::Done);
    }
    let path = from_here(&session.folder, file);
    if !arguments.replace {
        refuse_loss(file, &path, &text, session)?;
    }
    std::fs::write(&path, text).map_err(|error| {
        CliError::failed(
            "file-unwritable",
            format!("{file} cannot be written: {error}"),
        )
        .hint("check that its folder is there and may be written to")
    })?;
    if session.json {
        print::object(&json!({"saved": file, "plan": card_data(card)}))?;
    } else {
        let next = match arguments.from {
            Some(_) => format!("add these tools first: {}", tools_of(card)),
            None => format!(
                "run it with: holloway run {file}{}",
                allowed_hosts(arguments)
            ),
        };
        print::result(&format!(
            "saved the {} plan as {file}; {next}",
            card.strategy
        ))?;
    }
    Ok(Exit::Done)
}

/// Refuses to write over a file whose content would be lost: one that is there, not empty, and not
/// the very plan.
fn refuse_loss(file: &str, path: &Path, plan: &str, session: &Session) -> Result<(), CliError> {
    let Ok(found) = path.metadata() else {
        return Ok(());
    };
    if !found.is_file() || found.len() == 0 {
        return Ok(());
    }
    let most = session.limits.text_bytes;
    let is_small = usize::try_from(found.len()).is_ok_and(|bytes| bytes <= most);
    let text = is_small
        .then(|| text_of(file, &session.folder).ok())
        .flatten();
    if text.as_deref() == Some(plan) {
        return Ok(());
    }
    let is_plan = text.is_some_and(|text| read_text(&text, &session.limits).is_ok());
    let refused = if is_plan {
        let message = format!("{file} holds another plan already");
        CliError::usage("plan-exists", message)
    } else {
        let message = format!("{file} is there already and is not a plan");
        CliError::usage("file-exists", message)
    };
    Err(refused.hint("name another file, or add --replace to write over it"))
}

/// What `run` needs to be told about the hosts that the request names.
fn allowed_hosts(arguments: &Arguments) -> String {
    let hosts = private_hosts(&arguments.request.join(" "));
    let option = |host: &String| format!(" --allow-host {host}");
    hosts.iter().map(option).collect::<Vec<_>>().concat()
}

fn tools_of(card: &Card) -> String {
    let tools: BTreeSet<&str> = card.steps.iter().map(|step| step.tool.as_str()).collect();
    let tools: Vec<&str> = tools.into_iter().collect();
    one_line(&tools.join(", "), TOOLS_SHOWN)
}

/// Plans over tools that need not be here; they can be looked at, not run.
fn over_file(file: &str, session: &Session) -> Result<Planner, CliError> {
    let text = text_of(file, &session.folder)?;
    let tools = tools_of_lines(&text).map_err(|error| {
        let message = format!("{file}:{}: {}", error.line, error.what);
        CliError::usage("input-invalid", message)
            .hint("each line is one tool: {\"id\": …, \"name\": …, \"description\": …}")
    })?;
    let settings = session.config()?.settings.planning.clone();
    Ok(Planner::new(
        tools.iter().map(|tool| (tool, None)),
        Skills::shipped(),
        settings,
    ))
}
