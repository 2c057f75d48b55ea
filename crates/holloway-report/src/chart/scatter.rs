//! How do two measures go together? Points, with the outliers ringed and named.

use super::axis::{Scale, number_labels, ticks, with_zero};
use super::data::extent;
use super::frame::{EDGE, bottom_title, head, series_entries, value_axis};
use super::pen::{Hand, LABEL, Pen};
use super::scene::{Anchor, Colour, Scene};
use super::{Chart, Point, WIDTH};
use crate::figure::plain;
use crate::model::Tone;

const HEIGHT: f64 = 300.0;
const NAME: Hand = Hand {
    size: 11.0,
    bold: true,
    colour: Colour::Tone(Tone::Poor),
};
const MOST_NAMES: usize = 12;

pub(crate) fn draw(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let points = || chart.series.iter().flat_map(|series| series.points.iter());
    let mut entries = series_entries(chart);
    if points().any(|point| point.outlier) {
        entries.push((Colour::Tone(Tone::Poor), "Outlier".to_owned()));
    }
    let top = head(&mut pen, chart, &entries) + 6.0;
    let bottom = top + HEIGHT;
    let (low, high) = extent(points().map(|point| point.y)).unwrap_or((0.0, 1.0));
    let axis = value_axis(&mut pen, chart, with_zero(low, high), top, bottom);
    let (low, high) = extent(points().map(|point| point.x)).unwrap_or((0.0, 1.0));
    let (low, high) = with_zero(low, high);
    let marks = ticks(low, high, 7);
    let scale = Scale {
        low: marks.first().copied().unwrap_or(low),
        high: marks.last().copied().unwrap_or(high),
        from: axis.left,
        to: WIDTH - EDGE - 14.0,
    };
    for (mark, label) in marks.iter().zip(number_labels(&marks)) {
        let x = scale.place(*mark);
        pen.line((x, top), (x, bottom), Colour::Grid, 1.0);
        pen.text((x, bottom + 18.0), Anchor::Middle, LABEL, &label);
    }
    pen.line(
        (axis.left, bottom),
        (WIDTH - EDGE, bottom),
        Colour::Muted,
        1.0,
    );
    let many = points().count();
    let radius = if many > 200 { 3.0 } else { 4.0 };
    for (number, series) in chart.series.iter().enumerate() {
        for point in series.points.iter().filter(|point| !point.outlier) {
            let at = (scale.place(point.x), axis.scale.place(point.y));
            pen.dot(
                at,
                radius,
                Some((Colour::Series(number), 0.65)),
                None,
                &note(point),
            );
        }
    }
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for point in points().filter(|point| point.outlier) {
        let at = (scale.place(point.x), axis.scale.place(point.y));
        pen.dot(
            at,
            radius + 1.5,
            Some((Colour::Tone(Tone::Poor), 0.25)),
            Some((Colour::Tone(Tone::Poor), 1.8)),
            &note(point),
        );
        name(&mut pen, point, at, &mut taken);
    }
    let mut height = bottom + 26.0;
    if !chart.x_title.is_empty() {
        bottom_title(&mut pen, &chart.x_title, axis.left, bottom + 40.0);
        height += 22.0;
    }
    pen.finish(height, chart.title.clone(), chart.description.clone())
}

/// Beside its point, unless another name is already there.
fn name(pen: &mut Pen, point: &Point, at: (f64, f64), taken: &mut Vec<(f64, f64, f64)>) {
    if point.label.is_empty() || taken.len() >= MOST_NAMES {
        return;
    }
    let label = pen.fitted(&point.label, NAME, 150.0);
    let width = pen.width(&label, NAME);
    let leftwards = at.0 + width + 12.0 > WIDTH - EDGE;
    let start = if leftwards {
        at.0 - 10.0 - width
    } else {
        at.0 + 10.0
    };
    let free = taken
        .iter()
        .all(|(from, to, y)| start > *to || start + width < *from || (at.1 - y).abs() > 13.0);
    if free {
        let (x, anchor) = if leftwards {
            (at.0 - 10.0, Anchor::End)
        } else {
            (start, Anchor::Start)
        };
        pen.text((x, at.1 + 4.0), anchor, NAME, &label);
        taken.push((start, start + width, at.1));
    }
}

fn note(point: &Point) -> String {
    let place = format!("{}, {}", plain(point.x), plain(point.y));
    if point.label.is_empty() {
        place
    } else {
        format!("{}: {place}", point.label)
    }
}
