//! Which sequences are worth weighing? All short ones of the likeliest tools, the best
//! orders of longer ones, and whole sequences of similar runs.

use rustc_hash::FxHashSet;

/// How many of the likeliest tools sequences of 1, 2, 3 and more tools are made from.
const SINGLES: usize = 6;
const PAIRS: usize = 8;
const TRIPLES: usize = 7;
/// Length, from how many tools, how many orders of each set.
const LONGER: [(usize, usize, usize); 2] = [(4, 7, 3), (5, 6, 2)];
/// A longer run of the past is no model for this request.
const LENGTH_AT_MOST: usize = 8;

/// Tools by their place among those at hand, likeliest first.
pub(super) type Order = Vec<usize>;

/// `count` tools, likeliest first; `known` sequences of them; `taste` tells which of several
/// orders is the better one.
pub(super) fn candidates(
    count: usize,
    known: impl IntoIterator<Item = Order>,
    taste: impl Fn(&[usize]) -> f32,
) -> Vec<Order> {
    let mut found: Vec<Order> = Vec::new();
    for (length, from) in [(1, SINGLES), (2, PAIRS), (3, TRIPLES)] {
        for set in sets(from.min(count), length) {
            found.extend(orders(&set));
        }
    }
    for (length, from, keep) in LONGER {
        for set in sets(from.min(count), length) {
            let mut scored: Vec<(f32, Order)> = orders(&set)
                .into_iter()
                .map(|order| (taste(&order), order))
                .collect();
            scored.sort_by(|one, other| other.0.total_cmp(&one.0));
            found.extend(scored.into_iter().take(keep).map(|(_, order)| order));
        }
    }
    let mut seen: FxHashSet<Order> = found.iter().cloned().collect();
    for order in known {
        let is_fit = !order.is_empty() && order.len() <= LENGTH_AT_MOST;
        if is_fit && seen.insert(order.clone()) {
            found.push(order);
        }
    }
    found
}

/// All sets of a size out of the first so many.
fn sets(from: usize, size: usize) -> Vec<Order> {
    let mut sets: Vec<Order> = vec![Vec::new()];
    for _ in 0..size {
        let longer = sets.iter().flat_map(|set| {
            let begin = set.last().map_or(0, |last| last + 1);
            (begin..from).map(|next| set.iter().copied().chain([next]).collect())
        });
        sets = longer.collect();
    }
    sets
}

/// All orders of a set.
fn orders(set: &[usize]) -> Vec<Order> {
    let mut orders: Vec<Order> = vec![Vec::new()];
    for _ in 0..set.len() {
        let longer = orders.iter().flat_map(|order| {
            let rest = set.iter().filter(|one| !order.contains(one));
            rest.map(|one| order.iter().copied().chain([*one]).collect())
        });
        orders = longer.collect();
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(count: usize, known: &[&[usize]], expected: usize) {
        let known = known.iter().map(|order| order.to_vec());
        let found = candidates(count, known, |_| 0.0);
        let distinct: FxHashSet<&Order> = found.iter().collect();
        assert_eq!((found.len(), distinct.len()), (expected, expected));
    }

    #[test]
    fn every_candidate_is_there_once() {
        check(0, &[], 0);
        check(1, &[], 1);
        check(2, &[&[0, 1], &[0, 1, 0], &[]], 5);
        // 6 + 8·7 + 7·6·5, 3 orders of 35 sets, 2 orders of 6 sets.
        check(20, &[], 6 + 56 + 210 + 105 + 12);
    }

    #[test]
    fn of_longer_ones_the_better_orders_are_kept() {
        let falling = |order: &[usize]| {
            let pairs = order.windows(2);
            pairs.filter(|pair| pair[0] > pair[1]).count() as f32
        };
        let found = candidates(4, [], falling);
        assert!(found.contains(&vec![3, 2, 1, 0]));
        assert!(!found.contains(&vec![0, 1, 2, 3]));
    }
}
