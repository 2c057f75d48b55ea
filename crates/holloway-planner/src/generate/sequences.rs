//! Which of the orders of tools that recall proposes does a strategy take?

use super::{Breadth, Taste};
use crate::catalogue::Place;
use crate::recall::Sequence;

/// The sequence a strategy takes: the consensus, a shorter or a longer one.
pub(super) fn sequence_for(taste: Taste, sequences: &[Sequence]) -> Option<&Sequence> {
    let usable = |sequence: &&Sequence| !sequence.tools.is_empty();
    let first = sequences.iter().find(usable)?;
    // What nobody has tried yet is not made longer.
    if first.seen == 0 {
        return Some(first);
    }
    let same = |other: &Sequence| tools_of(other) == tools_of(first);
    let others = sequences.iter().filter(usable).skip(1).take(2);
    let mut others: Vec<&Sequence> = others.filter(|other| !same(other)).collect();
    others.sort_by_key(|sequence| sequence.tools.len());
    let length = first.tools.len();
    let other = match taste.breadth {
        Breadth::Some => None,
        Breadth::One => others.first().filter(|other| other.tools.len() < length),
        Breadth::All => others.last().filter(|other| other.tools.len() > length),
    };
    Some(other.copied().unwrap_or(first))
}

/// Each tool once, whatever the order.
fn tools_of(sequence: &Sequence) -> Vec<Place> {
    let mut tools = sequence.tools.clone();
    tools.sort_unstable();
    tools.dedup();
    tools
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tools of the sequence that a breadth takes.
    #[track_caller]
    fn check(sequences: &[&[Place]], breadth: Breadth, expected: &[Place]) {
        let sequence = |tools: &&[Place]| Sequence {
            tools: tools.to_vec(),
            links: Vec::new(),
            probability: 0.5,
            seen: 1,
        };
        let sequences: Vec<Sequence> = sequences.iter().map(sequence).collect();
        let taste = Taste {
            breadth,
            steps: 5,
            step_cost: 0.5,
            fills_optional: false,
        };
        let taken = sequence_for(taste, &sequences).map(|one| one.tools.as_slice());
        assert_eq!(taken, Some(expected));
    }

    #[test]
    fn another_sequence_is_taken_only_where_it_is_shorter_or_longer() {
        let several: [&[Place]; 3] = [&[1, 2], &[1, 2, 3], &[1]];
        check(&several, Breadth::All, &[1, 2, 3]);
        check(&several, Breadth::One, &[1]);
        check(&several, Breadth::Some, &[1, 2]);
        let alike: [&[Place]; 3] = [&[1, 2], &[2, 1, 2], &[3, 4]];
        for breadth in [Breadth::All, Breadth::One, Breadth::Some] {
            check(&alike, breadth, &[1, 2]);
        }
    }
}
