//! What does a request speak of first, then and last? Requests that take the same course want
//! their tools in the same order, and as many of them.

use std::ops::Range;

use holloway_search::table::Table;
use ndarray::Array2;

use super::ridge::Ridge;
use super::vectors::Vectors;

/// The first half of a text, the middle and the last half.
const WINDOWS: usize = 3;
/// What the same course counts, and all else that makes requests alike: little, as another
/// opinion is asked for.
const COURSE: f32 = 2.0;
const ELSE: f32 = 0.3;

/// What each window means, one after the other, of length one together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Course(Vec<f32>);

impl Course {
    pub(super) fn of(text: &str, table: &Table) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let quarter = |quarters: usize| words.len() * quarters / (WINDOWS + 1);
        let share = (WINDOWS as f32).sqrt().recip();
        let mut course = Vec::with_capacity(WINDOWS * table.dimensions());
        for window in 0..WINDOWS {
            // Of a word or two every window has at least one.
            let end = quarter(window + 2).max(window + 1).min(words.len());
            let begin = quarter(window).min(end.saturating_sub(1));
            let part = words.get(begin..end).unwrap_or_default().join(" ");
            course.extend(table.meaning(&part).into_iter().map(|cell| cell * share));
        }
        Self(course)
    }
}

/// The courses of remembered requests, and the factor of likeness with them.
#[derive(Debug)]
pub(super) struct Courses {
    all: Vectors,
    pub(super) ridge: Ridge,
}

impl Courses {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            all: Vectors::new(WINDOWS * table.dimensions()),
            ridge: Ridge::default(),
        }
    }

    pub(super) fn push(&mut self, course: &Course) {
        self.all.push(&course.0);
    }

    /// Takes those in that were pushed, up to the given number; `rows` tells how alike they are
    /// but for their courses.
    pub(super) fn extend(&mut self, to: usize, rows: impl Fn(Range<usize>) -> Array2<f32>) {
        let Self { all, ridge } = self;
        ridge.extend(to, |texts| {
            let mut rows = rows(texts.clone());
            rows.zip_mut_with(&all.square(texts), |alike, cosine| {
                *alike = blend(*alike, *cosine);
            });
            rows
        });
    }

    /// The same for the last one, so alike to those before it and to itself.
    pub(super) fn add_last(&mut self, mut row: Vec<f32>) {
        let last = row.len().saturating_sub(1);
        let cosines = self.all.products(self.all.get(last));
        for (alike, cosine) in row.iter_mut().zip(cosines) {
            *alike = blend(*alike, cosine);
        }
        self.ridge.push(row);
    }

    /// How much each run counts for a request that takes this course and is so alike.
    pub(super) fn weigh(&self, course: &Course, mut alike: Vec<f32>) -> Vec<f32> {
        for (alike, cosine) in alike.iter_mut().zip(self.all.products(&course.0)) {
            *alike = blend(*alike, cosine);
        }
        self.ridge.weigh(alike)
    }
}

/// By all else and by the cosine of their courses.
fn blend(alike: f32, cosine: f32) -> f32 {
    ELSE * alike + COURSE * cosine.max(0.0).powi(3)
}

#[cfg(test)]
mod tests {
    use super::super::ridge::dot;
    use super::*;

    fn alike(one: &str, other: &str) -> f32 {
        let table = Table::shipped();
        dot(&Course::of(one, &table).0, &Course::of(other, &table).0)
    }

    #[test]
    fn the_same_words_in_another_order_are_another_course() {
        let booked = "book a flight to the coast then check the weather";
        assert!((alike(booked, booked) - 1.0).abs() < 1e-4);
        let turned = "check the weather then book a flight to the coast";
        let retold = "reserve a plane ticket then look up the forecast";
        assert!(alike(booked, turned) < 0.9);
        assert!(alike(booked, retold) > alike(turned, retold));
    }

    #[test]
    fn one_by_one_is_as_good_as_all_at_once() {
        let table = Table::shipped();
        let texts = [
            "book a train",
            "pay the bill then book a train",
            "pay the bill",
        ];
        let (mut whole, mut grown) = (Courses::new(&table), Courses::new(&table));
        let alike = |one: usize, other: usize| if one == other { 1.0 } else { 0.2 };
        for (last, text) in texts.iter().enumerate() {
            let course = Course::of(text, &table);
            whole.push(&course);
            grown.push(&course);
            grown.add_last((0..=last).map(|other| alike(last, other)).collect());
        }
        whole.extend(texts.len(), |some| {
            let shape = (some.len(), some.end);
            Array2::from_shape_fn(shape, |(at, other)| alike(some.start + at, other))
        });
        let asked = Course::of("book a seat", &table);
        let [one, other] = [whole, grown].map(|courses| courses.weigh(&asked, vec![0.2; 3]));
        assert!(one[0] > one[2], "{one:?}");
        let apart = one
            .iter()
            .zip(&other)
            .map(|(one, other)| (one - other).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-5, "{one:?} {other:?}");
    }

    #[test]
    fn short_texts_have_a_course_too() {
        assert!((alike("weather", "weather") - 1.0).abs() < 1e-4);
        assert!((alike("the weather", "the weather") - 1.0).abs() < 1e-4);
        assert_eq!(alike("", "weather"), 0.0);
    }
}
