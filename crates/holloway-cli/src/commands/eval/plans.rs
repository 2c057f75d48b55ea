//! `holloway eval plans`: are the right tools put in the right order? Scores plans made
//! without a model, with more and more remembered runs, beside two simpler ways.

mod exam;
mod figures;
mod files;
mod folds;

use clap::Args;
use holloway_planner::recall::weights::ShippedRecall;

use self::exam::Exam;
use self::figures::{Figures, Row};
use self::folds::{Folds, rows_of};
use super::retrieval::Split;
use super::retrieval::files::{refuse_to_overwrite, set_of};
use crate::error::{CliError, Exit};
use crate::print;
use crate::session::Session;

/// How many runs are remembered at each point of the learning curve; all come last.
const CURVE: [usize; 5] = [0, 30, 100, 300, 1_000];
/// How many plans per request are looked at.
const PLANS: usize = 3;

/// Measure how many plans have the right tools in the right order
#[derive(Debug, Args)]
#[command(after_help = "\
Files have one JSON object per line:
  tools     {\"id\", \"name\", \"description\", \"input_schema\"?, \"output_schema\"?, \"server\"?, \"category\"?}
  requests  {\"id\", \"query\", \"tools\": [id, …], \"links\"?: [[from, to], …]}   links are places in tools")]
pub(super) struct Arguments {
    /// The catalogue
    #[arg(long, value_name = "FILE")]
    tools: String,
    /// Requests with the tools they need, in order
    #[arg(long, value_name = "FILE")]
    requests: String,
    /// Requests to remember as runs; those that are measured are left out of it
    #[arg(long, value_name = "FILE", group = "past")]
    learn: Option<String>,
    /// Remember at most so many of them
    #[arg(long, value_name = "N", requires = "learn")]
    runs: Option<usize>,
    /// Measure all requests in so many parts, each with the others remembered
    #[arg(
        long,
        value_name = "K",
        group = "past",
        conflicts_with = "out",
        value_parser = clap::value_parser!(u8).range(2..=20)
    )]
    folds: Option<u8>,
    /// Fit the weights to the remembered runs first, from a hundred runs on
    #[arg(long, requires = "past")]
    refit: bool,
    /// Write `{id, tools, links}` per request
    #[arg(long, value_name = "FILE")]
    out: Option<String>,
    /// Which requests to measure: an eighth is for validation, never seen when tables and weights were made
    #[arg(long, value_enum, default_value_t = Split::All)]
    split: Split,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let figures = match arguments.folds {
        Some(count) => in_folds(arguments, usize::from(count), session)?,
        None => with_memory(arguments, session)?,
    };
    if session.json {
        print::object(&figures)?;
    } else {
        print::result(&figures.text())?;
        print::note(&figures.note());
    }
    Ok(Exit::Done)
}

/// Every request with the runs of other folds remembered.
fn in_folds(arguments: &Arguments, count: usize, session: &Session) -> Result<Figures, CliError> {
    let catalogue = files::catalogue(&arguments.tools, session)?;
    let requests = files::requests(&arguments.requests, session)?;
    let set = set_of(&arguments.requests, session);
    let is_meant: Vec<bool> = requests
        .iter()
        .map(|request| files::is_in(arguments.split, &set, &request.id))
        .collect();
    let measured = is_meant.iter().filter(|is_meant| **is_meant).count();
    if measured == 0 {
        return Err(nothing_to_measure(arguments));
    }
    let exam = Exam::new(&requests, catalogue);
    if exam.left_out() == requests.len() {
        return Err(no_tools_in_common(arguments));
    }
    let folds = Folds::new(&requests, count);
    let is_asked = |at: usize| is_meant.get(at).copied().unwrap_or_default();
    let done = |fold: usize| {
        if !session.json {
            print::note(&format!("fold {fold} of {count} is measured"));
        }
    };
    let (rows, remembered) = folds.measured(&exam, &is_asked, arguments.refit, &done);
    Ok(Figures {
        tools: exam.index.len(),
        requests: measured,
        left_out: exam.left_out(),
        remembered,
        weights_fitted_on: ShippedRecall::of_binary().fitted_on.clone(),
        folds: Some(count),
        remembering: Some(folds.remembering(&exam)),
        rows,
    })
}

/// The requests of a split with more and more runs remembered.
fn with_memory(arguments: &Arguments, session: &Session) -> Result<Figures, CliError> {
    let catalogue = files::catalogue(&arguments.tools, session)?;
    let mut requests = files::requests(&arguments.requests, session)?;
    let set = set_of(&arguments.requests, session);
    requests.retain(|request| files::is_in(arguments.split, &set, &request.id));
    if requests.is_empty() {
        return Err(nothing_to_measure(arguments));
    }
    if let Some(file) = &arguments.out {
        let inputs = [
            Some(&arguments.tools),
            Some(&arguments.requests),
            arguments.learn.as_ref(),
        ];
        refuse_to_overwrite(file, inputs.into_iter().flatten(), session)?;
    }
    let memory = match &arguments.learn {
        Some(file) => files::memory(file, &requests, session)?,
        None => Vec::new(),
    };
    let count = arguments.runs.unwrap_or(usize::MAX).min(memory.len());
    let memory = memory.get(..count).unwrap_or_default();
    let exam = Exam::new(&requests, catalogue);
    if exam.left_out() == requests.len() {
        return Err(no_tools_in_common(arguments));
    }
    if let Some(file) = arguments.learn.as_ref().filter(|_| count == 0) {
        print::note(&nothing_learned(file, arguments.runs));
    }
    let simple = exam.tally(|_, _| true, |request| exam.two_best(request));
    let mut rows = vec![Row::of("two best tools".to_owned(), &simple)];
    let mut last = exam.recall();
    for runs in points(count) {
        let known = memory.get(..runs).unwrap_or_default();
        let recall = exam.taught(known, arguments.refit);
        if runs > 0 && runs == count {
            let plan = |request: &str| recall.nearest(request).into_iter().collect();
            let nearest = exam.tally(|_, _| true, plan);
            rows.push(Row::of("most similar run".to_owned(), &nearest));
        }
        let apart = exam.apart(known, &recall, PLANS, |_| true);
        rows.extend(rows_of(runs, &apart));
        last = recall;
    }
    if let Some(file) = &arguments.out {
        files::write(file, &requests, &exam.index, &last, session)?;
    }
    Ok(Figures {
        tools: exam.index.len(),
        requests: requests.len(),
        left_out: exam.left_out(),
        remembered: count,
        weights_fitted_on: ShippedRecall::of_binary().fitted_on.clone(),
        folds: None,
        remembering: None,
        rows,
    })
}

fn nothing_to_measure(arguments: &Arguments) -> CliError {
    let message = format!("{} has no request to measure", arguments.requests);
    CliError::usage("input-invalid", message).hint("give one request per line, or another --split")
}

fn no_tools_in_common(arguments: &Arguments) -> CliError {
    let message = format!(
        "{} has no request whose tools are all in {}",
        arguments.requests, arguments.tools
    );
    CliError::usage("input-invalid", message)
        .hint("`tools` of a request are ids of the catalogue; do the files belong together?")
}

/// Why nothing is remembered.
fn nothing_learned(file: &str, runs: Option<usize>) -> String {
    match runs {
        Some(0) => "nothing is remembered: --runs 0 leaves nothing".to_owned(),
        _ => format!(
            "nothing is remembered: {file} has no request that is not measured itself; another --split may leave some"
        ),
    }
}

/// The points of the curve up to so many runs.
fn points(count: usize) -> Vec<usize> {
    let mut points: Vec<usize> = CURVE.into_iter().filter(|runs| *runs < count).collect();
    points.push(count);
    points
}
