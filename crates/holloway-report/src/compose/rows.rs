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
const MOST_BARS: usize = 40;

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
            .take(MOST_SERIES)
            .collect();
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
    let labels = along.map(|along| {
        rows.iter()
            .map(|row| label(grid.value(row, along)))
            .collect()
    });
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
