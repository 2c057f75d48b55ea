//! Which chart do rows ask for? Lines when a column is time, bars when a column names
//! things, points when there are only numbers.

use serde_json::Value;

use super::series::{self, Parted};
use crate::chart::{Chart, Kind, Point, Series};
use crate::clean;
use crate::figure;
use crate::grid::Grid;
use crate::model::Table;
use crate::moment;

const MOST_SERIES: usize = 4;
/// More bars than this are read faster in the table.
const MOST_BARS: usize = 20;
/// Names of one row that are put together to tell it from the others.
const MOST_NAMES: usize = 3;

/// What a caller said about the chart; the rest is chosen.
#[derive(Default)]
pub(crate) struct Wish<'a> {
    pub(crate) kind: Option<Kind>,
    pub(crate) x: Option<&'a str>,
    pub(crate) y: Vec<&'a str>,
    pub(crate) label: Option<&'a str>,
    pub(crate) outlier: Option<&'a str>,
}

struct Columns<'a> {
    grid: &'a Grid<'a>,
    numeric: Vec<usize>,
    time: Option<usize>,
    /// Columns that name things.
    names: Vec<usize>,
}

impl<'a> Columns<'a> {
    fn of(grid: &'a Grid<'a>) -> Self {
        let all = || 0..grid.columns.len();
        let numeric: Vec<usize> = all().filter(|column| grid.is_numeric(*column)).collect();
        let time = all().find(|column| is_time(grid, *column));
        let names = all()
            .filter(|column| !numeric.contains(column) && Some(*column) != time)
            .collect();
        Self {
            grid,
            numeric,
            time,
            names,
        }
    }

    fn find(&self, key: &str) -> Option<usize> {
        self.grid
            .columns
            .iter()
            .position(|column| column.key == key)
    }
}

fn is_time(grid: &Grid<'_>, column: usize) -> bool {
    let mut values = grid
        .rows()
        .iter()
        .take(200)
        .map(|row| grid.value(row, column))
        .filter(|value| !value.is_null())
        .peekable();
    values.peek().is_some() && values.all(|value| value.as_str().and_then(moment::days).is_some())
}

/// The chart these rows make, if they make one.
pub(crate) fn chart(rows: &[Value], wish: &Wish<'_>) -> Option<Chart> {
    let table = Table {
        rows: rows.to_vec(),
        ..Table::default()
    };
    let grid = Grid::new(&table);
    let columns = Columns::of(&grid);
    let mut values: Vec<usize> = wish.y.iter().filter_map(|key| columns.find(key)).collect();
    let along = match wish.x {
        Some(key) => Some(columns.find(key)?),
        None => columns.time.or(columns.names.first().copied()),
    };
    if values.is_empty() {
        values = columns
            .numeric
            .iter()
            .copied()
            .filter(|column| Some(*column) != along)
            .collect();
        leave_out_counts(&grid, &mut values);
        values.truncate(MOST_SERIES);
    }
    let first = *values.first()?;
    let points = wish.kind == Some(Kind::Scatter)
        || (wish.kind.is_none() && along.is_none() && values.len() > 1);
    if points {
        return scatter(&columns, along, &values, wish);
    }
    let kind = wish.kind.or_else(|| kind(&columns, along, rows.len()))?;
    if let Some(time) = along.filter(|along| Some(*along) == columns.time && kind != Kind::Bar) {
        match series::part(&grid, time, &columns.names, first) {
            Parted::Lines { labels, series } => {
                return Some(Chart {
                    kind,
                    labels,
                    series,
                    ..Chart::default()
                });
            }
            Parted::Tangled if wish.kind.is_none() => return None,
            Parted::Tangled | Parted::Single => {}
        }
    }
    if wish.kind.is_none() {
        values = alike(&grid, &values, first);
    }
    let labels = match along {
        Some(along) if wish.x.is_none() && Some(along) != columns.time => {
            let labels = telling(&grid, &columns.names);
            // Bars of one name for several rows would mislead.
            if labels.is_none() && wish.kind.is_none() {
                return None;
            }
            Some(labels.unwrap_or_else(|| joined(&grid, &[along])))
        }
        other => other.map(|along| joined(&grid, &[along])),
    };
    let series = values.iter().map(|column| Series {
        name: grid
            .columns
            .get(*column)
            .map(|column| column.title.clone())
            .unwrap_or_default(),
        values: rows
            .iter()
            .map(|row| grid.value(row, *column).as_f64())
            .collect(),
        ..Series::default()
    });
    let x_title = along
        .filter(|along| Some(*along) != columns.time && matches!(kind, Kind::Line | Kind::Area));
    Some(Chart {
        kind,
        labels: labels.unwrap_or_default(),
        series: series.collect(),
        x_title: x_title
            .and_then(|along| grid.columns.get(along))
            .map(|column| column.title.clone())
            .unwrap_or_default(),
        ..Chart::default()
    })
}

/// How often something was counted is no neighbour of what was measured.
fn leave_out_counts(grid: &Grid<'_>, values: &mut Vec<usize>) {
    let is_count = |column: usize| {
        let key = grid
            .columns
            .get(column)
            .map(|column| column.key.to_lowercase());
        key.is_some_and(|key| key == "count" || key == "n" || key.ends_with("_count"))
    };
    if values.iter().any(|column| !is_count(*column)) {
        values.retain(|column| !is_count(*column));
    }
}

/// The first names that together tell every row from the others.
fn telling(grid: &Grid<'_>, names: &[usize]) -> Option<Vec<String>> {
    (1..=names.len().min(MOST_NAMES))
        .filter_map(|count| names.get(..count))
        .map(|names| joined(grid, names))
        .find(|labels| {
            let mut seen = std::collections::HashSet::new();
            labels.iter().all(|label| seen.insert(label))
        })
}

fn joined(grid: &Grid<'_>, names: &[usize]) -> Vec<String> {
    let rows = grid.rows().iter().map(|row| {
        let parts = names.iter().map(|name| label(grid.value(row, *name)));
        parts.collect::<Vec<_>>().join(" · ")
    });
    rows.collect()
}

/// As the row has it: a date must stay one that an axis can read.
pub(super) fn label(value: &Value) -> String {
    match value {
        Value::String(text) => clean::line(text),
        other => figure::text(other),
    }
}

fn kind(columns: &Columns<'_>, along: Option<usize>, count: usize) -> Option<Kind> {
    match along {
        Some(along) if Some(along) == columns.time && count > 2 => Some(Kind::Line),
        Some(_) if (2..=MOST_BARS).contains(&count) => Some(Kind::Bar),
        None if count > 7 => Some(Kind::Histogram),
        _ => None,
    }
}

/// Series that can share an axis: none a hundred times as large as the first.
fn alike(grid: &Grid<'_>, values: &[usize], first: usize) -> Vec<usize> {
    let size = |column: usize| {
        grid.rows()
            .iter()
            .filter_map(|row| grid.value(row, column).as_f64())
            .map(f64::abs)
            .fold(0.0, f64::max)
    };
    let reference = size(first);
    let fits = |column: &usize| {
        let other = size(*column);
        other <= reference * 20.0 && reference <= other * 20.0
    };
    let alike: Vec<usize> = values.iter().copied().filter(fits).collect();
    if alike.is_empty() { vec![first] } else { alike }
}

fn scatter(
    columns: &Columns<'_>,
    along: Option<usize>,
    values: &[usize],
    wish: &Wish<'_>,
) -> Option<Chart> {
    let grid = columns.grid;
    let (x, y) = match along.filter(|along| columns.numeric.contains(along)) {
        Some(x) => (x, *values.first()?),
        None => (*values.first()?, *values.get(1)?),
    };
    let name = wish
        .label
        .and_then(|key| columns.find(key))
        .or(columns.names.first().copied());
    let outlier = wish
        .outlier
        .and_then(|key| columns.find(key))
        .or_else(|| columns.find("outlier"));
    let points = grid.rows().iter().filter_map(|row| {
        Some(Point {
            x: grid.value(row, x).as_f64()?,
            y: grid.value(row, y).as_f64()?,
            label: name
                .map(|name| label(grid.value(row, name)))
                .unwrap_or_default(),
            at: String::new(),
            outlier: outlier.is_some_and(|column| grid.value(row, column) == &Value::Bool(true)),
        })
    });
    let title = |column: usize| {
        grid.columns
            .get(column)
            .map(|column| column.title.clone())
            .unwrap_or_default()
    };
    Some(Chart {
        kind: Kind::Scatter,
        series: vec![Series {
            points: points.collect(),
            ..Series::default()
        }],
        x_title: title(x),
        y_title: title(y),
        ..Chart::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bars_are_named_by_all_that_tells_them_apart() {
        let rows = json!([
            {"product": "tent", "shop": "north", "price_count": 90, "min": 3, "max": 5},
            {"product": "tent", "shop": "south", "price_count": 91, "min": 4, "max": 6},
            {"product": "boot", "shop": "north", "price_count": 92, "min": 2, "max": 4},
        ]);
        let made = chart(rows.as_array().unwrap(), &Wish::default()).unwrap();
        let labels = ["tent · north", "tent · south", "boot · north"];
        assert_eq!(
            (made.kind, made.labels.as_slice()),
            (Kind::Bar, labels.map(str::to_owned).as_slice())
        );
        let names: Vec<&str> = made
            .series
            .iter()
            .map(|series| series.name.as_str())
            .collect();
        assert_eq!(names, ["Min", "Max"]);
    }

    #[test]
    fn no_bars_for_rows_that_nothing_names_or_too_many() {
        let same = json!([{"shop": "north", "price": 3}, {"shop": "north", "price": 4}]);
        assert!(chart(same.as_array().unwrap(), &Wish::default()).is_none());
        let many: Vec<Value> = (0..21)
            .map(|n| json!({"shop": format!("s{n}"), "price": n}))
            .collect();
        assert!(chart(&many, &Wish::default()).is_none());
        assert!(chart(&many[..20], &Wish::default()).is_some());
    }
}
