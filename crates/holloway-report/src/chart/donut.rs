//! How does a whole divide? A ring with its parts named beside it.

use super::frame::head;
use super::pen::{Hand, LABEL, Pen, VALUE};
use super::scene::{Anchor, Colour, Scene, ring};
use super::{Chart, WIDTH};
use crate::figure::{brief, plain, with_unit};

const OUTER: f64 = 96.0;
const INNER: f64 = 60.0;
const TOTAL: Hand = Hand {
    size: 24.0,
    bold: true,
    colour: Colour::Ink,
};
const ROW: f64 = 26.0;

pub(crate) fn draw(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let top = head(&mut pen, chart, &[]) + 4.0;
    let values: Vec<f64> = chart
        .series
        .iter()
        .take(1)
        .flat_map(|series| series.values.iter().copied().flatten())
        .collect();
    let sum: f64 = values.iter().sum();
    let names: Vec<String> = chart
        .labels
        .iter()
        .map(|label| pen.fitted(label, LABEL, 220.0))
        .collect();
    let widest = names
        .iter()
        .map(|name| pen.width(name, LABEL))
        .fold(40.0, f64::max);
    // The ring and its names stand together in the middle of the sheet.
    let whole = 2.0 * OUTER + 44.0 + 20.0 + widest + 120.0;
    let left = ((WIDTH - whole) / 2.0).max(8.0);
    let height = (2.0 * OUTER).max(ROW * names.len() as f64);
    let center = (left + OUTER, top + height / 2.0);
    let mut turn = 0.0;
    for (index, (value, name)) in values.iter().zip(&names).enumerate() {
        let part = if sum > 0.0 { value / sum } else { 0.0 };
        // A thin gap keeps neighbours apart without a line.
        let gap = if values.len() > 1 {
            0.003_f64.min(part / 3.0)
        } else {
            0.0
        };
        let steps = ring(center, INNER, OUTER, turn + gap, turn + part - gap);
        let note = format!("{name}: {}", with_unit(&plain(*value), &chart.unit));
        pen.path(steps, Some((Colour::Series(index), 1.0)), None, &note);
        turn += part;
        let y = center.1 + ROW * (index as f64 - names.len() as f64 / 2.0 + 0.5) + 4.0;
        let x = left + 2.0 * OUTER + 44.0;
        pen.bar((x, y - 10.0), (12.0, 12.0), 3.0, Colour::Series(index), "");
        pen.text((x + 20.0, y), Anchor::Start, LABEL, name);
        pen.text(
            (x + 20.0 + widest + 60.0, y),
            Anchor::End,
            VALUE,
            &brief(*value),
        );
        pen.text(
            (x + 20.0 + widest + 110.0, y),
            Anchor::End,
            LABEL,
            &format!("{:.0}%", part * 100.0),
        );
    }
    let total = pen.fitted(&brief(sum), TOTAL, INNER * 1.8);
    pen.text((center.0, center.1 + 4.0), Anchor::Middle, TOTAL, &total);
    let below = if chart.unit.is_empty() {
        "total"
    } else {
        &chart.unit
    };
    let below = pen.fitted(below, LABEL, INNER * 1.6);
    pen.text((center.0, center.1 + 22.0), Anchor::Middle, LABEL, &below);
    pen.finish(
        top + height + 10.0,
        chart.title.clone(),
        chart.description.clone(),
    )
}
