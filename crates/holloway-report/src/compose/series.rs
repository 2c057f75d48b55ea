//! Which lines do rows hold that name a thing, a time and a number each? One line per thing,
//! over all times, so that a table in long form is drawn as people expect.

use super::rows::label;
use crate::chart::Series;
use crate::grid::Grid;

/// More lines than this cannot be told apart.
const MOST_LINES: usize = 8;

/// What becomes of rows along a time.
pub(super) enum Parted {
    /// Each time stands once: the rows are one line.
    Single,
    /// The times in order, and a line for each thing.
    Lines {
        labels: Vec<String>,
        series: Vec<Series>,
    },
    /// Times repeat and no column tells the repeats apart.
    Tangled,
}

pub(super) fn part(grid: &Grid<'_>, time: usize, names: &[usize], value: usize) -> Parted {
    let times: Vec<String> = grid
        .rows()
        .iter()
        .map(|row| label(grid.value(row, time)))
        .collect();
    let mut labels = times.clone();
    labels.sort();
    labels.dedup();
    if labels.len() == times.len() {
        return Parted::Single;
    }
    let found = names
        .iter()
        .find_map(|name| lines(grid, &times, &labels, *name, value));
    match found {
        Some(series) => Parted::Lines { labels, series },
        None => Parted::Tangled,
    }
}

fn lines(
    grid: &Grid<'_>,
    times: &[String],
    labels: &[String],
    name: usize,
    value: usize,
) -> Option<Vec<Series>> {
    let mut series: Vec<Series> = Vec::new();
    for (row, time) in grid.rows().iter().zip(times) {
        let line = label(grid.value(row, name));
        let place = labels.binary_search(time).ok()?;
        let known = series.iter().position(|known| known.name == line);
        let index = known.unwrap_or(series.len());
        if known.is_none() {
            series.push(Series {
                name: line,
                values: vec![None; labels.len()],
                ..Series::default()
            });
        }
        let cell = series.get_mut(index)?.values.get_mut(place)?;
        // Two values at one time: this column does not tell the rows apart.
        if cell.is_some() {
            return None;
        }
        *cell = grid.value(row, value).as_f64();
        if series.len() > MOST_LINES {
            return None;
        }
    }
    Some(series)
}

#[cfg(test)]
mod tests {
    use super::super::rows::{Wish, chart};
    use serde_json::json;

    #[test]
    fn rows_in_long_form_become_a_line_per_thing() {
        let rows = json!([
            {"product": "tent", "week": "2026-01-12", "price": 3},
            {"product": "boot", "week": "2026-01-05", "price": 2},
            {"product": "tent", "week": "2026-01-05", "price": 4},
        ]);
        let chart = chart(rows.as_array().unwrap(), &Wish::default()).unwrap();
        assert_eq!(chart.labels, ["2026-01-05", "2026-01-12"]);
        let lines: Vec<_> = chart
            .series
            .iter()
            .map(|line| (line.name.as_str(), line.values.clone()))
            .collect();
        let expected = [
            ("tent", vec![Some(4.0), Some(3.0)]),
            ("boot", vec![Some(2.0), None]),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn repeats_that_nothing_tells_apart_make_no_lines() {
        let rows = json!([
            {"product": "tent", "week": "2026-01-05", "price": 3},
            {"product": "tent", "week": "2026-01-05", "price": 4},
            {"product": "tent", "week": "2026-01-12", "price": 4},
        ]);
        assert!(chart(rows.as_array().unwrap(), &Wish::default()).is_none());
    }
}
