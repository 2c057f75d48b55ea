//! Which of several plans is run? A person says, or Holloway decides by Thompson sampling:
//! every plan draws from what its confidence promises, the highest draw wins. The surest
//! plan wins mostly, the others often enough to be learned about.

use holloway_plan::digest;
use holloway_planner::assemble::Account;
use holloway_planner::card::Card;
use holloway_planner::drafts::Missing;
use holloway_planner::estimate::RiskCode;

pub mod decision;
pub mod unseen;

/// Hex digits of a seed.
const SEED_DIGITS: usize = 16;

/// For how many past runs a confidence stands.
const STANDS_FOR: f64 = 100.0;
/// Even a hopeless plan keeps a chance, and a certain one a doubt.
const LEAST: f64 = 0.001;
/// Draws that a rejection takes before it is given up; each is refused in under 5 %.
const TRIES: usize = 100;

/// The plan to run, by its place; none when there are no plans. `random` gives numbers
/// from 0 up to, but not including, 1.
pub fn choose(confidences: &[f64], random: &mut impl FnMut() -> f64) -> Option<usize> {
    let draws = draws(confidences, random).into_iter().enumerate();
    let best = draws.max_by(|(first, one), (second, other)| {
        // Of equal draws the first plan's.
        one.total_cmp(other).then_with(|| second.cmp(first))
    });
    best.map(|(place, _)| place)
}

/// Whether chance may take a plan: one that leaves a part of the request unserved, never. What a
/// result is called and how it looks may be missing.
pub fn serves_all(card: &Card) -> bool {
    let unserved = || card.serves.iter().filter(|account| account.step.is_none());
    let is_dress = |account: &Account| matches!(account.slot.as_str(), "title" | "form");
    let is_excused = |missing: &Missing| {
        unserved().any(|account| is_dress(account) && account.said == missing.capability)
    };
    unserved().all(is_dress) && card.missing.iter().all(is_excused)
}

/// The plan that chance takes: of those that serve every part of the request, with a seed made of
/// the request and the plans unless one is given. Nothing where none serves everything.
pub fn drawn(request: &str, cards: &[&Card], seed: Option<u64>) -> Option<usize> {
    let places =
        (0..cards.len()).filter(|place| cards.get(*place).is_some_and(|card| serves_all(card)));
    let open: Vec<usize> = places.collect();
    let of_open = || open.iter().filter_map(|place| cards.get(*place).copied());
    let seed = seed.unwrap_or_else(|| seed_of(request, of_open()));
    let confidences: Vec<f64> = of_open().map(|card| card.outlook.confidence).collect();
    open.get(choose_seeded(&confidences, seed)?).copied()
}

/// Whether a plan relies on what nobody declared that a tool does: chance does not take it.
pub fn is_inferred(card: &Card) -> bool {
    let mut risks = card.outlook.risks.iter();
    risks.any(|risk| risk.code == RiskCode::Inferred)
}

/// A seed made of the request and the plans as they are known now: the same request chooses the
/// same plan until something is learned that changes a plan or its confidence.
fn seed_of<'a>(request: &str, cards: impl Iterator<Item = &'a Card>) -> u64 {
    let known: Vec<(&str, String)> = cards
        .map(|card| (card.id.as_str(), format!("{:.6}", card.outlook.confidence)))
        .collect();
    let digest = digest::of_json(&(request, known));
    let digits = digest.get(..SEED_DIGITS).unwrap_or_default();
    u64::from_str_radix(digits, 16).unwrap_or_default()
}

/// The same seed chooses the same plan.
pub fn choose_seeded(confidences: &[f64], seed: u64) -> Option<usize> {
    let mut random = Random::new(seed);
    choose(confidences, &mut || random.share())
}

/// A small generator (SplitMix64): the same seed gives the same numbers anywhere.
struct Random(u64);

impl Random {
    const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From 0 up to, but not including, 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What each plan drew, 0 to 1.
pub fn draws(confidences: &[f64], random: &mut impl FnMut() -> f64) -> Vec<f64> {
    let draw = |confidence: &f64| {
        // What is no number promises nothing.
        let sure = if confidence.is_nan() {
            0.0
        } else {
            *confidence
        };
        let sure = sure.clamp(LEAST, 1.0 - LEAST);
        beta(STANDS_FOR * sure, STANDS_FOR * (1.0 - sure), random)
    };
    confidences.iter().map(draw).collect()
}

/// A draw from the beta distribution: the share of one gamma draw in two.
pub fn beta(successes: f64, failures: f64, random: &mut impl FnMut() -> f64) -> f64 {
    let one = gamma(successes, random);
    let other = gamma(failures, random);
    let both = one + other;
    if both > 0.0 { one / both } else { 0.5 }
}

/// A draw from the gamma distribution of scale 1, by the method of Marsaglia and Tsang.
fn gamma(shape: f64, random: &mut impl FnMut() -> f64) -> f64 {
    if shape < 1.0 {
        // The method needs a shape of at least 1; a power of a uniform draw leads down from there.
        let above_zero = 1.0 - random();
        return gamma(shape + 1.0, random) * above_zero.powf(1.0 / shape);
    }
    let scaled = shape - 1.0 / 3.0;
    let spread = 1.0 / (9.0 * scaled).sqrt();
    for _ in 0..TRIES {
        let normal = normal(random);
        let cube = (1.0 + spread * normal).powi(3);
        if cube <= 0.0 {
            continue;
        }
        let accepted = 0.5 * normal * normal + scaled * (1.0 - cube + cube.ln());
        if (1.0 - random()).ln() < accepted {
            return scaled * cube;
        }
    }
    shape
}

/// A draw from the normal distribution, by the method of Box and Muller.
fn normal(random: &mut impl FnMut() -> f64) -> f64 {
    let above_zero = 1.0 - random();
    let angle = std::f64::consts::TAU * random();
    (-2.0 * above_zero.ln()).sqrt() * angle.cos()
}

#[cfg(test)]
mod tests {
    use holloway_plan::limits::Limits;
    use holloway_planner::card::{Making, categories};
    use holloway_planner::catalogue::Catalogue;
    use holloway_planner::drafts::{Drafted, Lack};
    use holloway_planner::frame::constraints::Constraints;
    use serde_json::json;

    use super::*;

    /// The share of each plan over so many seeds.
    fn shares(confidences: &[f64], seeds: u64) -> Vec<f64> {
        let mut wins = vec![0_u32; confidences.len()];
        for seed in 0..seeds {
            wins[choose_seeded(confidences, seed).unwrap()] += 1;
        }
        wins.iter()
            .map(|wins| f64::from(*wins) / seeds as f64)
            .collect()
    }

    #[track_caller]
    fn near(found: f64, expected: f64, apart: f64) {
        assert!(
            (found - expected).abs() < apart,
            "{found} is not {expected}"
        );
    }

    #[test]
    fn the_surer_plan_wins_as_often_as_the_distributions_say() {
        // The difference of the two betas is nearly normal: 0.1 apart, spread 0.0668.
        let won = shares(&[0.6, 0.7], 4_000);
        near(won[1], 0.933, 0.015);
        near(shares(&[0.9, 0.5], 1_000)[0], 1.0, 0.002);
    }

    /// How often each plan should win: over all draws, that it has this one and the others less.
    fn expected(confidences: &[f64]) -> Vec<f64> {
        const GRID: usize = 4_000;
        let densities: Vec<Vec<f64>> = confidences
            .iter()
            .map(|sure| {
                let (a, b) = (STANDS_FOR * sure, STANDS_FOR * (1.0 - sure));
                let log = |x: f64| (a - 1.0) * x.ln() + (b - 1.0) * (1.0 - x).ln();
                let at = |place: usize| log((place as f64 + 0.5) / GRID as f64);
                let most = (0..GRID).map(at).fold(f64::MIN, f64::max);
                let heights: Vec<f64> = (0..GRID).map(|place| (at(place) - most).exp()).collect();
                let whole: f64 = heights.iter().sum();
                heights.iter().map(|height| height / whole).collect()
            })
            .collect();
        let below = |plan: usize, place: usize| {
            let half = densities[plan][place] / 2.0;
            densities[plan][..place].iter().sum::<f64>() + half
        };
        let plans = 0..confidences.len();
        let wins = |plan: usize| {
            let places = 0..GRID;
            let chance = |place: usize| {
                let others = plans.clone().filter(|other| *other != plan);
                let least: f64 = others.map(|other| below(other, place)).product();
                densities[plan][place] * least
            };
            places.map(chance).sum()
        };
        plans.clone().map(wins).collect()
    }

    #[test]
    fn plans_are_drawn_as_often_as_their_distributions_say() {
        for confidences in [
            vec![0.62, 0.66, 0.64],
            vec![0.3, 0.35],
            vec![0.97, 0.94, 0.9],
        ] {
            let expected = expected(&confidences);
            near(expected.iter().sum(), 1.0, 1e-6);
            let found = shares(&confidences, 6_000);
            for (found, expected) in found.iter().zip(&expected) {
                // Three standard deviations of 6,000 draws are below 0.02.
                near(*found, *expected, 0.02);
            }
        }
    }

    #[test]
    fn equal_plans_win_equally_often() {
        for share in shares(&[0.8, 0.8, 0.8], 6_000) {
            near(share, 1.0 / 3.0, 0.02);
        }
    }

    #[test]
    fn draws_have_the_mean_and_spread_of_their_distribution() {
        for (a, b) in [(80.0, 20.0), (0.3, 0.7), (1.0, 1.0), (0.1, 99.9)] {
            let mut random = Random::new(11);
            let drawn: Vec<f64> = (0..20_000)
                .map(|_| beta(a, b, &mut || random.share()))
                .collect();
            let count = drawn.len() as f64;
            let mean: f64 = drawn.iter().sum::<f64>() / count;
            let spread: f64 = drawn.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / count;
            let expected: f64 = a / (a + b);
            let variance: f64 = a * b / ((a + b).powi(2) * (a + b + 1.0));
            near(mean, expected, 0.01);
            near(spread, variance, variance.max(0.001) * 0.1);
        }
    }

    #[test]
    fn the_same_seed_chooses_the_same_plan_and_another_may_not() {
        let plans = [0.7, 0.7, 0.7];
        for seed in 0..50 {
            assert_eq!(choose_seeded(&plans, seed), choose_seeded(&plans, seed));
        }
        let first = choose_seeded(&plans, 0);
        assert!((1..50).any(|seed| choose_seeded(&plans, seed) != first));
    }

    #[test]
    fn odd_confidences_and_odd_randomness_are_borne() {
        assert_eq!(choose_seeded(&[], 1), None);
        assert_eq!(choose_seeded(&[f64::NAN, 0.9], 1), Some(1));
        assert_eq!(choose_seeded(&[-4.0, 7.0], 1), Some(1));
        for stuck in [0.0, 0.5, 0.999_999] {
            let drawn = draws(&[0.0, 0.3, 1.0], &mut || stuck);
            assert!(
                drawn.iter().all(|draw| (0.0..=1.0).contains(draw)),
                "{drawn:?}"
            );
        }
    }

    pub(super) fn card(slots: &[(&str, Option<&str>)], missing: &[&str]) -> Card {
        card_over(slots, missing, &[])
    }

    pub(super) fn card_over(
        slots: &[(&str, Option<&str>)],
        missing: &[&str],
        inferred: &[&str],
    ) -> Card {
        let account = |(slot, step): &(&str, Option<&str>)| Account {
            goal: 0,
            slot: (*slot).to_owned(),
            said: format!("the {slot}"),
            value: None,
            step: step.map(str::to_owned),
            argument: None,
        };
        let drafted = Drafted {
            draft: serde_json::from_value(json!({"version": "1.0", "steps": [
                {"id": "a", "type": "approve", "ask": "go on?"}]}))
            .unwrap(),
            serves: slots.iter().map(account).collect(),
            missing: missing
                .iter()
                .map(|said| Missing::new(*said, Lack::Tool))
                .collect(),
            inferred: inferred.iter().map(ToString::to_string).collect(),
            fit: 0.8,
            ..Drafted::none("quick")
        };
        let making = Making {
            catalogue: &Catalogue::new([]),
            constraints: &Constraints::default(),
            limits: &Limits::default(),
            skills: &categories,
            made_by: "us",
        };
        holloway_planner::card::card(drafted, &making).unwrap()
    }

    #[test]
    fn chance_takes_only_plans_that_serve_everything() {
        assert!(serves_all(&card(
            &[("filters", Some("a")), ("target", Some("a"))],
            &[]
        )));
        for slot in ["filters", "measures", "order", "target", "entities"] {
            assert!(
                !serves_all(&card(&[("sources", Some("a")), (slot, None)], &[])),
                "{slot}"
            );
        }
        // How a result is dressed is no part of it.
        assert!(serves_all(&card(&[("title", None)], &["the title"])));
        // A model's plan has no accounts: what is missing is told in words alone.
        assert!(!serves_all(&card(&[], &["knit a pullover"])));
    }

    #[test]
    fn chance_takes_no_plan_over_what_was_inferred() {
        let served = [("filters", Some("a"))];
        assert!(!is_inferred(&card(&served, &[])));
        let guessed = card_over(&served, &[], &["mcp.words/translate"]);
        assert!(is_inferred(&guessed));
        let risk = &guessed.outlook.risks[0].sentence;
        assert_eq!(risk, "what the tool does was inferred: mcp.words/translate");
    }

    #[test]
    fn the_seed_stands_for_the_request_and_what_is_known() {
        let one = card(&[("filters", Some("a"))], &[]);
        let seed = |request: &str, card: &Card| seed_of(request, std::iter::once(card));
        assert_eq!(seed("count them", &one), seed("count them", &one.clone()));
        assert_ne!(seed("count them", &one), seed("count those", &one));
        let mut learned = one.clone();
        learned.outlook.confidence += 0.01;
        assert_ne!(seed("count them", &one), seed("count them", &learned));
    }
}
