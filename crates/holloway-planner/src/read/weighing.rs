//! What of a request may be passed over, what is doubtful, and what is left over? The clauses are
//! weighed before phrases are chosen, the words that no phrase takes in afterwards.

use std::ops::Range;

use holloway_search::clauses::bounded;

use super::context::{Clause, asides, clauses};
use super::cover::{Cover, LEFT_OVER, counts, covers};
use super::embedded::{FrameReading, RequestWords, frame, said, unfinished};
use super::entities::entities;
use super::holes::Holes;
use super::passing::Passing;
use super::passing::clause::Clauses;
use super::passing::words::Leftover;
use super::phrases::Match;
use super::tokens::TokenKind;
use crate::frame::{Frame, Said};

/// What of the price of a word that is left over is paid for one that is passed over.
const PASSED_OVER: f64 = 0.25;

/// The clauses of a request, and which of them are passed over.
pub(super) struct Weighing<'p> {
    passing: &'p Passing,
    pub(super) clauses: Vec<Clause>,
    asides: Vec<Range<usize>>,
}

impl<'p> Weighing<'p> {
    pub(super) fn of(
        words: &RequestWords<'_>,
        passing: &'p Passing,
        holes: &mut Holes<'_>,
    ) -> Self {
        let all = Clauses {
            request: words.request,
            tokens: words.tokens,
            matched: &words.matched,
            lexicon: words.lexicon,
        };
        let clauses = clauses(&all, &passing.clause, holes);
        let harmless = passing.clause.harmless;
        let asides = asides(words.tokens, &clauses, harmless, words.lexicon, holes);
        Self {
            passing,
            clauses,
            asides,
        }
    }

    /// Frames, the best first.
    pub(super) fn readings(
        &self,
        request: &str,
        words: &RequestWords<'_>,
        holes: &mut Holes<'_>,
    ) -> Vec<FrameReading> {
        let matched = self.without_asides(words);
        let named = entities(&bounded(request));
        let counted = words.tokens.iter().filter(|token| counts(token)).count();
        let mut readings: Vec<FrameReading> = Vec::new();
        for cover in covers(words.tokens, &matched, &self.asides, words.lexicon) {
            let mut frame = frame(request, words.tokens, &cover, words.lexicon);
            let passed = self.put_left_over(&mut frame, &cover, words, holes);
            frame.entities.clone_from(&named);
            let same = |known: &FrameReading| {
                known.frame.goals == frame.goals && known.frame.constraints == frame.constraints
            };
            if !readings.iter().any(same) {
                readings.push(FrameReading {
                    frame,
                    score: cover.score + LEFT_OVER * (1.0 - PASSED_OVER) * passed as f64,
                    words: counted,
                });
            }
        }
        readings.sort_by(|one, other| other.score.total_cmp(&one.score));
        readings
    }

    /// The words that the best way through the request leaves over.
    pub(super) fn best_left(&self, words: &RequestWords<'_>) -> Vec<usize> {
        let matched = self.without_asides(words);
        let best = covers(words.tokens, &matched, &self.asides, words.lexicon);
        best.into_iter()
            .next()
            .map(|cover| cover.left)
            .unwrap_or_default()
    }

    /// The words of a run with what is around them; `left` are all that are left over.
    pub(super) fn leftover<'a>(
        &self,
        words: &RequestWords<'a>,
        run: Range<usize>,
        left: &[usize],
    ) -> Leftover<'a> {
        let clause = self
            .clauses
            .iter()
            .find(|clause| clause.at.contains(&run.start));
        let at = clause.map_or_else(|| run.clone(), |clause| clause.at.clone());
        let counted = at
            .clone()
            .filter(|at| words.tokens.get(*at).is_some_and(counts));
        let left = left.iter().filter(|place| at.contains(place)).count();
        Leftover {
            tokens: words.tokens,
            lexicon: words.lexicon,
            left: left as f32 / counted.count().max(1) as f32,
            idle: clause.map_or(0.0, |clause| clause.idle),
            clause: at,
            run,
        }
    }

    /// Tells what was passed over, is doubtful or left over; how many words were passed over.
    fn put_left_over(
        &self,
        frame: &mut Frame,
        cover: &Cover<'_>,
        words: &RequestWords<'_>,
        holes: &mut Holes<'_>,
    ) -> usize {
        let said = |run: &Range<usize>| said(words.request, words.tokens, run.clone());
        let open = unfinished(words.tokens, cover, words.lexicon);
        let limits = |aside: &&Range<usize>| {
            let mut clauses = self.clauses.iter();
            clauses.any(|clause| clause.at == **aside && clause.limits) && !is_idle(words, aside)
        };
        let (doubtful, passed): (Vec<_>, Vec<_>) = self.asides.iter().partition(limits);
        frame.doubtful.extend(doubtful.into_iter().map(said));
        let mut passed: Vec<Said> = passed.into_iter().map(said).collect();
        let mut count = 0;
        let mut kept: Vec<usize> = open.clone();
        for run in runs(&cover.left) {
            let leftover = self.leftover(words, run.clone(), &cover.left);
            let weights = &self.passing.words;
            let chance = weights.chance(&leftover.signs(holes));
            if leftover.is_telling() || chance < weights.doubtful {
                kept.extend(run);
            } else if chance < weights.harmless {
                frame.doubtful.push(said(&run));
            } else {
                count += run.len();
                passed.push(said(&run));
            }
        }
        kept.sort_unstable();
        frame.leftover = runs(&kept).iter().map(said).collect();
        let passed = passed
            .iter()
            .map(|said| format!("passed over: “{}”", said.text));
        frame.notes.extend(passed);
        count
    }

    /// The phrases of a request outside of what is passed over.
    fn without_asides(&self, words: &RequestWords<'_>) -> Vec<Vec<Match>> {
        let mut matched = words.matched.clone();
        for aside in &self.asides {
            let passed = matched.get_mut(aside.clone()).into_iter().flatten();
            passed.for_each(Vec::clear);
        }
        matched
    }
}

/// Whether a phrase that says nothing takes in the whole clause: "Dear all,".
fn is_idle(words: &RequestWords<'_>, clause: &Range<usize>) -> bool {
    let begun = words.matched.get(clause.start).into_iter().flatten();
    let mut idle = begun.filter(|found| {
        let phrase = words.lexicon.phrases.get(found.phrase);
        phrase.is_some_and(|phrase| phrase.idle)
    });
    let rest = |from: usize| words.tokens.get(from..clause.end).unwrap_or_default();
    idle.any(|found| {
        rest(found.end)
            .iter()
            .all(|token| token.kind == TokenKind::Mark)
    })
}

/// Words side by side are told together.
pub(super) fn runs(places: &[usize]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in places {
        match runs.last_mut() {
            Some(run) if run.end == *at => run.end = at + 1,
            _ => runs.push(*at..at + 1),
        }
    }
    runs
}
