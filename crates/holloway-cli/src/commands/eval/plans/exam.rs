//! How are plans examined? Requests whose right plans are known, each planned and compared;
//! sums over requests, so that several memories can share the work.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use holloway_planner::bind::sequence::bind_sequence;
use holloway_planner::catalogue::Catalogue;
use holloway_planner::measure::{Means, Plan, argument_names};
use holloway_planner::read::other;
use holloway_planner::recall::flow::Flow;
use holloway_planner::recall::{PastRun, Recall, Sequence};
use holloway_search::index::Index;

use super::files::Request;

/// A catalogue and requests whose right plans are known.
pub(super) struct Exam<'a> {
    requests: &'a [Request],
    catalogue: Catalogue,
    pub(super) index: Arc<Index>,
    flows: Vec<Flow>,
    /// The right plan of each request; none where the catalogue lacks a tool of it.
    right: Vec<Option<Plan>>,
}

/// Sums over the requests that were measured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) means: Means,
    pub(super) micros: f64,
    /// F1 of the names of arguments, and over how many requests.
    arguments: (f64, usize),
}

impl Tally {
    pub(super) fn add(&mut self, other: &Self) {
        self.means.add_all(&other.means);
        self.micros += other.micros;
        self.arguments.0 += other.arguments.0;
        self.arguments.1 += other.arguments.1;
    }

    /// F1 of the names of arguments, 0 to 1, where that is known.
    pub(super) fn arguments(&self) -> Option<f64> {
        let (sum, count) = self.arguments;
        (count > 0).then(|| sum / count as f64)
    }
}

/// All requests, and those of seen and of unseen tool sets apart.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Apart {
    pub(super) all: Tally,
    pub(super) seen: Tally,
    pub(super) unseen: Tally,
}

impl Apart {
    pub(super) fn add(&mut self, other: &Self) {
        self.all.add(&other.all);
        self.seen.add(&other.seen);
        self.unseen.add(&other.unseen);
    }
}

impl<'a> Exam<'a> {
    pub(super) fn new(requests: &'a [Request], catalogue: Catalogue) -> Self {
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

    pub(super) fn left_out(&self) -> usize {
        self.right.iter().filter(|right| right.is_none()).count()
    }

    pub(super) fn recall(&self) -> Recall {
        Recall::new(Arc::clone(&self.index)).with_flows(&self.flows)
    }

    pub(super) fn taught(&self, runs: &[PastRun], refit: bool) -> Recall {
        let mut recall = self.recall();
        recall.learn(runs);
        if refit && let Some(refitted) = recall.refit() {
            recall.adopt(refitted);
        }
        recall
    }

    pub(super) fn two_best(&self, request: &str) -> Vec<Sequence> {
        let tools = self.index.search(request, 2);
        vec![Sequence {
            links: Plan::chain(tools.clone()).links,
            tools,
            ..Sequence::default()
        }]
    }

    /// Plans those requests that are meant, by their number.
    pub(super) fn tally(
        &self,
        is_meant: impl Fn(usize, &Plan) -> bool,
        plan: impl Fn(&str) -> Vec<Sequence>,
    ) -> Tally {
        let mut tally = Tally::default();
        for (at, (request, right)) in self.requests.iter().zip(&self.right).enumerate() {
            let Some(right) = right.as_ref().filter(|right| is_meant(at, right)) else {
                continue;
            };
            let begun = Instant::now();
            let plans = plan(&request.run.request).into_iter().map(|one| Plan {
                tools: one.tools,
                links: one.links,
            });
            let plans: Vec<Plan> = plans.collect();
            tally.micros += begun.elapsed().as_secs_f64() * 1e6;
            tally.means.add(&plans, right);
        }
        tally
    }

    /// All those that are meant, and apart from each other those whose tools were used together
    /// by a remembered run and the others.
    pub(super) fn apart(
        &self,
        runs: &[PastRun],
        recall: &Recall,
        count: usize,
        is_meant: impl Fn(usize) -> bool,
    ) -> Apart {
        let entries = self.index.entries();
        let place = |id: &String| entries.iter().position(|entry| entry.id == *id);
        let known: BTreeSet<BTreeSet<usize>> = runs
            .iter()
            .map(|run| run.tools.iter().filter_map(place).collect())
            .collect();
        let is_seen =
            |plan: &Plan| known.contains(&plan.tools.iter().copied().collect::<BTreeSet<usize>>());
        let plan = |request: &str| recall.propose(request, count);
        let seen = self.tally(|at, right| is_meant(at) && is_seen(right), plan);
        let unseen = self.tally(|at, right| is_meant(at) && !is_seen(right), plan);
        let mut all = seen;
        all.add(&unseen);
        all.arguments = self.arguments(recall, is_meant);
        Apart { all, seen, unseen }
    }

    /// F1 of the names of arguments, over the requests whose arguments are known; those
    /// that a person would be asked for count as named.
    fn arguments(&self, recall: &Recall, is_meant: impl Fn(usize) -> bool) -> (f64, usize) {
        let mut sum = 0.0;
        let mut count = 0;
        for (at, (request, right)) in self.requests.iter().zip(&self.right).enumerate() {
            let (Some(right), false) = (right, request.run.arguments.is_empty()) else {
                continue;
            };
            if !is_meant(at) {
                continue;
            }
            let best = recall.propose(&request.run.request, 1).into_iter().next();
            let tools = best.unwrap_or_default().tools;
            let said = other::read(&request.run.request);
            let bound = bind_sequence(&tools, &said, &self.catalogue, None);
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
        (sum, count)
    }
}
