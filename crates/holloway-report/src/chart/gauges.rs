//! How good is it, from 0 to 100? A dial for each score; bars when there are many.

use super::frame::{EDGE, head};
use super::pen::{Hand, LABEL, Pen, VALUE};
use super::scene::{Anchor, Colour, Scene, ring};
use super::{Chart, WIDTH};
use crate::figure::plain;
use crate::model::{Score, Tone};

const RADIUS: f64 = 54.0;
const THICKNESS: f64 = 11.0;
const NUMBER: Hand = Hand {
    size: 30.0,
    bold: true,
    colour: Colour::Ink,
};
const NAME: Hand = Hand {
    size: 13.0,
    bold: true,
    colour: Colour::Ink,
};
const NOTE: Hand = Hand {
    size: 11.0,
    bold: false,
    colour: Colour::Muted,
};
/// The dial is open below: three quarters of a turn.
const FROM: f64 = -0.375;
const SPAN: f64 = 0.75;
const MOST_DIALS: usize = 8;

pub(crate) fn draw(chart: &Chart) -> Scene {
    let values = chart
        .series
        .iter()
        .take(1)
        .flat_map(|series| series.values.iter());
    let scores: Vec<Score> = chart
        .labels
        .iter()
        .zip(values)
        .filter_map(|(name, value)| {
            Some(Score {
                name: name.clone(),
                value: Some((*value)?),
                note: String::new(),
            })
        })
        .collect();
    let mut pen = Pen::new();
    let top = head(&mut pen, chart, &[]);
    let height = if scores.len() > MOST_DIALS {
        bars(&mut pen, &scores, top)
    } else {
        dials(&mut pen, &scores, top)
    };
    pen.finish(height, chart.title.clone(), chart.description.clone())
}

/// The dials of a `scores` block.
pub(crate) fn gauges(scores: &[Score]) -> Scene {
    let mut pen = Pen::new();
    let height = if scores.len() > MOST_DIALS {
        bars(&mut pen, scores, 4.0)
    } else {
        dials(&mut pen, scores, 4.0)
    };
    pen.finish(height, "Scores".to_owned(), described(scores))
}

fn described(scores: &[Score]) -> String {
    let each = scores.iter().take(40).map(|score| match score.value {
        Some(_) => format!("{} {}", score.name, rounded(score.value)),
        None => format!("{} not checked", score.name),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn rounded(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| plain(bounded(value).round()))
}

/// What is said about a dial or bar.
fn told(score: &Score) -> String {
    match score.value {
        Some(_) => format!("{}: {} of 100", score.name, rounded(score.value)),
        None => format!("{}: not checked", score.name),
    }
}

fn bounded(value: f64) -> f64 {
    if value.is_finite() {
        value.clamp(0.0, 100.0)
    } else {
        0.0
    }
}

fn dials(pen: &mut Pen, scores: &[Score], top: f64) -> f64 {
    let per_row = match scores.len() {
        0..=5 => scores.len().max(1),
        6 => 3,
        _ => 4,
    };
    let noted = scores.iter().any(|score| !score.note.is_empty());
    let several = if scores.len() > per_row { 14.0 } else { 0.0 };
    let row = 2.0 * RADIUS + several + if noted { 42.0 } else { 26.0 };
    for (row_index, scores) in scores.chunks(per_row).enumerate() {
        let slot = (WIDTH / per_row as f64).min(200.0);
        let start = (WIDTH - slot * scores.len() as f64) / 2.0;
        for (index, score) in scores.iter().enumerate() {
            let center = (
                start + slot * (index as f64 + 0.5),
                top + RADIUS + 2.0 + row * row_index as f64,
            );
            dial(pen, score, center, slot - 12.0);
        }
    }
    top + row * scores.len().div_ceil(per_row) as f64
}

fn dial(pen: &mut Pen, score: &Score, center: (f64, f64), room: f64) {
    let value = bounded(score.value.unwrap_or_default());
    let tone = Colour::Tone(Tone::of_score(value));
    let inner = RADIUS - THICKNESS;
    pen.path(
        ring(center, inner, RADIUS, FROM, FROM + SPAN),
        Some((Colour::Track, 1.0)),
        None,
        "",
    );
    if value > 0.0 {
        let note = told(score);
        pen.path(
            ring(center, inner, RADIUS, FROM, FROM + SPAN * value / 100.0),
            Some((tone, 1.0)),
            None,
            &note,
        );
    }
    pen.text(
        (center.0, center.1 + 11.0),
        Anchor::Middle,
        NUMBER,
        &rounded(score.value),
    );
    let name = pen.fitted(&score.name, NAME, room);
    pen.text(
        (center.0, center.1 + RADIUS + 12.0),
        Anchor::Middle,
        NAME,
        &name,
    );
    if !score.note.is_empty() {
        let note = pen.fitted(&score.note, NOTE, room);
        pen.text(
            (center.0, center.1 + RADIUS + 28.0),
            Anchor::Middle,
            NOTE,
            &note,
        );
    }
}

fn bars(pen: &mut Pen, scores: &[Score], top: f64) -> f64 {
    let row = 28.0;
    let shown = scores.len().min(super::data::MOST_CATEGORIES);
    let names: Vec<String> = scores
        .iter()
        .take(shown)
        .map(|score| pen.fitted(&score.name, LABEL, 220.0))
        .collect();
    let left = EDGE
        + names
            .iter()
            .map(|name| pen.width(name, LABEL))
            .fold(40.0, f64::max)
        + 12.0;
    let right = WIDTH - EDGE - 40.0;
    for (index, (score, name)) in scores.iter().zip(&names).enumerate() {
        let middle = top + row * (index as f64 + 0.5);
        let value = bounded(score.value.unwrap_or_default());
        pen.text((left - 12.0, middle + 4.0), Anchor::End, LABEL, name);
        pen.bar(
            (left, middle - 6.0),
            (right - left, 12.0),
            6.0,
            Colour::Track,
            "",
        );
        let note = told(score);
        if value > 0.0 {
            pen.bar(
                (left, middle - 6.0),
                (((right - left) * value / 100.0).max(6.0), 12.0),
                6.0,
                Colour::Tone(Tone::of_score(value)),
                &note,
            );
        }
        pen.text(
            (right + 36.0, middle + 4.0),
            Anchor::End,
            VALUE,
            &rounded(score.value),
        );
    }
    top + row * shown as f64 + 4.0
}
