//! Which tools, in which order? What the words of the request say, and what served
//! similar requests before; the second counts the more the more there is of it.
//!
//! Read in this order: [`text`], [`words`], [`sparse`] and [`kernel`] (how alike requests
//! are), [`counts`], [`tally`] and [`memory`] (what past runs say),
//! [`flow`] and [`zero_shot`] (what words say), [`nodes`], [`number`],
//! [`candidates`], [`ranker`] and [`consensus`] (from tools to sequences), [`weights`] and
//! [`fit`] (what counts how much).

pub mod fit;
pub mod flow;
pub mod weights;

mod candidates;
mod consensus;
mod counts;
mod kernel;
mod links;
mod memory;
mod nodes;
mod number;
mod ranker;
mod sparse;
mod tally;
mod text;
mod verbs;
mod view;
mod words;
mod zero_shot;

use std::sync::Arc;

use holloway_search::clauses::bounded;
use holloway_search::index::Index;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::counts::Run;
use self::fit::Lesson;
use self::flow::{Flow, Flows};
use self::memory::{Memory, RUNS_AT_MOST};
use self::view::View;
use self::weights::{RecallWeights, ShippedRecall};
use crate::catalogue::Place;

/// From so many runs on weights of one's own are better than those shipped.
const REFIT_FROM: usize = 100;
/// How many runs a refit looks at: it must be done within a second or two.
const REFIT_SAMPLE: usize = 100;
/// How far own weights are held near the shipped ones, in runs.
const REFIT_HOLD: f64 = 18_000.0;
/// Fewer runs say nothing: the next request is seldom like one of them.
const FEW: usize = 10;
/// While fewer runs are remembered, plans are weighed without memory too, and both have a say.
const THIN: usize = 60;
/// So many runs have as much of a say as the words of the request.
const AS_MUCH: f32 = 15.0;
/// Those of the remembered runs that a new process takes in leave room for its own.
const ROOM: usize = 500;

/// A run that reached its goal, as far as planning learns from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PastRun {
    pub request: String,
    /// Ids of tools, in order.
    pub tools: Vec<String>,
    /// Which step's result went into which, by place in `tools`.
    #[serde(default)]
    pub links: Vec<(usize, usize)>,
    /// The arguments of each call; a result of an earlier call stands as a reference.
    #[serde(default)]
    pub arguments: Vec<Map<String, Value>>,
    /// It ended well, and neither a person nor the plan itself said whether it brought what was
    /// wanted: it counts for less.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchecked: bool,
}

/// Tools in an order that may serve a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sequence {
    pub tools: Vec<Place>,
    /// Which step's result goes into which, by place in `tools`.
    pub links: Vec<(usize, usize)>,
    /// How likely this is all that is needed, 0 to 1.
    pub probability: f32,
    /// How many remembered runs used the same tools.
    pub seen: u32,
}

/// A catalogue and the runs that were made with it, ready to be asked.
#[derive(Debug)]
pub struct Recall {
    index: Arc<Index>,
    places: FxHashMap<String, Place>,
    flows: Flows,
    memory: Memory,
    /// Weights of one's own, and how many runs they come from.
    own: Option<Refitted>,
    shipped: Arc<ShippedRecall>,
}

/// Weights that were fitted to the remembered runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refitted {
    pub runs: usize,
    pub weights: RecallWeights,
}

impl Recall {
    /// Tools take what their parameters say and give what nobody knows; see
    /// [`Recall::with_flows`].
    pub fn new(index: Arc<Index>) -> Self {
        let places = index.entries().iter().enumerate();
        Self {
            places: places
                .map(|(place, entry)| (entry.id.clone(), place))
                .collect(),
            flows: Flows::new(index.entries(), &[]),
            memory: Memory::new(&index),
            own: None,
            shipped: ShippedRecall::of_binary(),
            index,
        }
    }

    /// With what each tool takes and gives, by its place in the index.
    pub fn with_flows(mut self, flows: &[Flow]) -> Self {
        self.flows = Flows::new(self.index.entries(), flows);
        self
    }

    /// With other weights than those of the binary.
    pub fn with_weights(mut self, weights: Arc<ShippedRecall>) -> Self {
        self.shipped = weights;
        self
    }

    /// How many runs are remembered.
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Learns from one more run. Runs with tools that are not in the catalogue are passed over.
    pub fn remember(&mut self, run: &PastRun) {
        self.memory.extend(self.known(run));
    }

    /// Learns from many runs at once, oldest first; of too many the newest.
    pub fn learn(&mut self, runs: &[PastRun]) {
        let newest = runs.len().saturating_sub(RUNS_AT_MOST - ROOM);
        let runs = runs.iter().skip(newest);
        let known: Vec<Run> = runs.filter_map(|run| self.known(run)).collect();
        self.memory.extend(known);
    }

    /// The best sequence for the text of a goal, then others that may be meant, likeliest first.
    pub fn propose(&self, text: &str, count: usize) -> Vec<Sequence> {
        self.sequences(text, count)
    }

    /// Which result goes into which step of a sequence, by place in it.
    pub fn links(&self, tools: &[Place]) -> Vec<(usize, usize)> {
        links::links(tools, &self.flows, &self.memory.counts)
    }

    /// What served the most similar request: something to compare with.
    pub fn nearest(&self, text: &str) -> Option<Sequence> {
        let nearest = self.memory.nearest(text)?;
        let share = 1.0 / self.len().max(1) as f32;
        Some(self.sequence(nearest.tools.clone(), share))
    }

    /// Whether so many runs came that [`Recall::refit`] would help.
    pub fn wants_refit(&self) -> bool {
        let last = self.own.as_ref().map_or(REFIT_FROM / 2, |own| own.runs);
        self.len() >= 2 * last
    }

    /// Weights fitted to what is remembered. It changes nothing, so that it can be worked
    /// out in the background; [`Recall::adopt`] takes the answer, now or, as it can be
    /// stored, another time.
    pub fn refit(&self) -> Option<Refitted> {
        let runs = self.len();
        if runs < REFIT_FROM {
            return None;
        }
        let sample = runs.min(REFIT_SAMPLE);
        let lesson = Lesson {
            recall: self,
            requests: &[],
            remembered: sample,
            counts: 1.0,
        };
        // The fewer runs, the less they are to be trusted against many others.
        let hold = REFIT_HOLD / sample as f64;
        Some(Refitted {
            runs,
            weights: fit::fit(&[lesson], &self.shipped.at(runs), hold),
        })
    }

    pub fn adopt(&mut self, refitted: Refitted) {
        self.own = Some(refitted);
    }

    fn weights(&self, with_memory: bool) -> RecallWeights {
        match &self.own {
            _ if !with_memory => self.shipped.at(0),
            Some(own) => self.shipped.grown(&own.weights, own.runs, self.len()),
            None => self.shipped.at(self.len()),
        }
    }

    fn sequences(&self, text: &str, count: usize) -> Vec<Sequence> {
        let mut weighed = self.weighed(text, self.len() >= FEW);
        if (FEW..THIN).contains(&self.len()) {
            let runs = self.len() as f32;
            let share = runs / (runs + AS_MUCH);
            weighed = consensus::blended(weighed, self.weighed(text, false), share);
        }
        weighed.sort_by(|one, other| other.1.total_cmp(&one.1));
        let best = consensus::best(&weighed);
        if best > 0 {
            let first = weighed.remove(best);
            weighed.insert(0, first);
        }
        weighed.truncate(count);
        weighed
            .into_iter()
            .map(|(tools, share)| self.sequence(tools, share))
            .collect()
    }

    /// All sequences that are weighed, each with how likely it is.
    fn weighed(&self, text: &str, with_memory: bool) -> Vec<(Vec<Place>, f32)> {
        let weights = self.weights(with_memory);
        let view = View::new(self, text, with_memory, None);
        let candidates = view.candidates(&weights);
        let scores: Vec<f32> = candidates
            .iter()
            .map(|one| weights.rank(&one.features))
            .collect();
        let shares = ranker::softmax(&scores);
        candidates
            .into_iter()
            .zip(shares)
            .map(|(candidate, share)| (candidate.tools, share))
            .collect()
    }

    fn sequence(&self, tools: Vec<Place>, probability: f32) -> Sequence {
        Sequence {
            links: self.links(&tools),
            seen: self.memory.counts.times(&tools),
            probability,
            tools,
        }
    }

    /// A run by places; nothing if the catalogue lacks one of its tools.
    fn known(&self, run: &PastRun) -> Option<Run> {
        let place = |id: &String| self.places.get(id.as_str()).copied();
        let tools: Vec<Place> = run.tools.iter().map(place).collect::<Option<_>>()?;
        (!tools.is_empty()).then(|| Run {
            unchecked: run.unchecked,
            ..Run::new(bounded(&run.request), tools, run.links.clone())
        })
    }
}

#[cfg(test)]
mod tests;
