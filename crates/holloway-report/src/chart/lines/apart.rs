//! How are values marked that stand apart from their line? A ring where they are; one that is
//! beyond the axis stands at its edge, and its value is written beside it.

use super::Along;
use crate::chart::axis::Scale;
use crate::chart::pen::{Hand, Pen};
use crate::chart::scene::{Anchor, Colour};
use crate::chart::{Chart, Point, WIDTH};
use crate::figure::{plain, with_unit};
use crate::model::Tone;
use crate::moment;

const NAME: Hand = Hand {
    size: 11.0,
    bold: true,
    colour: Colour::Tone(Tone::Poor),
};
/// Names that stand closer would cover each other.
const APART: (f64, f64) = (70.0, 13.0);

/// What the rings are called above the chart.
pub(super) fn entry(chart: &Chart) -> Option<(Colour, String)> {
    let any = chart.series.iter().any(|series| !series.points.is_empty());
    any.then(|| (Colour::Tone(Tone::Poor), "Stands apart".to_owned()))
}

pub(super) fn draw(
    pen: &mut Pen,
    chart: &Chart,
    along: &Along,
    x_scale: &Scale,
    y_scale: &Scale,
    edges: (f64, f64),
) {
    let mut named: Vec<(f64, f64)> = Vec::new();
    for point in chart.series.iter().flat_map(|series| &series.points) {
        let Some(place) = place(chart, along, point) else {
            continue;
        };
        let x = x_scale.place(place.clamp(x_scale.low, x_scale.high));
        let inside = (edges.0 + 6.0, edges.1 - 6.0);
        let wanted = y_scale.place(point.y);
        let y = wanted.clamp(inside.0, inside.1);
        let value = with_unit(&plain(point.y), &chart.unit);
        let note = [point.label.as_str(), point.at.as_str(), &value];
        let note: Vec<&str> = note.into_iter().filter(|text| !text.is_empty()).collect();
        pen.dot(
            (x, y),
            5.0,
            Some((Colour::Tone(Tone::Poor), 0.2)),
            Some((Colour::Tone(Tone::Poor), 1.8)),
            &note.join(", "),
        );
        let free = named
            .iter()
            .all(|(other, row)| (x - other).abs() > APART.0 || (y - row).abs() > APART.1);
        if free {
            let beyond = if wanted < inside.0 {
                " ↑"
            } else if wanted > inside.1 {
                " ↓"
            } else {
                ""
            };
            let text = format!("{value}{beyond}");
            let leftwards = x + pen.width(&text, NAME) + 12.0 > WIDTH;
            let (at, anchor) = if leftwards {
                (x - 9.0, Anchor::End)
            } else {
                (x + 9.0, Anchor::Start)
            };
            pen.text((at, y + 4.0), anchor, NAME, &text);
            named.push((x, y));
        }
    }
}

fn place(chart: &Chart, along: &Along, point: &Point) -> Option<f64> {
    if along.time {
        return moment::days(&point.at);
    }
    let index = chart.labels.iter().position(|label| *label == point.at)?;
    along.places.get(index).copied()
}
