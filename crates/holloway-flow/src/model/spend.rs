//! What did asking take, and may it go on? Tokens and money over all attempts.

use holloway_planner::frame::constraints::Constraints;
use serde::{Deserialize, Serialize};

use holloway_engine::model::ask::Reply;

/// What was used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Answers that came back, of use or not.
    pub calls: u32,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub cached_tokens: u64,
    /// US dollars.
    pub money: f64,
    /// Answers that did not come included.
    pub seconds: f64,
}

impl Spent {
    pub fn add(&mut self, reply: &Reply) {
        self.calls += 1;
        self.tokens_in = self.tokens_in.saturating_add(reply.tokens_in);
        self.tokens_out = self.tokens_out.saturating_add(reply.tokens_out);
        self.cached_tokens = self.cached_tokens.saturating_add(reply.cached_tokens);
        self.money += reply.money;
    }

    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            tokens_in: self.tokens_in.saturating_add(other.tokens_in),
            tokens_out: self.tokens_out.saturating_add(other.tokens_out),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            money: self.money + other.money,
            seconds: self.seconds + other.seconds,
        }
    }

    /// What is left of the limits of a request: planning counts in whole seconds, so that the same
    /// request gives the same plan, and a run gets a moment at least.
    pub fn left_of(&self, limits: &Constraints) -> Constraints {
        const MOMENT: f64 = 1.0;
        Constraints {
            money: limits.money.map(|most| (most - self.money).max(0.0)),
            seconds: limits
                .seconds
                .map(|most| (most - self.seconds.floor()).max(MOMENT.min(most))),
            ..*limits
        }
    }

    pub fn tokens(&self) -> u64 {
        self.tokens_in.saturating_add(self.tokens_out)
    }
}

/// What may be used up; nothing said, nothing limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Allowance {
    pub tokens: Option<u64>,
    /// US dollars.
    pub money: Option<f64>,
}

impl Allowance {
    /// Why no more may be asked after so much, if that is so. What an answer takes is
    /// known only afterwards, so the last one may go past the limit.
    pub fn objection(&self, spent: &Spent) -> Option<String> {
        if let Some(most) = self.tokens.filter(|most| spent.tokens() >= *most) {
            let used = spent.tokens();
            return Some(format!("{used} of {most} tokens for planning are used up"));
        }
        let most = self.money.filter(|most| spent.money >= *most)?;
        let used = spent.money;
        Some(format!("${used:.4} of ${most:.4} for planning are used up"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tokens: Option<u64>, money: Option<f64>, expected: Option<&str>) {
        let mut spent = Spent::default();
        spent.add(&Reply {
            tokens_in: 700,
            tokens_out: 200,
            money: 0.002,
            ..Reply::default()
        });
        let objection = Allowance { tokens, money }.objection(&spent);
        assert_eq!(objection.as_deref(), expected);
    }

    #[test]
    fn what_is_used_up_stops_the_next_question() {
        check(None, None, None);
        check(Some(901), Some(0.1), None);
        check(
            Some(900),
            None,
            Some("900 of 900 tokens for planning are used up"),
        );
        check(
            None,
            Some(0.001),
            Some("$0.0020 of $0.0010 for planning are used up"),
        );
        // Nothing allowed is different from nothing said.
        let nothing = Allowance {
            tokens: Some(0),
            money: None,
        };
        assert!(nothing.objection(&Spent::default()).is_some());
    }

    #[test]
    fn planning_counts_among_what_a_request_allows() {
        let limits = Constraints {
            seconds: Some(20.0),
            money: Some(0.01),
            ..Constraints::default()
        };
        let after = |seconds: f64, money: f64| {
            let spent = Spent {
                money,
                seconds,
                ..Spent::default()
            };
            let left = spent.left_of(&limits);
            (left.seconds.unwrap(), left.money.unwrap())
        };
        assert_eq!(after(0.0, 0.0), (20.0, 0.01));
        assert_eq!(after(5.7, 0.02), (15.0, 0.0));
        assert_eq!(after(30.0, 0.0), (1.0, 0.01));
        assert_eq!(
            Spent::default().left_of(&Constraints::default()),
            Constraints::default()
        );
    }

    #[test]
    fn sums_are_of_every_part() {
        let mut one = Spent::default();
        one.add(&Reply {
            tokens_in: 1,
            tokens_out: 2,
            cached_tokens: 3,
            money: 0.5,
            ..Reply::default()
        });
        let two = one.and(one);
        let parts = (two.calls, two.tokens_in, two.tokens_out, two.cached_tokens);
        assert_eq!(parts, (2, 2, 4, 6));
        assert!((two.money - 1.0).abs() < 1e-12);
    }
}
