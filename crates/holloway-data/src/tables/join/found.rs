//! Which rows of the two tables fit each other, how many rows do they make, and in which order?

use rustc_hash::FxHashMap;

use super::{How, Keys, Match};
use crate::cell::Key;

/// For every left row the right rows that fit, and the right rows that fit nothing.
pub(super) struct Found {
    by_left: Vec<Vec<usize>>,
    by_right: Vec<Vec<usize>>,
    pub(super) lonely_right: Vec<usize>,
    /// Kept as places of shared lists: equal keys would otherwise multiply.
    left_place: Vec<Option<usize>>,
    right_place: Vec<Option<usize>>,
}

impl Found {
    pub(super) fn of(left: &Keys<'_>, right: &Keys<'_>) -> Self {
        let is_whole = |key: &[Key<'_>]| !key.contains(&Key::Missing);
        let mut places: FxHashMap<&[Key<'_>], usize> = FxHashMap::default();
        let (mut by_left, mut by_right): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
            (Vec::new(), Vec::new());
        let mut right_place = vec![None; right.len()];
        for (row, key) in right.iter().enumerate().filter(|(_, key)| is_whole(key)) {
            let place = *places.entry(key).or_insert(by_left.len());
            if place == by_left.len() {
                by_left.push(Vec::new());
                by_right.push(Vec::new());
            }
            by_left
                .get_mut(place)
                .into_iter()
                .for_each(|rows| rows.push(row));
            right_place
                .get_mut(row)
                .into_iter()
                .for_each(|at| *at = Some(place));
        }
        let left_place: Vec<Option<usize>> = left
            .iter()
            .map(|key| places.get(key.as_slice()).copied())
            .collect();
        for (row, place) in left_place.iter().enumerate() {
            if let Some(rows) = place.and_then(|place| by_right.get_mut(place)) {
                rows.push(row);
            }
        }
        let is_lonely = |row: &usize| {
            let place = right_place.get(*row).copied().flatten();
            place
                .and_then(|place| by_right.get(place))
                .is_none_or(Vec::is_empty)
        };
        let lonely_right = (0..right.len()).filter(is_lonely).collect();
        Self {
            by_left,
            by_right,
            lonely_right,
            left_place,
            right_place,
        }
    }

    fn fitting(lists: &[Vec<usize>], place: Option<usize>) -> &[usize] {
        place
            .and_then(|place| lists.get(place))
            .map_or(&[], Vec::as_slice)
    }

    pub(super) fn lonely_left(&self) -> usize {
        self.left_place
            .iter()
            .filter(|place| place.is_none())
            .count()
    }

    pub(super) fn rows(&self, how: How, left: usize) -> usize {
        let pairs = self.by_left.iter().zip(&self.by_right);
        let inner = pairs.fold(0_usize, |sum, (right, left)| {
            sum.saturating_add(left.len().saturating_mul(right.len()))
        });
        match how {
            How::Inner => inner,
            How::Left => inner.saturating_add(self.lonely_left()),
            How::Right => inner.saturating_add(self.lonely_right.len()),
            How::Outer => inner
                .saturating_add(self.lonely_left())
                .saturating_add(self.lonely_right.len()),
            How::Anti => self.lonely_left().min(left),
        }
    }

    /// In the order of the left rows, for `right` in that of the right rows; rows of
    /// the right that fit nothing come last.
    pub(super) fn matches(&self, how: How) -> Vec<Match> {
        let mut matches: Vec<Match> = Vec::new();
        if how == How::Right {
            for (row, place) in self.right_place.iter().enumerate() {
                match Self::fitting(&self.by_right, *place) {
                    [] => matches.push((None, Some(row))),
                    fitting => matches.extend(fitting.iter().map(|left| (Some(*left), Some(row)))),
                }
            }
            return matches;
        }
        for (row, place) in self.left_place.iter().enumerate() {
            match (Self::fitting(&self.by_left, *place), how) {
                ([], How::Inner) => {}
                ([], _) => matches.push((Some(row), None)),
                (_, How::Anti) => {}
                (fitting, _) => {
                    matches.extend(fitting.iter().map(|right| (Some(row), Some(*right))))
                }
            }
        }
        if how == How::Outer {
            matches.extend(self.lonely_right.iter().map(|row| (None, Some(*row))));
        }
        matches
    }
}
