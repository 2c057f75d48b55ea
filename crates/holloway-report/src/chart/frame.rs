//! What stands around the data? Title, legend, grid and axes.

use super::axis::{Scale, number_labels, ticks};
use super::pen::{Hand, LABEL, Pen, TITLE};
use super::scene::{Anchor, Colour, Scene};
use super::{Chart, WIDTH};

/// What stays free at the sides.
pub(crate) const EDGE: f64 = 2.0;
const LEGEND_LINE: f64 = 20.0;

/// Draws title and legend; returns where the data may begin.
pub(crate) fn head(pen: &mut Pen, chart: &Chart, entries: &[(Colour, String)]) -> f64 {
    let mut y = 4.0;
    if !chart.title.is_empty() {
        y += 18.0;
        let title = pen.fitted(&chart.title, TITLE, WIDTH - 2.0 * EDGE);
        pen.text((EDGE, y), Anchor::Start, TITLE, &title);
        y += 6.0;
    }
    if entries.len() > 1 {
        y = legend(pen, entries, y + 16.0);
    }
    y + 12.0
}

fn legend(pen: &mut Pen, entries: &[(Colour, String)], mut y: f64) -> f64 {
    let mut x = EDGE;
    for (colour, name) in entries {
        let name = pen.fitted(name, LABEL, 200.0);
        let width = 16.0 + pen.width(&name, LABEL);
        if x + width > WIDTH - EDGE && x > EDGE {
            x = EDGE;
            y += LEGEND_LINE;
        }
        pen.bar((x, y - 9.0), (10.0, 10.0), 2.5, *colour, "");
        pen.text((x + 16.0, y), Anchor::Start, LABEL, &name);
        x += width + 18.0;
    }
    y
}

pub(crate) fn colour(chart: &Chart, index: usize) -> Colour {
    let severity = chart.series.get(index).and_then(|series| series.severity);
    severity.map_or(Colour::Series(index), Colour::Severity)
}

pub(crate) fn series_entries(chart: &Chart) -> Vec<(Colour, String)> {
    let named = chart.series.iter().enumerate().map(|(index, series)| {
        let name = if series.name.is_empty() {
            format!("Series {}", index + 1)
        } else {
            series.name.clone()
        };
        (colour(chart, index), name)
    });
    named.collect()
}

/// Draws the grid and the labels of a value axis on the left.
pub(crate) struct Values {
    pub(crate) scale: Scale,
    /// Where the data area begins on the left.
    pub(crate) left: f64,
}

pub(crate) fn value_axis(
    pen: &mut Pen,
    chart: &Chart,
    range: (f64, f64),
    top: f64,
    bottom: f64,
) -> Values {
    let marks = ticks(range.0, range.1, 5);
    let labels = number_labels(&marks);
    let widest = labels
        .iter()
        .map(|label| pen.width(label, LABEL))
        .fold(0.0, f64::max);
    let title = axis_title(&chart.y_title, &chart.unit);
    let left = EDGE + widest + 10.0 + if title.is_empty() { 0.0 } else { 20.0 };
    let scale = Scale {
        low: marks.first().copied().unwrap_or(range.0),
        high: marks.last().copied().unwrap_or(range.1),
        from: bottom,
        to: top,
    };
    for (mark, label) in marks.iter().zip(&labels) {
        let y = scale.place(*mark);
        pen.line((left, y), (WIDTH - EDGE, y), Colour::Grid, 1.0);
        pen.text((left - 8.0, y + 4.0), Anchor::End, LABEL, label);
    }
    if !title.is_empty() {
        let title = pen.fitted(&title, LABEL, bottom - top);
        pen.upright_text((EDGE + 10.0, f64::midpoint(top, bottom)), LABEL, &title);
    }
    Values { scale, left }
}

pub(crate) fn axis_title(title: &str, unit: &str) -> String {
    match (title, unit) {
        ("", unit) => unit.to_owned(),
        (title, "") => title.to_owned(),
        (title, unit) => format!("{title} ({unit})"),
    }
}

/// Below the axis, in the middle.
pub(crate) fn bottom_title(pen: &mut Pen, title: &str, left: f64, y: f64) {
    let title = pen.fitted(title, LABEL, WIDTH - left);
    pen.text(
        (f64::midpoint(left, WIDTH - EDGE), y),
        Anchor::Middle,
        LABEL,
        &title,
    );
}

/// Every how many labels fit beside each other?
pub(crate) fn label_stride(pen: &Pen, labels: &[String], hand: Hand, slot: f64) -> usize {
    let widest = labels
        .iter()
        .map(|label| pen.width(label, hand))
        .fold(0.0, f64::max);
    ((widest + 10.0) / slot.max(0.01)).ceil().max(1.0) as usize
}

/// A chart without values says so.
pub(crate) fn nothing(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let top = head(&mut pen, chart, &[]);
    pen.bar(
        (EDGE, top),
        (WIDTH - 2.0 * EDGE, 80.0),
        6.0,
        Colour::Track,
        "",
    );
    pen.text(
        (WIDTH / 2.0, top + 45.0),
        Anchor::Middle,
        LABEL,
        "No values to show",
    );
    pen.finish(top + 90.0, chart.title.clone(), chart.description.clone())
}
