//! `holloway eval retrieval`: are the right tools found? Scores the search and three
//! simpler ways on a catalogue and requests whose tools are known.

mod figures;
pub(super) mod files;

use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use holloway_search::baseline::Method;
use holloway_search::index::Index;
use holloway_search::lines::Request;
use holloway_search::measure::{Measure, Places, Wanted, missing, wanted};
use holloway_search::memory::Memory;
use holloway_search::table::Table;

use self::figures::{Figures, Row};
use crate::error::{CliError, Exit};
use crate::print;
use crate::session::Session;

/// Recall is measured down to here, whatever `--top` says.
const DEPTH: usize = 20;
const TOP_AT_MOST: usize = 10_000;

/// Measure how many of the right tools are found
#[derive(Debug, Args)]
#[command(after_help = "\
Files have one JSON object per line:
  tools     {\"id\", \"name\", \"description\", \"input_schema\"?, \"server\"?, \"category\"?}
  requests  {\"id\", \"query\", \"tools\": [id or [id, id]]}   of a list in the list any one will do")]
pub(super) struct Arguments {
    /// The catalogue
    #[arg(long, value_name = "FILE")]
    tools: String,
    /// Requests with the tools they need
    #[arg(long, value_name = "FILE")]
    requests: String,
    /// Requests to remember with their tools; those that are measured are left out of it
    #[arg(long, value_name = "FILE")]
    learn: Option<String>,
    /// Write this many tools per request
    #[arg(long, default_value_t = DEPTH, value_name = "N")]
    top: usize,
    /// Write `{id, tools}` per request, best tools first
    #[arg(long, value_name = "FILE")]
    out: Option<String>,
    /// A table of meanings in place of the one in the binary
    #[arg(long, value_name = "FILE")]
    table: Option<String>,
    /// Which requests to measure: a quarter is for validation, never seen when the table was made
    #[arg(long, value_enum, default_value_t = Split::All)]
    split: Split,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Split {
    Validation,
    Training,
    All,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let entries = files::tools(&arguments.tools, session)?;
    let mut requests = files::requests(&arguments.requests, session)?;
    let set = files::set_of(&arguments.requests, session);
    requests.retain(|request| files::is_in(arguments.split, &set, &request.id));
    if requests.is_empty() {
        let message = format!("{} has no request to measure", arguments.requests);
        return Err(CliError::usage("input-invalid", message)
            .hint("give one request per line, or another --split"));
    }
    if let Some(file) = &arguments.out {
        let inputs = [
            Some(&arguments.tools),
            Some(&arguments.requests),
            arguments.learn.as_ref(),
        ];
        files::refuse_to_overwrite(file, inputs.into_iter().flatten(), session)?;
    }
    let table = match &arguments.table {
        Some(file) => Arc::new(files::table(file, session)?),
        None => Table::shipped(),
    };
    let begun = Instant::now();
    let index = Index::with_table(entries, table);
    let index_ms = begun.elapsed().as_secs_f64() * 1e3;
    let places = Places::of(index.entries());
    let gold: Vec<Wanted> = requests
        .iter()
        .map(|request| wanted(request, &places))
        .collect();
    let mut rows: Vec<Row> = Method::ALL
        .iter()
        .map(|method| {
            let search = |request: &str| method.search(&index, request, DEPTH);
            measured(method.as_str().to_owned(), &requests, &gold, search)
        })
        .collect();
    let memory = match &arguments.learn {
        Some(file) => Some(files::memory(file, &requests, &index, session)?),
        None => None,
    };
    if let Some(memory) = &memory {
        let name = format!("ours, with {} remembered", memory.len());
        let search = |request: &str| with_memory(&index, Some(memory), request, DEPTH);
        rows.push(measured(name, &requests, &gold, search));
    }
    if let Some(file) = &arguments.out {
        let count = arguments.top.min(TOP_AT_MOST);
        let best = |request: &Request| with_memory(&index, memory.as_ref(), &request.query, count);
        files::write(file, &requests, &index, best, session)?;
    }
    let figures = Figures {
        tools: index.len(),
        requests: requests.len(),
        left_out: gold.iter().filter(|wanted| wanted.is_empty()).count(),
        missing: requests
            .iter()
            .map(|request| missing(request, &places))
            .sum(),
        index_ms,
        table: index.table().made_from().to_owned(),
        rows,
    };
    if session.json {
        print::object(&figures)?;
    } else {
        print::result(&figures.text())?;
        print::note(&figures.note());
    }
    Ok(Exit::Done)
}

fn with_memory(index: &Index, memory: Option<&Memory>, request: &str, count: usize) -> Vec<usize> {
    let query = index.read(request);
    let mut scores = index.scores(&query);
    if let Some(memory) = memory {
        memory.lend(&query, &mut scores);
    }
    scores.top(count)
}

fn measured(
    name: String,
    requests: &[Request],
    gold: &[Wanted],
    search: impl Fn(&str) -> Vec<usize>,
) -> Row {
    let mut measure = Measure::default();
    let begun = Instant::now();
    for (request, wanted) in requests.iter().zip(gold) {
        measure.add(&search(&request.query), wanted);
    }
    let micros = begun.elapsed().as_secs_f64() * 1e6 / requests.len().max(1) as f64;
    Row::new(name, measure.mean(), micros)
}
