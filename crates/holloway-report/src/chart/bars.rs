//! How do bars stand or lie? Upright when their names fit below them, lying otherwise;
//! side by side, or on top of each other.

use super::axis::{Scale, number_labels, ticks};
use super::data::{all_values, extent};
use super::frame::{
    EDGE, axis_title, bottom_title, colour, head, label_stride, series_entries, value_axis,
};
use super::pen::{LABEL, Pen, VALUE};
use super::scene::{Anchor, Colour, Scene};
use super::{Chart, WIDTH};
use crate::figure::{brief, plain, with_unit};
use crate::moment;

const HEIGHT: f64 = 250.0;

/// One bar: which label, which lane beside its neighbours, from where to where.
struct Bar {
    label: usize,
    lane: usize,
    series: usize,
    from: f64,
    to: f64,
    value: f64,
}

/// Stacked bars start where the one before ended; losses go down from zero.
fn bars(chart: &Chart) -> Vec<Bar> {
    let mut bars = Vec::new();
    for label in 0..chart.labels.len() {
        let (mut above, mut below) = (0.0, 0.0);
        for (series, values) in chart.series.iter().enumerate() {
            let Some(value) = values.values.get(label).copied().flatten() else {
                continue;
            };
            if chart.stacked {
                let end = if value < 0.0 { &mut below } else { &mut above };
                bars.push(Bar {
                    label,
                    lane: 0,
                    series,
                    from: *end,
                    to: *end + value,
                    value,
                });
                *end += value;
            } else {
                bars.push(Bar {
                    label,
                    lane: series,
                    series,
                    from: 0.0,
                    to: value,
                    value,
                });
            }
        }
    }
    bars
}

fn lanes(chart: &Chart) -> f64 {
    if chart.stacked {
        1.0
    } else {
        chart.series.len().max(1) as f64
    }
}

/// Bars start at zero: their length is the value.
fn range(chart: &Chart, bars: &[Bar]) -> (f64, f64) {
    let ends = bars
        .iter()
        .map(|bar| bar.to)
        .chain(all_values(chart).take(1).map(|_| 0.0));
    let (low, high) = extent(ends).unwrap_or((0.0, 1.0));
    if low >= high { (0.0, 1.0) } else { (low, high) }
}

fn note(chart: &Chart, bar: &Bar) -> String {
    let label = chart.labels.get(bar.label).map_or("", String::as_str);
    let name = chart
        .series
        .get(bar.series)
        .map_or("", |series| series.name.as_str());
    let name = if name.is_empty() || chart.series.len() < 2 {
        String::new()
    } else {
        format!(" · {name}")
    };
    format!(
        "{label}{name}: {}",
        with_unit(&plain(bar.value), &chart.unit)
    )
}

pub(crate) fn upright(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let count = chart.labels.len().max(1);
    let times = chart
        .labels
        .iter()
        .all(|label| moment::days(label).is_some() || label.parse::<f64>().is_ok());
    let stride = label_stride(&pen, &chart.labels, LABEL, (WIDTH - 80.0) / count as f64);
    if stride > 1 && !times {
        return lying(chart);
    }
    let bars = bars(chart);
    let top = head(&mut pen, chart, &series_entries(chart)) + 8.0;
    let bottom = top + HEIGHT;
    let axis = value_axis(&mut pen, chart, range(chart, &bars), top, bottom);
    let slot = (WIDTH - EDGE - axis.left) / count as f64;
    let lanes = lanes(chart);
    let group = (slot * 0.72).min(64.0 * lanes).max(1.0);
    let width = (group / lanes - if lanes > 1.0 { 1.5 } else { 0.0 }).max(0.8);
    let alone = chart.series.len() < 2 && count <= 14;
    for bar in &bars {
        let x = axis.left + slot * (bar.label as f64 + 0.5) - group / 2.0
            + group / lanes * bar.lane as f64;
        let (from, to) = (axis.scale.place(bar.from), axis.scale.place(bar.to));
        let gap = if chart.stacked { 1.0 } else { 0.0 };
        pen.bar(
            (x, from.min(to)),
            (width, ((from - to).abs() - gap).max(0.0)),
            2.5,
            colour(chart, bar.series),
            &note(chart, bar),
        );
        let shown = brief(bar.value);
        if alone && pen.width(&shown, VALUE) < slot {
            let y = if bar.value < 0.0 { to + 15.0 } else { to - 6.0 };
            pen.text((x + width / 2.0, y), Anchor::Middle, VALUE, &shown);
        }
    }
    let zero = axis.scale.place(0.0);
    pen.line((axis.left, zero), (WIDTH - EDGE, zero), Colour::Muted, 1.0);
    let mut free_from = 0.0;
    for (index, label) in chart.labels.iter().enumerate().step_by(stride) {
        let half = pen.width(label, LABEL) / 2.0;
        // The outermost label is moved inwards rather than cut.
        let x = (axis.left + slot * (index as f64 + 0.5)).min(WIDTH - half - 2.0);
        if x - half >= free_from {
            free_from = x + half + 6.0;
            pen.text((x, bottom + 18.0), Anchor::Middle, LABEL, label);
        }
    }
    let mut height = bottom + 26.0;
    if !chart.x_title.is_empty() {
        bottom_title(&mut pen, &chart.x_title, axis.left, bottom + 40.0);
        height += 22.0;
    }
    pen.finish(height, chart.title.clone(), chart.description.clone())
}

pub(crate) fn lying(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let bars = bars(chart);
    let top = head(&mut pen, chart, &series_entries(chart));
    let lanes = lanes(chart);
    let thick = if lanes > 1.0 { 11.0 } else { 18.0 };
    let row = thick * lanes + if lanes > 1.0 { 12.0 } else { 9.0 };
    let names: Vec<String> = chart
        .labels
        .iter()
        .map(|label| pen.fitted(label, LABEL, 210.0))
        .collect();
    let widest = names
        .iter()
        .map(|name| pen.width(name, LABEL))
        .fold(20.0, f64::max);
    let left = EDGE + widest + 10.0;
    let (low, high) = range(chart, &bars);
    let marks = ticks(low, high, 5);
    let alone = chart.series.len() < 2;
    let scale = Scale {
        low: marks.first().copied().unwrap_or(low),
        high: marks.last().copied().unwrap_or(high),
        from: left + 8.0,
        to: WIDTH - if alone { 54.0 } else { 22.0 },
    };
    let bottom = top + row * chart.labels.len() as f64;
    for (mark, label) in marks.iter().zip(number_labels(&marks)) {
        let x = scale.place(*mark);
        pen.line((x, top), (x, bottom), Colour::Grid, 1.0);
        pen.text((x, bottom + 18.0), Anchor::Middle, LABEL, &label);
    }
    for (index, name) in names.iter().enumerate() {
        pen.text(
            (left - 6.0, top + row * (index as f64 + 0.5) + 4.0),
            Anchor::End,
            LABEL,
            name,
        );
    }
    for bar in &bars {
        let middle = top + row * (bar.label as f64 + 0.5);
        let y = middle - thick * lanes / 2.0 + thick * bar.lane as f64;
        let (from, to) = (scale.place(bar.from), scale.place(bar.to));
        let gap = if chart.stacked { 1.0 } else { 0.0 };
        let thickness = if lanes > 1.0 { thick - 1.5 } else { thick };
        pen.bar(
            (from.min(to), y),
            (((to - from).abs() - gap).max(0.0), thickness),
            2.5,
            colour(chart, bar.series),
            &note(chart, bar),
        );
        let shown = brief(bar.value);
        if alone && bar.value >= 0.0 {
            pen.text((to + 6.0, middle + 4.0), Anchor::Start, VALUE, &shown);
        } else if alone && to - pen.width(&shown, VALUE) - 8.0 > left {
            pen.text((to - 6.0, middle + 4.0), Anchor::End, VALUE, &shown);
        }
    }
    let zero = scale.place(0.0);
    pen.line((zero, top), (zero, bottom), Colour::Muted, 1.0);
    let title = axis_title(&chart.y_title, &chart.unit);
    let mut height = bottom + 26.0;
    if !title.is_empty() {
        bottom_title(&mut pen, &title, left, bottom + 38.0);
        height += 20.0;
    }
    pen.finish(height, chart.title.clone(), chart.description.clone())
}
