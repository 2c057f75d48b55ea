//! How do values run? Lines over names, numbers or time, areas when filled below.

use super::axis::{Scale, time_ticks, with_zero};
use super::data::{MOST_POINTS, all_values, extent};
use super::frame::{EDGE, bottom_title, head, label_stride, series_entries, value_axis};
use super::pen::{LABEL, Pen};
use super::scene::{Anchor, Colour, Scene, Step};
use super::{Chart, Kind, WIDTH};
use crate::figure::{plain, with_unit};
use crate::moment;

const HEIGHT: f64 = 260.0;
/// Beyond this, marks on the line would run together.
const MOST_MARKS: usize = 40;

mod apart;

/// Where each label stands: in time when all are dates, evenly otherwise.
struct Along {
    places: Vec<f64>,
    time: bool,
}

fn along(chart: &Chart) -> Along {
    let times: Option<Vec<f64>> = chart
        .labels
        .iter()
        .map(|label| moment::days(label))
        .collect();
    match times {
        Some(places) if !places.is_empty() => Along { places, time: true },
        _ => Along {
            places: (0..chart.labels.len()).map(|index| index as f64).collect(),
            time: false,
        },
    }
}

pub(crate) fn draw(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let mut entries = series_entries(chart);
    entries.extend(apart::entry(chart));
    let top = head(&mut pen, chart, &entries) + 6.0;
    let bottom = top + HEIGHT;
    let (low, high) = extent(all_values(chart)).unwrap_or((0.0, 1.0));
    let (low, high) = apart::with_room(chart, low, high);
    let range = if chart.kind == Kind::Area {
        (low.min(0.0), high.max(0.0))
    } else {
        with_zero(low, high)
    };
    let axis = value_axis(&mut pen, chart, range, top, bottom);
    let along = along(chart);
    let (first, last) = extent(along.places.iter().copied()).unwrap_or((0.0, 1.0));
    let scale = Scale {
        low: first,
        high: last,
        from: axis.left + 10.0,
        to: WIDTH - EDGE - 14.0,
    };
    bottom_labels(&mut pen, chart, &along, &scale, bottom);
    let base = axis.scale.place(0.0).clamp(top, bottom);
    for (number, _) in chart.series.iter().enumerate().rev() {
        run(&mut pen, chart, number, &along, &scale, &axis.scale, base);
    }
    apart::draw(&mut pen, chart, &along, &scale, &axis.scale, (top, bottom));
    let mut height = bottom + 26.0;
    if !chart.x_title.is_empty() {
        bottom_title(&mut pen, &chart.x_title, axis.left, bottom + 40.0);
        height += 22.0;
    }
    pen.finish(height, chart.title.clone(), chart.description.clone())
}

fn bottom_labels(pen: &mut Pen, chart: &Chart, along: &Along, scale: &Scale, bottom: f64) {
    pen.line(
        (scale.from - 10.0, bottom),
        (WIDTH - EDGE, bottom),
        Colour::Muted,
        1.0,
    );
    let marks: Vec<(f64, String)> = if along.time && along.places.len() > 1 {
        time_ticks(scale.low, scale.high, 7)
    } else {
        let labels: Vec<String> = chart
            .labels
            .iter()
            .map(|label| pen.fitted(label, LABEL, 110.0))
            .collect();
        let slot = (scale.to - scale.from) / (labels.len().max(2) - 1) as f64;
        let stride = label_stride(pen, &labels, LABEL, slot);
        labels
            .into_iter()
            .enumerate()
            .step_by(stride)
            .map(|(index, label)| (index as f64, label))
            .collect()
    };
    let mut free_from = 0.0;
    for (at, label) in marks {
        let x = scale.place(at);
        let half = pen.width(&label, LABEL) / 2.0;
        // The outermost labels are moved inwards rather than cut.
        let middle = x.clamp(half, WIDTH - half - 2.0);
        if middle - half < free_from {
            continue;
        }
        free_from = middle + half + 8.0;
        pen.line((x, bottom), (x, bottom + 4.0), Colour::Muted, 1.0);
        pen.text((middle, bottom + 18.0), Anchor::Middle, LABEL, &label);
    }
}

fn run(
    pen: &mut Pen,
    chart: &Chart,
    number: usize,
    along: &Along,
    x_scale: &Scale,
    y_scale: &Scale,
    base: f64,
) {
    let Some(series) = chart.series.get(number) else {
        return;
    };
    let colour = Colour::Series(number);
    let mut points: Vec<Placed> = series
        .values
        .iter()
        .zip(&along.places)
        .enumerate()
        .map(|(index, (value, at))| {
            (
                index,
                value.map(|value| (x_scale.place(*at), y_scale.place(value), value)),
            )
        })
        .collect();
    if along.time {
        // A line runs forward in time, in whatever order the rows came.
        points.sort_by(|one, two| {
            let place = |index: usize| along.places.get(index).copied().unwrap_or(0.0);
            place(one.0).total_cmp(&place(two.0))
        });
    }
    let points = thinned(points);
    for stretch in points.split(|(_, point)| point.is_none()) {
        let places: Vec<(f64, f64)> = stretch
            .iter()
            .filter_map(|(_, point)| point.map(|(x, y, _)| (x, y)))
            .collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            continue;
        };
        let steps: Vec<Step> = places
            .iter()
            .enumerate()
            .map(|(index, (x, y))| {
                if index == 0 {
                    Step::Move(*x, *y)
                } else {
                    Step::Line(*x, *y)
                }
            })
            .collect();
        if chart.kind == Kind::Area && places.len() > 1 {
            let mut area = steps.clone();
            area.extend([
                Step::Line(last.0, base),
                Step::Line(first.0, base),
                Step::Close,
            ]);
            pen.path(area, Some((colour, 0.22)), None, "");
        }
        if places.len() > 1 {
            pen.path(steps, None, Some((colour, 2.25)), &series.name);
        }
    }
    let known = points.iter().filter(|(_, point)| point.is_some()).count();
    let lonely = |index: usize| {
        let gap = |index: Option<usize>| {
            index
                .and_then(|index| points.get(index))
                .is_none_or(|(_, point)| point.is_none())
        };
        gap(index.checked_sub(1)) && gap(Some(index + 1))
    };
    for (order, (index, point)) in points.iter().enumerate() {
        let Some((x, y, value)) = point else { continue };
        if known <= MOST_MARKS || lonely(order) {
            let label = chart.labels.get(*index).map_or("", String::as_str);
            let note = format!("{label}: {}", with_unit(&plain(*value), &chart.unit));
            pen.dot((*x, *y), 3.2, Some((colour, 1.0)), None, &note);
        }
    }
}

type Placed = (usize, Option<(f64, f64, f64)>);

/// Of very many points, the lowest and the highest of each stretch: the shape stays.
fn thinned(points: Vec<Placed>) -> Vec<Placed> {
    if points.len() <= MOST_POINTS {
        return points;
    }
    let stretch = points.len().div_ceil(MOST_POINTS / 2);
    let mut kept = Vec::new();
    for part in points.chunks(stretch) {
        let known = || {
            part.iter()
                .filter_map(|(index, point)| point.map(|point| (*index, point)))
        };
        let low = known().min_by(|one, two| one.1.1.total_cmp(&two.1.1));
        let high = known().max_by(|one, two| one.1.1.total_cmp(&two.1.1));
        let mut both: Vec<_> = low.into_iter().chain(high).collect();
        both.sort_by(|one, two| one.1.0.total_cmp(&two.1.0));
        both.dedup_by_key(|(index, _)| *index);
        if both.is_empty() {
            kept.extend(part.first().map(|(index, _)| (*index, None)));
        }
        kept.extend(both.into_iter().map(|(index, point)| (index, Some(point))));
    }
    kept
}
