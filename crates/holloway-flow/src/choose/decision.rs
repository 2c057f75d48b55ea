//! What becomes of the plans that were made? One of them runs, a person is asked, or none may run:
//! decided from the cards and from what the user said beforehand.

use holloway_planner::card::Card;

use super::{drawn, is_inferred, unseen};

/// A plan to choose from.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    pub card: &'a Card,
    /// Everything that it reaches is granted.
    pub is_granted: bool,
}

/// What the user said beforehand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes<'a> {
    pub request: &'a str,
    /// The place of the plan that was named.
    pub named: Option<usize>,
    pub auto: bool,
    pub seed: Option<u64>,
    /// Calls that change something are allowed.
    pub yes: bool,
    /// A plan for a part of the request may run.
    pub partial: bool,
    /// Nothing is changed, so that nothing stands in the way.
    pub dry_run: bool,
    /// Somebody is there who can be asked.
    pub can_ask: bool,
}

/// What becomes of the plans; plans are meant by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    Run {
        place: usize,
        by: ChosenBy,
    },
    /// Somebody has to agree that a part is left out.
    AskAboutRest(usize),
    AskWhich,
    Refuse(Refusal),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    Name,
    Chance,
    /// It is the only one, and it only looks.
    BeingHarmless,
}

/// Why no plan runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoSuchPlan,
    NotGranted(usize),
    PartMissing(usize),
    /// A model wrote the plans, they change something, and nobody has looked at them.
    Unseen,
    /// The plans rely on what tools were inferred to do.
    Inferred,
    NobodyToChoose,
}

impl Wishes<'_> {
    /// What stands in the way of this plan.
    pub fn obstacle(&self, place: usize, candidate: &Candidate<'_>) -> Option<Refusal> {
        match candidate {
            _ if self.dry_run => None,
            Candidate {
                is_granted: false, ..
            } => Some(Refusal::NotGranted(place)),
            _ if self.lacks_consent(candidate.card) => Some(Refusal::PartMissing(place)),
            _ => None,
        }
    }

    /// Whether somebody has to agree that a part of the request is left out.
    pub fn lacks_consent(&self, card: &Card) -> bool {
        !card.missing.is_empty() && !self.partial && !self.dry_run
    }

    fn run(&self, place: usize, candidates: &[Candidate<'_>], by: ChosenBy) -> Ruling {
        let Some(candidate) = candidates.get(place) else {
            return Ruling::Refuse(Refusal::NoSuchPlan);
        };
        match self.obstacle(place, candidate) {
            Some(refusal) => Ruling::Refuse(refusal),
            None => Ruling::Run { place, by },
        }
    }
}

/// Decides by what was said, then by chance, then by asking.
pub fn decide(candidates: &[Candidate<'_>], wishes: &Wishes<'_>) -> Ruling {
    if let Some(place) = wishes.named {
        let named = candidates.get(place).filter(|named| named.is_granted);
        if wishes.can_ask && named.is_some_and(|named| wishes.lacks_consent(named.card)) {
            return Ruling::AskAboutRest(place);
        }
        return wishes.run(place, candidates, ChosenBy::Name);
    }
    if wishes.auto {
        return by_chance(candidates, wishes);
    }
    if let [only] = candidates
        && unseen::may_run(only.card)
        && wishes.obstacle(0, only).is_none()
    {
        return wishes.run(0, candidates, ChosenBy::BeingHarmless);
    }
    if wishes.can_ask {
        return Ruling::AskWhich;
    }
    Ruling::Refuse(nobody(candidates, wishes))
}

/// There is nobody to ask; what would stand in the way even then is said first.
fn nobody(candidates: &[Candidate<'_>], wishes: &Wishes<'_>) -> Refusal {
    let places = candidates.iter().enumerate();
    let obstacles: Option<Vec<Refusal>> = places
        .map(|(place, candidate)| wishes.obstacle(place, candidate))
        .collect();
    let first = obstacles.and_then(|obstacles| obstacles.first().copied());
    first.unwrap_or(Refusal::NobodyToChoose)
}

/// Thompson sampling over the confidences of those that can run. Chance never takes a plan that
/// leaves a part of the request unserved, whatever was agreed to.
fn by_chance(candidates: &[Candidate<'_>], wishes: &Wishes<'_>) -> Ruling {
    let all: Vec<(usize, Candidate<'_>)> = candidates.iter().copied().enumerate().collect();
    let seen = |(_, candidate): &(usize, Candidate<'_>)| {
        wishes.yes || unseen::may_be_drawn(candidate.card)
    };
    let free: Vec<_> = all.into_iter().filter(seen).collect();
    if free.is_empty() {
        return Ruling::Refuse(Refusal::Unseen);
    }
    let is_declared = |(_, candidate): &(usize, Candidate<'_>)| !is_inferred(candidate.card);
    let free: Vec<_> = free.into_iter().filter(is_declared).collect();
    let Some(first) = free.first() else {
        return Ruling::Refuse(Refusal::Inferred);
    };
    let open = free.iter();
    let open: Vec<&(usize, Candidate<'_>)> = open
        .filter(|(place, candidate)| wishes.obstacle(*place, candidate).is_none())
        .collect();
    let cards: Vec<&Card> = open.iter().map(|(_, candidate)| candidate.card).collect();
    let drawn = drawn(wishes.request, &cards, wishes.seed).and_then(|place| open.get(place));
    if let Some((place, _)) = drawn {
        return wishes.run(*place, candidates, ChosenBy::Chance);
    }
    let obstacle = wishes.obstacle(first.0, &first.1);
    Ruling::Refuse(obstacle.unwrap_or(Refusal::PartMissing(first.0)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{card, card_over};
    use super::*;

    fn check(cards: &[&Card], wishes: &Wishes<'_>, expected: Ruling) {
        let candidates: Vec<Candidate<'_>> = cards
            .iter()
            .map(|card| Candidate {
                card,
                is_granted: true,
            })
            .collect();
        assert_eq!(decide(&candidates, wishes), expected, "{wishes:?}");
    }

    const AUTO: Wishes<'_> = Wishes {
        request: "how many boats",
        named: None,
        auto: true,
        seed: None,
        yes: true,
        partial: false,
        dry_run: false,
        can_ask: false,
    };

    #[test]
    fn chance_refuses_what_leaves_a_part_unserved_even_when_the_rest_may_run() {
        let part = card(&[("filters", None)], &["the filters"]);
        for partial in [false, true] {
            let wishes = Wishes { partial, ..AUTO };
            let refused = Ruling::Refuse(Refusal::PartMissing(0));
            check(&[&part], &wishes, refused);
        }
        let whole = card(&[("filters", Some("a"))], &[]);
        let run = Ruling::Run {
            place: 1,
            by: ChosenBy::Chance,
        };
        check(&[&part, &whole], &AUTO, run);
    }

    #[test]
    fn chance_refuses_guesses_and_what_nobody_looked_at() {
        let guess = card_over(&[("filters", Some("a"))], &[], &["mcp.words/translate"]);
        check(&[&guess], &AUTO, Ruling::Refuse(Refusal::Inferred));
        check(&[], &AUTO, Ruling::Refuse(Refusal::Unseen));
    }

    #[test]
    fn a_named_plan_runs_where_nothing_stands_in_the_way() {
        let part = card(&[("filters", None)], &["the filters"]);
        let named = |place| Wishes {
            named: Some(place),
            auto: false,
            ..AUTO
        };
        let run = Ruling::Run {
            place: 0,
            by: ChosenBy::Name,
        };
        let refused = |refusal| Ruling::Refuse(refusal);
        check(&[&part], &named(0), refused(Refusal::PartMissing(0)));
        check(&[&part], &named(1), refused(Refusal::NoSuchPlan));
        let asking = Wishes {
            can_ask: true,
            ..named(0)
        };
        check(&[&part], &asking, Ruling::AskAboutRest(0));
        for (partial, dry_run) in [(true, false), (false, true)] {
            let wishes = Wishes {
                partial,
                dry_run,
                ..named(0)
            };
            check(&[&part], &wishes, run);
        }
        let forbidden = Candidate {
            card: &part,
            is_granted: false,
        };
        let verdict = decide(&[forbidden], &asking);
        assert_eq!(verdict, refused(Refusal::NotGranted(0)));
    }

    #[test]
    fn somebody_is_asked_where_several_plans_are_left() {
        let whole = card(&[("filters", Some("a"))], &[]);
        let asking = Wishes {
            auto: false,
            can_ask: true,
            ..AUTO
        };
        check(&[&whole, &whole], &asking, Ruling::AskWhich);
        let nobody = Wishes {
            can_ask: false,
            ..asking
        };
        let refused = Ruling::Refuse(Refusal::NobodyToChoose);
        check(&[&whole, &whole], &nobody, refused);
        let part = card(&[("filters", None)], &["the filters"]);
        let first = Ruling::Refuse(Refusal::PartMissing(0));
        check(&[&part, &part], &nobody, first);
    }
}
