//! Which pages still fit into a result? The first ones by their number, whichever
//! came first over the wire.

use std::collections::BTreeMap;

/// Counts what arrived.
pub(crate) struct Room {
    most: usize,
    total: usize,
    arrived: BTreeMap<usize, usize>,
    end: usize,
}

impl Room {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            total: 0,
            arrived: BTreeMap::new(),
            end: usize::MAX,
        }
    }

    /// Books a page and gives the number from which on pages do not fit. It only ever
    /// sinks: pages before it that are still to come make the sum larger.
    pub(crate) fn book(&mut self, number: usize, bytes: usize) -> usize {
        if number < self.end {
            self.arrived.insert(number, bytes);
            self.total += bytes;
        }
        while self.total > self.most
            && let Some((last, bytes)) = self.arrived.pop_last()
        {
            self.total -= bytes;
            self.end = last;
        }
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(order: &[usize], expected: usize) {
        let sizes = [30, 30, 30, 50, 10, 1];
        let mut room = Room::new(100);
        let ends = order.iter().map(|&number| room.book(number, sizes[number]));
        assert_eq!(ends.last(), Some(expected), "{order:?}");
    }

    #[test]
    fn the_order_of_arrival_does_not_matter() {
        check(&[0, 1, 2, 3, 4, 5], 3);
        check(&[5, 4, 3, 2, 1, 0], 3);
        check(&[3, 5, 1, 0, 4, 2], 3);
        check(&[0, 1], usize::MAX);
    }
}
