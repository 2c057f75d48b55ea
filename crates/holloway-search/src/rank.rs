//! In which order are tools shown? By text, quality and health. The last two decide
//! between tools that fit about equally; they never lift one that does not fit.

use serde::{Deserialize, Serialize};

use crate::category::{self, GENERAL};
use crate::fusion::top;
use crate::index::{Index, Query, Scores};

/// Scores this far apart are clearly different, in units of their spread.
const APART: f32 = 2.0;
/// How alike in meaning a text must be to fit at all, and to fit fully.
const MEANING: (f32, f32) = (0.15, 0.6);
/// The share of the words that must be there to fit fully.
const WORDS: f32 = 0.3;
/// What fits less is not shown to people.
const FIT_AT_LEAST: f32 = 0.3;
/// After this many uses a tool is well used.
const WELL_USED: f32 = 5.0;
/// How many of the best are looked at, so that quality can bring some of them forward.
const LOOKED_AT: usize = 50;

/// What counts how much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// How well its text fits the request.
    pub text: f32,
    pub quality: f32,
    /// Given to a healthy tool; half of it is taken from a broken one.
    pub health: f32,
    /// Given to a tool that was often used.
    pub usage: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            text: 0.4,
            quality: 0.3,
            health: 0.3,
            usage: 0.05,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Health {
    #[default]
    Unknown,
    Healthy,
    Broken,
}

/// What is known of a tool beside its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Repute {
    /// 0 to 1.
    pub quality: f32,
    pub health: Health,
    /// How often it was called.
    pub uses: u32,
    /// What its calls lasted, in the median.
    #[serde(skip)]
    pub latency_ms: Option<u64>,
}

/// What is wanted of a ranking.
#[derive(Clone, Debug)]
pub struct Wish<'a> {
    pub limit: usize,
    pub weights: Weights,
    /// How well a tool must fit by itself to be shown, 0 to 1; a planner may want to see all.
    pub fit_at_least: f32,
    /// Only tools of this category.
    pub category: Option<&'a str>,
    /// Ids of tools that are shown whatever the request is.
    pub always: &'a [String],
}

impl Default for Wish<'_> {
    fn default() -> Self {
        Self {
            limit: 10,
            weights: Weights::default(),
            fit_at_least: FIT_AT_LEAST,
            category: None,
            always: &[],
        }
    }
}

/// A tool in its rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// In the catalogue.
    pub place: usize,
    /// 0 to 1; what hits are ordered by.
    pub rank: f32,
    /// How well its text fits, 0 to 1.
    pub text: f32,
    /// Whether it is of the kind that the request asks for.
    pub of_kind: bool,
    /// Whether it is shown because it always is.
    pub always: bool,
    pub repute: Repute,
}

/// The best tools, best first; then those that are always shown.
pub fn rank(
    index: &Index,
    query: &Query,
    scores: &Scores,
    repute: impl Fn(usize) -> Repute,
    wish: &Wish<'_>,
) -> Vec<Hit> {
    let judge = Judge::new(index, query, scores, wish);
    let candidates = judge.candidates();
    let mut hits: Vec<Hit> = candidates
        .into_iter()
        .filter(|place| judge.fit(*place) >= wish.fit_at_least)
        .map(|place| judge.hit(place, repute(place)))
        .collect();
    hits.sort_by(|one, other| {
        let by_rank = other.rank.total_cmp(&one.rank);
        by_rank.then_with(|| one.place.cmp(&other.place))
    });
    hits.truncate(wish.limit);
    for place in judge.always() {
        if let Some(hit) = hits.iter_mut().find(|hit| hit.place == place) {
            hit.always = true;
            continue;
        }
        let mut hit = judge.hit(place, repute(place));
        hit.always = true;
        hits.push(hit);
    }
    hits
}

struct Judge<'a> {
    index: &'a Index,
    scores: &'a Scores,
    wish: &'a Wish<'a>,
    kind: &'a str,
    /// How far meanings can be trusted.
    sure: f32,
    /// The most that words could give.
    ceiling: f32,
    best: f32,
    best_fit: f32,
}

impl<'a> Judge<'a> {
    fn new(index: &'a Index, query: &Query, scores: &'a Scores, wish: &'a Wish<'a>) -> Self {
        let mut judge = Self {
            index,
            scores,
            wish,
            kind: category::infer(&query.text),
            sure: query.understood.sure,
            ceiling: index.lexical().ceiling(&query.plain).max(1e-6),
            best: 0.0,
            best_fit: 0.0,
        };
        let first = judge.allowed_top(3, |_| true);
        judge.best = first.first().map_or(0.0, |place| judge.score(*place));
        let fits = first.iter().map(|place| judge.fit(*place));
        judge.best_fit = fits.fold(0.0, f32::max);
        judge
    }

    /// The best by text, and the best of the kind that is asked for.
    fn candidates(&self) -> Vec<usize> {
        let count = LOOKED_AT.max(self.wish.limit.saturating_mul(2));
        let mut places = self.allowed_top(count, |_| true);
        if self.kind != GENERAL {
            let of_kind = self.allowed_top(self.wish.limit, |place| self.is_of_kind(place));
            places.extend(of_kind);
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn allowed_top(&self, count: usize, also: impl Fn(usize) -> bool) -> Vec<usize> {
        let wanted = self.wish.category;
        let is_allowed = |place: usize| {
            let category = self.category(place);
            wanted.is_none_or(|wanted| category::is_of(category, wanted)) && also(place)
        };
        let allowed: Vec<usize> = (0..self.scores.fused.len())
            .filter(|place| is_allowed(*place))
            .collect();
        let scores: Vec<f32> = allowed.iter().map(|place| self.score(*place)).collect();
        let best = top(&scores, count).into_iter();
        best.filter_map(|at| allowed.get(at).copied()).collect()
    }

    fn always(&self) -> Vec<usize> {
        let ids = self.wish.always.iter();
        let place = |id: &String| {
            self.index
                .entries()
                .iter()
                .position(|entry| entry.id == *id)
        };
        ids.filter_map(place).collect()
    }

    fn hit(&self, place: usize, repute: Repute) -> Hit {
        let weights = self.wish.weights;
        let closeness = ((self.score(place) - self.best) / APART).exp().min(1.0);
        let text = self.best_fit * closeness;
        let rank = worth(text, closeness, repute, weights);
        Hit {
            place,
            rank,
            text,
            of_kind: self.kind != GENERAL && self.is_of_kind(place),
            always: false,
            repute,
        }
    }

    /// How well a tool fits by itself, 0 to 1, whatever the others do.
    fn fit(&self, place: usize) -> f32 {
        let parts = &self.scores.parts;
        let at = |list: &[f32]| list.get(place).copied().unwrap_or_default();
        let alike = at(&parts.meaning).max(at(&parts.meaning_of_clause));
        let (least, most) = MEANING;
        let meaning = self.sure * (alike - least) / (most - least);
        let words = at(&parts.words) / self.ceiling / WORDS;
        let remembered = at(&self.scores.remembered);
        meaning.max(words).max(remembered).clamp(0.0, 1.0)
    }

    fn score(&self, place: usize) -> f32 {
        self.scores.fused.get(place).copied().unwrap_or(f32::MIN)
    }

    fn category(&self, place: usize) -> &str {
        self.index.entry(place).map_or("", |entry| &entry.category)
    }

    fn is_of_kind(&self, place: usize) -> bool {
        category::is_of(self.category(place), self.kind)
    }
}

/// The rank of a tool whose text fits so well and is so close to the best.
fn worth(text: f32, closeness: f32, repute: Repute, weights: Weights) -> f32 {
    let health = match repute.health {
        Health::Healthy => weights.health,
        Health::Unknown => 0.0,
        Health::Broken => -weights.health / 2.0,
    };
    let used = 1.0 - (-(repute.uses as f32) / WELL_USED).exp();
    let quality = repute.quality.clamp(0.0, 1.0);
    let rest = weights.quality * quality + health + weights.usage * used;
    // What speaks for a tool beside its text counts only as far as the text is close to
    // the best: otherwise any healthy tool would beat the one that was asked for.
    let rank = text * (weights.text + closeness * closeness * rest);
    rank.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests;
