//! How good is a plan beside the right one? F1 of its tools, of its links and of the names
//! of its arguments, and whether it is exactly the same sequence.

use std::collections::BTreeSet;

use serde::Serialize;

/// Tools by place in the catalogue, in order, and which result goes into which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub tools: Vec<usize>,
    pub links: Vec<(usize, usize)>,
}

impl Plan {
    /// Each result goes into the next step.
    pub fn chain(tools: Vec<usize>) -> Self {
        let links = (1..tools.len()).map(|later| (later - 1, later)).collect();
        Self { tools, links }
    }

    /// Links as pairs of tools; a link to nowhere is none.
    fn linked(&self) -> BTreeSet<(usize, usize)> {
        let tool = |at: usize| self.tools.get(at).copied();
        let links = self.links.iter();
        links
            .filter_map(|(from, to)| tool(*from).zip(tool(*to)))
            .collect()
    }
}

/// One plan against the right one; 0 to 1 each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    pub nodes: f64,
    pub links: f64,
    pub exact: f64,
}

impl Score {
    pub fn sum(self) -> f64 {
        self.nodes + self.links + self.exact
    }
}

pub fn score(plan: &Plan, right: &Plan) -> Score {
    let tools = |plan: &Plan| plan.tools.iter().copied().collect::<BTreeSet<usize>>();
    Score {
        nodes: f1(&tools(plan), &tools(right)),
        links: f1(&plan.linked(), &right.linked()),
        exact: f64::from(u8::from(plan.tools == right.tools)),
    }
}

/// F1 of the arguments that were named, each as its tool and its name.
pub fn argument_names(found: &[(usize, &str)], right: &[(usize, &str)]) -> f64 {
    let set = |names: &[(usize, &str)]| {
        let owned = names.iter().map(|(tool, name)| (*tool, (*name).to_owned()));
        owned.collect::<BTreeSet<(usize, String)>>()
    };
    f1(&set(found), &set(right))
}

/// Nothing found where nothing was wanted is right.
pub fn f1<T: Ord>(found: &BTreeSet<T>, right: &BTreeSet<T>) -> f64 {
    if found.is_empty() && right.is_empty() {
        return 1.0;
    }
    let both = found.intersection(right).count() as f64;
    2.0 * both / (found.len() + right.len()) as f64
}

/// Means over requests, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Means {
    pub requests: usize,
    pub nodes: f64,
    pub links: f64,
    pub exact: f64,
    /// How often one of the first three plans is exactly right.
    pub exact_of_three: f64,
}

impl Means {
    /// Takes one more request into the sums: its plans, best first.
    pub fn add(&mut self, plans: &[Plan], right: &Plan) {
        let first = plans
            .first()
            .map(|plan| score(plan, right))
            .unwrap_or_default();
        self.requests += 1;
        self.nodes += first.nodes;
        self.links += first.links;
        self.exact += first.exact;
        let any = plans.iter().take(3).any(|plan| plan.tools == right.tools);
        self.exact_of_three += f64::from(u8::from(any));
    }

    /// Takes the sums over other requests in.
    pub fn add_all(&mut self, other: &Self) {
        self.requests += other.requests;
        self.nodes += other.nodes;
        self.links += other.links;
        self.exact += other.exact;
        self.exact_of_three += other.exact_of_three;
    }

    pub fn mean(mut self) -> Self {
        let count = self.requests.max(1) as f64;
        for sum in [
            &mut self.nodes,
            &mut self.links,
            &mut self.exact,
            &mut self.exact_of_three,
        ] {
            *sum /= count;
        }
        self
    }
}

/// How often what came true was thought likelier than what did not; equal chances count half.
/// Nothing where all or none came true.
pub fn area_under_curve(outcomes: &[(f64, bool)]) -> Option<f64> {
    let of = |wanted: bool| outcomes.iter().filter(move |(_, came)| *came == wanted);
    let pairs = of(true).count() * of(false).count();
    let won = |(high, _): &(f64, bool)| {
        let each = of(false).map(move |(low, _)| match high.total_cmp(low) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        });
        each.sum::<f64>()
    };
    (pairs > 0).then(|| of(true).map(won).sum::<f64>() / pairs as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: &[usize], right: &[usize], nodes: f64, links: f64, exact: f64) {
        let score = score(&Plan::chain(found.to_vec()), &Plan::chain(right.to_vec()));
        let expected = Score {
            nodes,
            links,
            exact,
        };
        assert_eq!(score, expected, "{found:?} {right:?}");
    }

    #[test]
    fn plans_are_compared_by_tools_links_and_order() {
        check(&[1, 2], &[1, 2], 1.0, 1.0, 1.0);
        check(&[2, 1], &[1, 2], 1.0, 0.0, 0.0);
        check(&[1, 2, 3], &[1, 2], 0.8, 2.0 / 3.0, 0.0);
        check(&[1], &[1], 1.0, 1.0, 1.0);
        check(&[], &[1, 2], 0.0, 0.0, 0.0);
        check(&[1, 2, 1], &[1, 2], 1.0, 2.0 / 3.0, 0.0);
    }

    #[test]
    fn links_to_nowhere_are_none() {
        let plan = Plan {
            tools: vec![1],
            links: vec![(0, 7)],
        };
        assert_eq!(score(&plan, &Plan::chain(vec![1])).links, 1.0);
    }

    #[test]
    fn arguments_are_compared_by_tool_and_name() {
        let right = [(1, "city"), (2, "text")];
        assert_eq!(argument_names(&right, &right), 1.0);
        assert_eq!(argument_names(&[(1, "city"), (1, "text")], &right), 0.5);
        assert_eq!(argument_names(&[], &[]), 1.0);
    }

    #[test]
    fn one_of_three_may_be_exact() {
        let mut means = Means::default();
        let right = Plan::chain(vec![1, 2]);
        means.add(&[Plan::chain(vec![1]), right.clone()], &right);
        means.add(&[], &right);
        let means = means.mean();
        assert_eq!((means.exact, means.exact_of_three), (0.0, 0.5));
        assert!((means.nodes - 1.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        let area = |outcomes: &[(f64, bool)]| area_under_curve(outcomes);
        assert_eq!(
            area(&[(0.9, true), (0.4, false), (0.6, false), (0.5, true)]),
            Some(0.75)
        );
        assert_eq!(area(&[(0.5, true), (0.5, false)]), Some(0.5));
        assert_eq!(area(&[(0.5, true)]), None);
    }
}
