//! Which part of the data can be drawn and read? Broken numbers become gaps; what is
//! too much is left out or put together, and the title says so.

use super::{Chart, Kind, Series};
use crate::clean;

const MOST_SERIES: usize = 8;
pub(crate) const MOST_CATEGORIES: usize = 40;
pub(crate) const MOST_POINTS: usize = 2000;
const MOST_SLICES: usize = 8;

/// A copy with nothing in it that could break a drawing.
pub(crate) fn prepared(given: &Chart) -> Chart {
    let chart = given;
    let mut chart = Chart {
        kind: chart.kind,
        title: clean::line(&chart.title),
        description: clean::line(&chart.description),
        labels: chart
            .labels
            .iter()
            .take(most(chart.kind))
            .map(|label| clean::line(label))
            .collect(),
        series: chart
            .series
            .iter()
            .take(MOST_SERIES)
            .map(|series| finite(series, chart.kind))
            .collect(),
        stacked: chart.stacked && chart.series.len() > 1,
        unit: clean::shorten(&clean::line(&chart.unit), 20),
        x_title: clean::line(&chart.x_title),
        y_title: clean::line(&chart.y_title),
    };
    if chart.kind == Kind::Donut {
        gather_small_slices(&mut chart);
    }
    let longest = chart
        .series
        .iter()
        .map(|series| series.values.len())
        .max()
        .unwrap_or(0);
    for index in chart.labels.len()..longest {
        chart.labels.push((index + 1).to_string());
    }
    if chart.description.is_empty() {
        chart.description = description(&chart);
    }
    if let Some(left_out) = left_out(given) {
        chart.description = format!("{} ({left_out})", chart.description);
    }
    chart
}

/// What of the data is not drawn.
fn left_out(given: &Chart) -> Option<String> {
    let longest = |count: fn(&Series) -> usize| given.series.iter().map(count).max().unwrap_or(0);
    let values = longest(|series| series.values.len());
    let points = longest(|series| series.points.len());
    let notes = [
        (values, most(given.kind), "values"),
        (points, MOST_POINTS, "points"),
        (given.series.len(), MOST_SERIES, "series"),
    ];
    let notes: Vec<String> = notes
        .into_iter()
        .filter(|(all, most, _)| all > most)
        .map(|(all, most, what)| format!("the first {most} of {all} {what}"))
        .collect();
    (!notes.is_empty()).then(|| notes.join(", "))
}

fn most(kind: Kind) -> usize {
    match kind {
        Kind::Bar | Kind::HorizontalBar | Kind::Gauge => MOST_CATEGORIES,
        Kind::Donut => 1000,
        _ => usize::MAX,
    }
}

fn finite(series: &Series, kind: Kind) -> Series {
    let keep = |value: &Option<f64>| value.filter(|value| value.is_finite() && value.abs() < 1e100);
    let usable = |value: f64| value.is_finite() && value.abs() < 1e100;
    let points = series
        .points
        .iter()
        .filter(|point| usable(point.x) && usable(point.y));
    Series {
        name: clean::line(&series.name),
        severity: series.severity,
        values: series.values.iter().take(most(kind)).map(keep).collect(),
        points: points.take(MOST_POINTS).cloned().collect(),
    }
}

/// More than a few slices cannot be told apart.
fn gather_small_slices(chart: &mut Chart) {
    let Some(series) = chart.series.first_mut() else {
        return;
    };
    let mut slices: Vec<(String, f64)> = series
        .values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| {
            let label = chart
                .labels
                .get(index)
                .cloned()
                .unwrap_or_else(|| (index + 1).to_string());
            value
                .filter(|value| *value > 0.0)
                .map(|value| (label, value))
        })
        .collect();
    if slices.len() > MOST_SLICES {
        slices.sort_by(|one, two| two.1.total_cmp(&one.1));
        let rest = slices.split_off(MOST_SLICES - 1);
        let sum = rest.iter().map(|(_, value)| value).sum();
        slices.push((format!("Other ({})", rest.len()), sum));
    }
    chart.labels = slices.iter().map(|(label, _)| label.clone()).collect();
    series.values = slices.into_iter().map(|(_, value)| Some(value)).collect();
}

pub(crate) fn is_empty(chart: &Chart) -> bool {
    let value = chart
        .series
        .iter()
        .any(|series| series.values.iter().any(Option::is_some));
    let point = chart.series.iter().any(|series| !series.points.is_empty());
    if chart.kind == Kind::Scatter {
        !point
    } else {
        !value
    }
}

/// Smallest and largest of the values.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((f64::min(low, value), f64::max(high, value))),
    })
}

pub(crate) fn all_values(chart: &Chart) -> impl Iterator<Item = f64> {
    chart
        .series
        .iter()
        .flat_map(|series| series.values.iter().filter_map(|value| *value))
}

fn description(chart: &Chart) -> String {
    let kind = match chart.kind {
        Kind::Bar | Kind::HorizontalBar => "Bar chart",
        Kind::Line => "Line chart",
        Kind::Area => "Area chart",
        Kind::Scatter => "Scatter chart",
        Kind::Histogram => "Histogram",
        Kind::Donut => "Donut chart",
        Kind::Gauge => "Gauges",
    };
    let values: Vec<f64> = if chart.kind == Kind::Scatter {
        chart
            .series
            .iter()
            .flat_map(|series| series.points.iter().map(|point| point.y))
            .collect()
    } else {
        all_values(chart).collect()
    };
    let Some((low, high)) = extent(values.iter().copied()) else {
        return format!("{kind} without values");
    };
    let names: Vec<&str> = chart
        .series
        .iter()
        .map(|series| series.name.as_str())
        .filter(|name| !name.is_empty())
        .collect();
    let of = if names.is_empty() {
        String::new()
    } else {
        format!(" of {}", names.join(", "))
    };
    format!(
        "{kind}{of}: {} values from {} to {}",
        values.len(),
        crate::figure::with_unit(&crate::figure::plain(low), &chart.unit),
        crate::figure::with_unit(&crate::figure::plain(high), &chart.unit)
    )
}
