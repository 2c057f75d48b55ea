//! How do bars stand or lie? Upright when their names fit below them, lying otherwise.

use super::axis::{Scale, number_labels, ticks};
use super::data::{all_values, extent};
use super::frame::{EDGE, axis_title, bottom_title, head, label_stride, series_entries, value_axis};
use super::pen::{LABEL, Pen, VALUE};
use super::scene::{Anchor, Colour, Scene};
use super::{Chart, WIDTH};
use crate::figure::{compact, plain, with_unit};
use crate::moment;

const HEIGHT: f64 = 250.0;

/// Bars start at zero: their length is the value.
fn range(chart: &Chart) -> (f64, f64) {
    let (low, high) = extent(all_values(chart)).unwrap_or((0.0, 1.0));
    let (low, high) = (low.min(0.0), high.max(0.0));
    if low == high { (0.0, 1.0) } else { (low, high) }
}

fn note(chart: &Chart, series: usize, index: usize, value: f64) -> String {
    let label = chart.labels.get(index).map_or("", String::as_str);
    let name = chart.series.get(series).map_or("", |series| series.name.as_str());
    let name = if name.is_empty() || chart.series.len() < 2 { String::new() } else { format!(" · {name}") };
    format!("{label}{name}: {}", with_unit(&plain(value), &chart.unit))
}

pub(crate) fn upright(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let count = chart.labels.len().max(1);
    let slot = (WIDTH - 80.0) / count as f64;
    let times = chart.labels.iter().all(|label| moment::days(label).is_some() || label.parse::<f64>().is_ok());
    let stride = label_stride(&pen, &chart.labels, LABEL, slot);
    if stride > 1 && !times {
        return lying(chart);
    }
    let top = head(&mut pen, chart, &series_entries(chart)) + 8.0;
    let bottom = top + HEIGHT;
    let axis = value_axis(&mut pen, chart, range(chart), top, bottom);
    let slot = (WIDTH - EDGE - axis.left) / count as f64;
    let many = chart.series.len().max(1) as f64;
    let group = (slot * 0.72).min(64.0 * many).max(1.0);
    let zero = axis.scale.place(0.0);
    for (number, series) in chart.series.iter().enumerate() {
        for (index, value) in series.values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let width = (group / many - if many > 1.0 { 1.5 } else { 0.0 }).max(0.8);
            let start = axis.left + slot * (index as f64 + 0.5) - group / 2.0 + group / many * number as f64;
            let y = axis.scale.place(value);
            pen.bar((start, y.min(zero)), (width, (zero - y).abs()), 2.5, Colour::Series(number), &note(chart, number, index, value));
            let shown = compact(value);
            if many < 2.0 && count <= 14 && pen.width(&shown, VALUE) < slot {
                let above = if value < 0.0 { y + 15.0 } else { y - 6.0 };
                pen.text((start + width / 2.0, above), Anchor::Middle, VALUE, &shown);
            }
        }
    }
    pen.line((axis.left, zero), (WIDTH - EDGE, zero), Colour::Muted, 1.0);
    for (index, label) in chart.labels.iter().enumerate().step_by(stride) {
        let x = axis.left + slot * (index as f64 + 0.5);
        pen.text((x, bottom + 18.0), Anchor::Middle, LABEL, label);
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
    let top = head(&mut pen, chart, &series_entries(chart));
    let many = chart.series.len().max(1) as f64;
    let bar = if many > 1.0 { 11.0 } else { 18.0 };
    let row = bar * many + if many > 1.0 { 12.0 } else { 9.0 };
    let names: Vec<String> = chart.labels.iter().map(|label| pen.fitted(label, LABEL, 210.0)).collect();
    let widest = names.iter().map(|name| pen.width(name, LABEL)).fold(20.0, f64::max);
    let left = EDGE + widest + 10.0;
    let (low, high) = range(chart);
    let marks = ticks(low, high, 5);
    let room = if many < 2.0 { 54.0 } else { EDGE + 12.0 };
    let scale = Scale {
        low: marks.first().copied().unwrap_or(low),
        high: marks.last().copied().unwrap_or(high),
        from: left,
        to: WIDTH - room,
    };
    let bottom = top + row * chart.labels.len() as f64;
    for (mark, label) in marks.iter().zip(number_labels(&marks)) {
        let x = scale.place(*mark);
        pen.line((x, top), (x, bottom), Colour::Grid, 1.0);
        pen.text((x, bottom + 18.0), Anchor::Middle, LABEL, &label);
    }
    let zero = scale.place(0.0);
    for (index, name) in names.iter().enumerate() {
        let middle = top + row * (index as f64 + 0.5);
        pen.text((left - 10.0, middle + 4.0), Anchor::End, LABEL, name);
        for (number, series) in chart.series.iter().enumerate() {
            let Some(value) = series.values.get(index).copied().flatten() else { continue };
            let y = middle - bar * many / 2.0 + bar * number as f64;
            let x = scale.place(value);
            let thickness = if many > 1.0 { bar - 1.5 } else { bar };
            pen.bar((x.min(zero), y), ((x - zero).abs(), thickness), 2.5, Colour::Series(number), &note(chart, number, index, value));
            if many < 2.0 {
                let (at, anchor) = if value < 0.0 { (x - 6.0, Anchor::End) } else { (x + 6.0, Anchor::Start) };
                let fits = value >= 0.0 || x - 60.0 > left;
                if fits {
                    pen.text((at, middle + 4.0), anchor, VALUE, &compact(value));
                }
            }
        }
    }
    pen.line((zero, top), (zero, bottom), Colour::Muted, 1.0);
    let title = axis_title(&chart.y_title, &chart.unit);
    let mut height = bottom + 26.0;
    if !title.is_empty() {
        bottom_title(&mut pen, &title, left, bottom + 38.0);
        height += 20.0;
    }
    pen.finish(height, chart.title.clone(), chart.description.clone())
}
