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

/// Points that say where along the line they stand.
fn marked(chart: &Chart) -> impl Iterator<Item = &Point> {
    let points = chart.series.iter().flat_map(|series| &series.points);
    points.filter(|point| !point.at.is_empty())
}

/// What the rings are called above the chart.
pub(super) fn entry(chart: &Chart) -> Option<(Colour, String)> {
    let any = marked(chart).next().is_some();
    any.then(|| (Colour::Tone(Tone::Poor), "Stands apart".to_owned()))
}

/// Room for what stands beyond the lines, so that its marks lie beside them.
pub(super) fn with_room(chart: &Chart, low: f64, high: f64) -> (f64, f64) {
    let room = (high - low) * 0.1;
    let above = marked(chart).any(|point| point.y > high);
    let below = marked(chart).any(|point| point.y < low);
    (
        if below { low - room } else { low },
        if above { high + room } else { high },
    )
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
    for point in marked(chart) {
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
            name(pen, (x, y), &format!("{value}{}", beyond(wanted, inside)));
            named.push((x, y));
        }
    }
}

/// Which way a value lies that the axis does not reach.
fn beyond(wanted: f64, inside: (f64, f64)) -> &'static str {
    if wanted < inside.0 {
        " ↑"
    } else if wanted > inside.1 {
        " ↓"
    } else {
        ""
    }
}

fn name(pen: &mut Pen, at: (f64, f64), text: &str) {
    let leftwards = at.0 + pen.width(text, NAME) + 12.0 > WIDTH;
    let (x, anchor) = if leftwards {
        (at.0 - 9.0, Anchor::End)
    } else {
        (at.0 + 9.0, Anchor::Start)
    };
    pen.text((x, at.1 + 4.0), anchor, NAME, text);
}

fn place(chart: &Chart, along: &Along, point: &Point) -> Option<f64> {
    if along.time {
        return moment::days(&point.at);
    }
    let index = chart.labels.iter().position(|label| *label == point.at)?;
    along.places.get(index).copied()
}
