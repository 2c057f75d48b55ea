//! What is learned from and measured? A catalogue (`tools.jsonl`) and requests whose tools are
//! known (`requests.jsonl`), in three parts or in folds.

use std::collections::BTreeSet;
use std::sync::Arc;

use holloway_planner::recall::flow::Flow;
use holloway_planner::recall::{PastRun, Recall};
use holloway_search::index::Index;
use holloway_search::lines;
use serde_json::Value;

use crate::parts::{Part, part};

pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) index: Arc<Index>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) training: Vec<PastRun>,
    /// Requests that the table of meanings was not made from either.
    pub(crate) fitting: Vec<PastRun>,
    pub(crate) validation: Vec<PastRun>,
}

impl Set {
    pub(crate) fn read(folder: &str) -> Self {
        let text = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
        let tools = text("tools.jsonl");
        let index = Arc::new(Index::new(lines::tools(&tools).unwrap()));
        let lines = tools
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut flows = vec![Flow::default(); index.len()];
        for line in lines {
            let id = line["id"].as_str().unwrap();
            let place = index
                .entries()
                .iter()
                .position(|entry| entry.id == id)
                .unwrap();
            flows[place] = Flow::of(&line["input_schema"], &line["output_schema"]);
        }
        let name = folder.trim_end_matches('/').rsplit('/').next().unwrap();
        let requests = text("requests.jsonl");
        let of = |part: Part| requests_of(&requests, name, part);
        Self {
            index,
            flows,
            training: of(Part::Training),
            fitting: of(Part::Fitting),
            validation: of(Part::Validation),
            name: name.to_owned(),
        }
    }

    /// All requests, whatever part they belong to.
    pub(crate) fn all(&self) -> Vec<PastRun> {
        let parts = [&self.training, &self.fitting, &self.validation];
        parts.into_iter().flatten().cloned().collect()
    }

    /// The share of requests that want several tools.
    pub(crate) fn several(&self) -> f32 {
        let several = self.training.iter().filter(|run| run.tools.len() > 1);
        several.count() as f32 / self.training.len().max(1) as f32
    }

    pub(crate) fn recall(&self) -> Recall {
        Recall::new(Arc::clone(&self.index)).with_flows(&self.flows)
    }
}

fn requests_of(text: &str, set: &str, wanted: Part) -> Vec<PastRun> {
    let lines = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line
    });
    lines
        .filter(|line| part(set, line["id"].as_str().unwrap()) == wanted)
        .map(|line| PastRun {
            request: line["query"].as_str().unwrap().to_owned(),
            tools: serde_json::from_value(line["tools"].clone()).unwrap(),
            links: serde_json::from_value(line["links"].clone()).unwrap_or_default(),
            arguments: Vec::new(),
            unchecked: false,
        })
        .collect()
}

/// The same order for the same seed, anywhere.
pub(crate) fn shuffled(runs: &[PastRun], seed: u64) -> Vec<PastRun> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
    let mut runs = runs.to_vec();
    for at in (1..runs.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        runs.swap(at, (state >> 33) as usize % (at + 1));
    }
    runs
}

/// The set with one fold to be measured and the others to learn from.
pub(crate) fn without_fold(set: &Set, fold: usize, folds: usize) -> Set {
    let order = shuffled(&set.all(), 7);
    let part = |is_meant: &dyn Fn(usize) -> bool| {
        let each = order
            .iter()
            .enumerate()
            .filter(|(at, _)| is_meant(at % folds));
        each.map(|(_, run)| run.clone()).collect::<Vec<PastRun>>()
    };
    Set {
        name: set.name.clone(),
        index: Arc::clone(&set.index),
        flows: set.flows.clone(),
        training: part(&|own| own != fold),
        fitting: Vec::new(),
        validation: part(&|own| own == fold),
    }
}

/// Requests whose tools were used together by a remembered run, and the others.
pub(crate) fn seen_or_not(
    requests: &[PastRun],
    memory: &[PastRun],
) -> (Vec<PastRun>, Vec<PastRun>) {
    let sorted = |run: &PastRun| {
        let mut tools = run.tools.clone();
        tools.sort_unstable();
        tools.dedup();
        tools
    };
    let known: BTreeSet<Vec<String>> = memory.iter().map(sorted).collect();
    let requests = requests.iter().cloned();
    requests.partition(|request| known.contains(&sorted(request)))
}
