//! How are values spread? Counted in classes of equal, round width.

use super::axis::{Scale, ticks};
use super::data::{all_values, extent};
use super::frame::{EDGE, axis_title, bottom_title, head, value_axis};
use super::pen::{LABEL, Pen};
use super::scene::{Anchor, Colour, Scene};
use super::{Chart, WIDTH};
use crate::figure::compact;

const HEIGHT: f64 = 250.0;

/// Bounds of the classes, and how many values each has.
pub(crate) fn classes(values: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let (low, high) = extent(values.iter().copied()).unwrap_or((0.0, 1.0));
    // Sturges' rule, a little finer: it is the usual first look.
    let wanted = ((values.len().max(1) as f64).log2() * 1.6 + 1.0).clamp(4.0, 24.0);
    let bounds = ticks(low, high, wanted as usize);
    let mut counts = vec![0; bounds.len().saturating_sub(1)];
    for value in values {
        let class = bounds
            .partition_point(|bound| bound <= value)
            .saturating_sub(1);
        let last = counts.len().saturating_sub(1);
        if let Some(count) = counts.get_mut(class.min(last)) {
            *count += 1;
        }
    }
    (bounds, counts)
}

pub(crate) fn draw(chart: &Chart) -> Scene {
    let mut pen = Pen::new();
    let values: Vec<f64> = all_values(chart).collect();
    let (bounds, counts) = classes(&values);
    let counted = Chart {
        unit: String::new(),
        y_title: if chart.y_title.is_empty() {
            "Count".to_owned()
        } else {
            chart.y_title.clone()
        },
        ..chart.clone()
    };
    let top = head(&mut pen, chart, &[]) + 6.0;
    let bottom = top + HEIGHT;
    let most = counts.iter().copied().max().unwrap_or(1) as f64;
    let axis = value_axis(&mut pen, &counted, (0.0, most), top, bottom);
    let scale = Scale {
        low: bounds.first().copied().unwrap_or(0.0),
        high: bounds.last().copied().unwrap_or(1.0),
        from: axis.left + 6.0,
        to: WIDTH - EDGE - 14.0,
    };
    for (pair, count) in bounds.windows(2).zip(&counts) {
        let [from, to] = pair else { continue };
        let (left, right) = (scale.place(*from), scale.place(*to));
        let y = axis.scale.place(*count as f64);
        let note = format!("{} to {}: {count}", compact(*from), compact(*to));
        pen.bar(
            (left + 1.0, y),
            (right - left - 2.0, bottom - y),
            2.0,
            Colour::Series(0),
            &note,
        );
    }
    pen.line(
        (axis.left, bottom),
        (WIDTH - EDGE, bottom),
        Colour::Muted,
        1.0,
    );
    let labels: Vec<String> = bounds.iter().map(|bound| compact(*bound)).collect();
    let slot = (scale.to - scale.from) / counts.len().max(1) as f64;
    let stride = super::frame::label_stride(&pen, &labels, LABEL, slot);
    for (bound, label) in bounds.iter().zip(&labels).step_by(stride) {
        pen.text(
            (scale.place(*bound), bottom + 18.0),
            Anchor::Middle,
            LABEL,
            label,
        );
    }
    let title = axis_title(&chart.x_title, &chart.unit);
    let mut height = bottom + 26.0;
    if !title.is_empty() {
        bottom_title(&mut pen, &title, axis.left, bottom + 40.0);
        height += 22.0;
    }
    pen.finish(height, chart.title.clone(), chart.description.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_counted_once() {
        for values in [
            vec![1.0],
            vec![3.0; 10],
            (0..100).map(f64::from).collect(),
            vec![-1.5, 0.0, 1e6],
        ] {
            let (bounds, counts) = classes(&values);
            assert_eq!(counts.iter().sum::<usize>(), values.len());
            assert_eq!(bounds.len(), counts.len() + 1);
        }
    }
}
