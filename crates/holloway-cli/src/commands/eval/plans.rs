//! `holloway eval plans`: are the right tools put in the right order? Scores plans made
//! without a model, with more and more remembered runs, beside two simpler ways.

mod figures;
mod files;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use holloway_planner::bind::sequence::bind_sequence;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::measure::{Means, Plan, argument_names};
use holloway_planner::recall::flow::Flow;
use holloway_planner::recall::{PastRun, Recall, Sequence};
use holloway_planner::request::analyse;
use holloway_search::index::Index;

use self::figures::{Figures, Row};
use self::files::Request;
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
    #[arg(long, value_name = "FILE")]
    learn: Option<String>,
    /// Remember at most so many of them
    #[arg(long, value_name = "N", requires = "learn")]
    runs: Option<usize>,
    /// Fit the weights to the remembered runs first, from a hundred runs on
    #[arg(long, requires = "learn")]
    refit: bool,
    /// Write `{id, tools, links}` per request
    #[arg(long, value_name = "FILE")]
    out: Option<String>,
    /// Which requests to measure: an eighth is for validation, never seen when tables and weights were made
    #[arg(long, value_enum, default_value_t = Split::All)]
    split: Split,
}

pub(super) fn run(arguments: &Arguments, session: &Session) -> Result<Exit, CliError> {
    let catalogue = files::catalogue(&arguments.tools, session)?;
    let mut requests = files::requests(&arguments.requests, session)?;
    let set = set_of(&arguments.requests, session);
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
        let message = format!(
            "{} has no request whose tools are all in {}",
            arguments.requests, arguments.tools
        );
        return Err(CliError::usage("input-invalid", message)
            .hint("`tools` of a request are ids of the catalogue; do the files belong together?"));
    }
    if let Some(file) = arguments.learn.as_ref().filter(|_| count == 0) {
        print::note(&nothing_learned(file, arguments.runs));
    }
    let mut rows = vec![exam.row("two best tools", |request| exam.two_best(request))];
    let mut last = exam.recall();
    for runs in points(count) {
        let known = memory.get(..runs).unwrap_or_default();
        let recall = exam.taught(known, arguments.refit);
        if runs > 0 && runs == count {
            rows.push(exam.row("most similar run", |request| {
                recall.nearest(request).into_iter().collect()
            }));
        }
        let name = match runs {
            0 => "ours, nothing remembered".to_owned(),
            _ => format!("ours, {runs} remembered"),
        };
        let named = exam.arguments(&recall);
        let mut row = exam.row(&name, |request| recall.propose(request, PLANS));
        row.add_arguments(named);
        rows.push(row);
        if runs > 0 {
            rows.extend(exam.apart(known, &recall));
        }
        last = recall;
    }
    if let Some(file) = &arguments.out {
        files::write(file, &requests, &exam.index, &last, session)?;
    }
    let figures = Figures {
        tools: exam.index.len(),
        requests: requests.len(),
        left_out: exam.left_out(),
        remembered: count,
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

/// A catalogue and requests whose right plans are known.
struct Exam<'a> {
    requests: &'a [Request],
    catalogue: Catalogue,
    index: Arc<Index>,
    flows: Vec<Flow>,
    /// The right plan of each request; none where the catalogue lacks a tool of it.
    right: Vec<Option<Plan>>,
}

impl<'a> Exam<'a> {
    fn new(requests: &'a [Request], catalogue: Catalogue) -> Self {
        let index = Arc::clone(catalogue.index());
        let flows = catalogue
            .tools()
            .map(|(_, tool)| Flow::of(&tool.input_schema, &tool.output_schema));
        let place = |id: &String| index.entries().iter().position(|entry| entry.id == *id);
        let right = requests.iter().map(|request| {
            let tools: Option<Vec<usize>> = request.run.tools.iter().map(place).collect();
            tools
                .filter(|tools| !tools.is_empty())
                .map(|tools| match request.links() {
                    Some(links) => Plan { tools, links },
                    None => Plan::chain(tools),
                })
        });
        Self {
            right: right.collect(),
            requests,
            flows: flows.collect(),
            index,
            catalogue,
        }
    }

    fn left_out(&self) -> usize {
        self.right.iter().filter(|right| right.is_none()).count()
    }

    fn recall(&self) -> Recall {
        Recall::new(Arc::clone(&self.index)).with_flows(&self.flows)
    }

    fn taught(&self, runs: &[PastRun], refit: bool) -> Recall {
        let mut recall = self.recall();
        recall.learn(runs);
        if refit && let Some(refitted) = recall.refit() {
            recall.adopt(refitted);
        }
        recall
    }

    fn two_best(&self, request: &str) -> Vec<Sequence> {
        let tools = self.index.search(request, 2);
        vec![Sequence {
            links: Plan::chain(tools.clone()).links,
            tools,
            ..Sequence::default()
        }]
    }

    fn row(&self, name: &str, plan: impl Fn(&str) -> Vec<Sequence>) -> Row {
        self.row_of(name, |_| true, plan)
    }

    /// Over those requests whose right plan is of a kind.
    fn row_of(
        &self,
        name: &str,
        is_meant: impl Fn(&Plan) -> bool,
        plan: impl Fn(&str) -> Vec<Sequence>,
    ) -> Row {
        let mut means = Means::default();
        let begun = Instant::now();
        for (request, right) in self.requests.iter().zip(&self.right) {
            let Some(right) = right.as_ref().filter(|right| is_meant(right)) else {
                continue;
            };
            let plans = plan(&request.run.request).into_iter().map(|one| Plan {
                tools: one.tools,
                links: one.links,
            });
            means.add(&plans.collect::<Vec<Plan>>(), right);
        }
        let micros = begun.elapsed().as_secs_f64() * 1e6 / means.requests.max(1) as f64;
        Row::new(name.to_owned(), means.mean(), micros)
    }

    /// F1 of the names of arguments, over the requests whose arguments are known; those
    /// that a person would be asked for count as named.
    fn arguments(&self, recall: &Recall) -> Option<f64> {
        let mut sum = 0.0;
        let mut count = 0;
        for (request, right) in self.requests.iter().zip(&self.right) {
            let (Some(right), false) = (right, request.run.arguments.is_empty()) else {
                continue;
            };
            let best = recall.propose(&request.run.request, 1).into_iter().next();
            let tools = best.unwrap_or_default().tools;
            let analysis = analyse(&request.run.request, &self.catalogue);
            let bound = bind_sequence(&tools, &analysis, &self.catalogue, None);
            let named = tools.iter().zip(&bound).flat_map(|(tool, bindings)| {
                let names = bindings.iter().map(|binding| binding.parameter.as_str());
                names.map(|name| (*tool, name))
            });
            let wanted = right.tools.iter().zip(&request.run.arguments);
            let wanted = wanted
                .flat_map(|(tool, arguments)| arguments.keys().map(|name| (*tool, name.as_str())));
            sum += argument_names(&named.collect::<Vec<_>>(), &wanted.collect::<Vec<_>>());
            count += 1;
        }
        (count > 0).then(|| sum / f64::from(count))
    }

    /// Requests whose tools were all used together before, and the others.
    fn apart(&self, runs: &[PastRun], recall: &Recall) -> [Row; 2] {
        let place = |id: &String| {
            self.index
                .entries()
                .iter()
                .position(|entry| entry.id == *id)
        };
        let known: BTreeSet<BTreeSet<usize>> = runs
            .iter()
            .map(|run| run.tools.iter().filter_map(place).collect())
            .collect();
        let is_seen =
            |plan: &Plan| known.contains(&plan.tools.iter().copied().collect::<BTreeSet<usize>>());
        let plan = |request: &str| recall.propose(request, PLANS);
        [
            self.row_of("  seen tool sets", is_seen, plan),
            self.row_of("  unseen tool sets", |right| !is_seen(right), plan),
        ]
    }
}
