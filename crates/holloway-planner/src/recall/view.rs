//! What is known about one request? What its words say, what memory says, which tools are
//! worth a look, and from there the sequences that are weighed.

use holloway_search::fusion::top;

use super::candidates::{Order, candidates};
use super::memory::{Evidence, LeftOut};
use super::ranker::{Member, Scene};
use super::weights::RecallWeights;
use super::zero_shot::{Reading, Sight};
use super::{Recall, nodes, number, ranker};
use crate::catalogue::Place;

/// How many of the likeliest tools sequences are made from.
const MEMBERS: usize = 8;
/// How many tools memory adds to the shortlist.
const REMEMBERED: usize = 30;
/// How many of the nearest runs add their tools.
const NEAREST: usize = 8;

/// No tool is less likely.
const LEAST: f32 = 1e-3;

/// A request, looked at.
#[derive(Debug)]
pub(super) struct View<'a> {
    recall: &'a Recall,
    reading: Reading,
    evidence: Option<Evidence<'a>>,
    places: Vec<Place>,
    sights: Vec<Sight>,
    pub(super) nodes: Vec<nodes::Features>,
}

/// A sequence and what speaks for it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) tools: Vec<Place>,
    pub(super) features: ranker::Features,
}

impl<'a> View<'a> {
    /// With memory or without; one run may be left out of it.
    pub(super) fn new(
        recall: &'a Recall,
        text: &str,
        with_memory: bool,
        without: Option<&LeftOut>,
    ) -> Self {
        let reading = Reading::of(text, &recall.index);
        let with_memory = with_memory && recall.memory.len() > 0;
        let evidence = with_memory.then(|| {
            let (whole, clauses) = reading.probes(text, &recall.memory);
            recall.memory.ask(&whole, &clauses, without)
        });
        let mut places = reading.shortlist();
        if let Some(evidence) = &evidence {
            places.extend(remembered(evidence));
        }
        places.sort_unstable();
        places.dedup();
        let sights: Vec<Sight> = places.iter().map(|place| reading.sight(*place)).collect();
        let nodes = places
            .iter()
            .zip(&sights)
            .map(|(place, sight)| nodes::features(*place, sight, evidence.as_ref()))
            .collect();
        Self {
            recall,
            reading,
            evidence,
            places,
            sights,
            nodes,
        }
    }

    /// The tools that were looked at, by place.
    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    /// The logarithm of how likely each tool is the one that is needed.
    fn likely(&self, weights: &RecallWeights) -> Vec<f32> {
        let scores: Vec<f32> = self.nodes.iter().map(|one| weights.node(one)).collect();
        let shares = ranker::softmax(&scores).into_iter();
        shares.map(|share| share.max(LEAST).ln()).collect()
    }

    /// What tells how many tools are needed.
    pub(super) fn number(&self, weights: &RecallWeights) -> number::Features {
        self.number_of(&self.likely(weights))
    }

    fn number_of(&self, likely: &[f32]) -> number::Features {
        let evidence = self.evidence.as_ref();
        number::features(&self.reading, &self.sights, likely, evidence)
    }

    /// The sequences that are weighed, in no order.
    pub(super) fn candidates(&self, weights: &RecallWeights) -> Vec<Candidate> {
        let likely = self.likely(weights);
        let numbers = self.number_of(&likely);
        let mut chosen = top(&likely, MEMBERS);
        let fixed = chosen.len();
        let runs = self.evidence.iter().flat_map(|evidence| &evidence.nearest);
        for tool in runs.clone().flat_map(|run| &run.tools) {
            if let Ok(at) = self.places.binary_search(tool)
                && !chosen.contains(&at)
            {
                chosen.push(at);
            }
        }
        let member = |at: &usize| {
            Some(Member {
                place: *self.places.get(*at)?,
                sight: self.sights.get(*at)?,
                likely: *likely.get(*at)?,
            })
        };
        let members: Vec<Member<'_>> = chosen.iter().filter_map(member).collect();
        let known: Vec<Order> = runs
            .filter_map(|run| {
                let at = |tool: &Place| members.iter().position(|member| member.place == *tool);
                run.tools.iter().map(at).collect()
            })
            .collect();
        let scene = Scene::new(
            &members,
            number::likely(&numbers, &weights.numbers),
            &self.recall.flows,
            self.evidence.as_ref(),
        );
        let orders = candidates(fixed, known, |order| scene.taste(order, &weights.ranks));
        orders
            .into_iter()
            .map(|order| Candidate {
                features: scene.features(&order),
                tools: scene.tools(&order),
            })
            .collect()
    }
}

/// The tools that memory thinks of.
fn remembered(evidence: &Evidence<'_>) -> Vec<Place> {
    let mut tools: Vec<(Place, f32)> = evidence
        .alike
        .tools
        .iter()
        .map(|(place, share)| {
            let parts = evidence
                .clauses
                .iter()
                .filter_map(|clause| clause.get(place));
            (*place, parts.copied().fold(*share, f32::max))
        })
        .collect();
    tools.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let best = tools.into_iter().take(REMEMBERED).map(|(place, _)| place);
    let near = evidence.nearest.iter().take(NEAREST);
    let near = near.flat_map(|run| run.tools.iter().copied());
    // All tools of all near runs are looked at only where few were remembered.
    best.chain(near).collect()
}
