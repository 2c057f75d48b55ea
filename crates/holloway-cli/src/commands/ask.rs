//! `holloway ask`: a request in plain words, done. Plans are made, one is chosen, run,
//! and answered with what came out.

mod after;
mod choice;
mod customise;
mod decide;
mod early;
pub(super) mod inputs;
mod keyboard;
pub(super) mod lesson;
pub(super) mod questions;
mod refit;
mod verdict;

use std::sync::Arc;

use clap::Args;
use holloway_engine::mark::Issued;
use holloway_flow::flow::EMBEDDED;
use holloway_flow::flow::Planned;
use holloway_flow::prepare::Order;
use holloway_flow::remember::uses_all_named;
use holloway_flow::stored_plan::Asked;
use holloway_plan::plan::Plan;
use holloway_planner::frame::Entity;
use serde_json::{Value, json};

use after::After;
use early::Early;
use lesson::Lesson;
use refit::Refit;

use super::planning::{
    Shown, keep, missing_text, planned, planner, request_of, shown, shown_data, without_plan,
};
use super::run::{Terms, begin, options};
use crate::arguments::{Asking, Given, Manner, Reach};
use crate::carry::Ending;
use crate::carry::interrupts::Interrupts;
use crate::error::{CliError, Exit};
use crate::glance::scene;
use crate::print::paint::Paint;
use crate::print::units;
use crate::session::{Session, now_ms};
use crate::workbench::Workbench;
use crate::{input, print, run_name};

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
    /// Run the rest although no tool does a part of the request
    #[arg(long)]
    partial: bool,
    /// Do not ask afterwards whether the answer was what was wanted
    #[arg(long)]
    no_question: bool,
    /// Go on with the result of this run: its name, or `last`
    #[arg(long, value_name = "RUN")]
    after: Option<String>,
    /// Answer a question that the request leaves open, in the order they are asked
    #[arg(long, value_name = "TEXT")]
    answer: Vec<String>,
    /// Choose by this number instead of by chance
    #[arg(long, value_name = "N", requires = "auto")]
    seed: Option<u64>,
    #[command(flatten)]
    asking: Asking,
    #[command(flatten)]
    given: Given,
    #[command(flatten)]
    terms: Terms,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    reach: Reach,
}

/// What was decided about the cards.
enum Decision {
    Run(Box<Plan>),
    Cancelled,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    std::thread::spawn(holloway_planner::read::warm_up);
    let request = request_of(&arguments.request)?;
    let given = input::read(
        &arguments.given,
        json!({}),
        &session.folder,
        &session.limits,
    )?;
    let reach = reach_of_request(&arguments.reach, &request);
    let begun = now_ms();
    let workbench = session.workbench(&reach)?;
    let early = Early::new(&workbench, session)?;
    let after = arguments.after.as_ref();
    let after = after.map(|run| After::read(run, &workbench, session));
    let after = after.transpose()?;
    let mut scene = scene(&request, &workbench)?;
    let mut planner = planner(&workbench, session)?;
    if let Some(after) = &after {
        scene.before = Some(after.before.clone());
        planner = planner.after(after.draft.clone());
    }
    planner = planner.with_scene(scene);
    let interrupts = Interrupts::listen()?;
    let mut answers = arguments.answer.clone();
    let planned = loop {
        planner = planner.with_answers(answers.clone());
        let begin = |plan| early.start(plan);
        let planned = planned(
            (&planner, &request),
            arguments.asking.model,
            &begin,
            early.finish(),
            session,
        )?;
        let Some(question) = planned.question() else {
            break planned;
        };
        match questions::ask(question, arguments.auto, &interrupts, session)? {
            Some(answer) => answers.push(answer),
            None => return cancelled(session),
        }
    };
    let planner = Arc::new(planner);
    if planned.cards.is_empty() {
        return without_plan(&planned, session);
    }
    keep(&request, &planned.cards, session)?;
    inputs::refuse_unknown(&given, &planned.cards)?;
    let shown = shown(&planned, &given, Some(&workbench));
    let took = now_ms().saturating_sub(begun);
    announce(&planned, &shown, took, arguments, session)?;
    let table = decide::Table {
        arguments,
        request: &request,
        planned: &planned,
        shown: &shown,
        workbench: &workbench,
        given: &given,
        interrupts: &interrupts,
    };
    let Decision::Run(plan) = decide::decide(&table, session)? else {
        return cancelled(session);
    };
    let Some(input) = inputs::complete(&plan, given.clone(), &interrupts, session)? else {
        return cancelled(session);
    };
    let mut makers = planned.cards.iter();
    let job = Job {
        request: &request,
        named: &planned.understood.frame.entities,
        is_ours: makers.all(|card| card.made_by == EMBEDDED),
        plan: *plan,
        input,
        memoize: early.began(),
        is_whole: planned.missing.is_empty(),
        after: after.as_ref(),
    };
    let refit = Refit::begin(&planner);
    let exit = carry_out(arguments, job, &workbench, &interrupts, session)?;
    if exit == Exit::Done {
        refit.keep(session)?;
    }
    Ok(exit)
}

pub(super) fn cancelled(session: &Session) -> Result<Exit, CliError> {
    if session.json {
        print::line(&json!({"event": "cancelled"}))?;
    } else {
        print::note("cancelled; nothing was run");
    }
    Ok(Exit::Interrupted)
}

/// A private address that the person named may be reached; nothing else is granted by words.
fn reach_of_request(reach: &Reach, request: &str) -> Reach {
    let mut reach = reach.clone();
    for host in holloway_tools::named_hosts::private_hosts(request) {
        if !reach.allow_host.contains(&host) {
            print::note(&format!(
                "tools may reach {host}, because the request names it"
            ));
            reach.allow_host.push(host);
        }
    }
    reach
}

/// The event of the same name for programs, how long it took and what is missing for people.
fn announce(
    planned: &Planned,
    shown: &[Shown<'_>],
    took: u64,
    arguments: &Arguments,
    session: &Session,
) -> Result<(), CliError> {
    if session.json {
        let plans = shown.iter().map(shown_data);
        return print::line(&json!({
            "event": "plans_ready", "plans": plans.collect::<Vec<_>>(), "missing": planned.missing, "frame": planned.understood.frame,
            "notes": planned.notes, "spent": planned.spent, "duration_ms": took,
        }));
    }
    if !arguments.manner.quiet {
        let count = units::count(shown.len(), "plan");
        let line = format!("{count} in {}", units::duration(took));
        print::note(&Paint::stderr().dim(&line));
    }
    if let Some(missing) = missing_text(planned, Paint::stderr()) {
        print::note(&missing);
    }
    Ok(())
}

/// A plan with all it has to know.
struct Job<'a> {
    request: &'a str,
    /// What the request names.
    named: &'a [Entity],
    plan: Plan,
    input: Value,
    /// No model took part in making it.
    is_ours: bool,
    /// What was read early is found in memory.
    memoize: bool,
    /// Whether tools were found for all that is asked.
    is_whole: bool,
    after: Option<&'a After>,
}

fn carry_out(
    arguments: &Arguments,
    job: Job<'_>,
    workbench: &Workbench,
    interrupts: &Interrupts,
    session: &Session,
) -> Result<Exit, CliError> {
    let run = run_name::new(now_ms())?;
    let mut options = options(
        &arguments.terms,
        &arguments.manner,
        arguments.dry_run,
        session,
    )?;
    options.memoize |= job.memoize;
    if !job.is_ours {
        // What a model's plan would write over is asked about, whatever was agreed to beforehand.
        options.approvals.replace = session.config()?.settings.options().approvals.replace;
    }
    let asked = Asked {
        request: job.request.to_owned(),
        question: !(arguments.auto || arguments.no_question),
        is_whole: job.is_whole && uses_all_named(job.named, &job.plan, &job.input),
    };
    let order = Order {
        run: run.clone(),
        context: json!({ "input": job.input }),
        marks: Issued::new(),
        options,
        reuse: match job.after {
            Some(after) => after.results(&job.plan, session)?,
            None => std::collections::BTreeMap::new(),
        },
        forked_from: job.after.map(|after| after.run.clone()),
        terms: workbench.terms(arguments.manner.yes),
        asked: Some(asked.clone()),
        knowledge: None,
    };
    let lesson = Lesson::of(&run, &asked, &job.plan, arguments.dry_run)?;
    let ended = begin(
        job.plan,
        order,
        workbench,
        &arguments.manner,
        Ending::Answer,
        session,
    )?;
    lesson.learn(ended, arguments.manner.quiet, Some(interrupts), session)?;
    Ok(ended.exit)
}
