//! Does every chart stay within its sheet, whatever the data?

use super::scene::{Anchor, Shape};
use super::*;
use crate::font::{Fonts, Style};

const KINDS: [Kind; 8] = [
    Kind::Bar,
    Kind::HorizontalBar,
    Kind::Line,
    Kind::Area,
    Kind::Scatter,
    Kind::Histogram,
    Kind::Donut,
    Kind::Gauge,
];

fn chart(kind: Kind, count: usize, series: usize, label: impl Fn(usize) -> String) -> Chart {
    let wave = |index: usize, number: usize| {
        ((index * 7 + number * 13) % 101) as f64 - if number == 2 { 50.0 } else { 0.0 }
    };
    Chart {
        kind,
        title: "A title that is rather long, so that it has to be cut somewhere near the right edge of the sheet, surely".to_owned(),
        labels: (0..count).map(&label).collect(),
        series: (0..series)
            .map(|number| Series {
                name: format!("Series with a name {number}"),
                severity: None,
                values: (0..count).map(|index| (index % 11 != 5).then(|| wave(index, number))).collect(),
                points: (0..count)
                    .map(|index| Point { x: index as f64, y: wave(index, number), label: label(index), at: if index % 9 == 0 { label(index) } else { String::new() }, outlier: index % 9 == 0 })
                    .collect(),
            })
            .collect(),
        ..Chart::default()
    }
}

/// The boxes that the texts of a scene take.
fn texts(scene: &Scene) -> Vec<(f64, f64, f64, f64, String)> {
    let fonts = Fonts::new();
    let boxes = scene.shapes.iter().filter_map(|shape| match shape {
        Shape::Text {
            x,
            y,
            size,
            bold,
            anchor,
            upright: false,
            content,
            ..
        } => {
            let style = if *bold { Style::Bold } else { Style::Regular };
            let width = f64::from(fonts.width(style, content)) * size;
            let left = match anchor {
                Anchor::Start => *x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            Some((left, y - size * 0.75, left + width, *y, content.clone()))
        }
        _ => None,
    });
    boxes.collect()
}

#[test]
fn labels_stay_on_the_sheet_and_do_not_overlap() {
    let names: [fn(usize) -> String; 3] = [
        |index| format!("Category {index}"),
        |index| format!("2024-{:02}-{:02}", index / 28 % 12 + 1, index % 28 + 1),
        |index| format!("A very long category name that goes on and on, number {index}"),
    ];
    for kind in KINDS {
        for count in [1, 2, 7, 25, 40, 400] {
            for series in [1, 3] {
                for name in names {
                    let scene = chart(kind, count, series, name).scene();
                    let texts = texts(&scene);
                    let what = format!("{kind:?} {count} {series} {}", name(0));
                    for (index, one) in texts.iter().enumerate() {
                        let inside = one.0 >= -0.5
                            && one.2 <= scene.width + 0.5
                            && one.1 >= -0.5
                            && one.3 <= scene.height + 0.5;
                        assert!(inside, "{what}: `{}` leaves the sheet: {one:?}", one.4);
                        for two in texts.iter().skip(index + 1) {
                            let apart = one.2 <= two.0
                                || two.2 <= one.0
                                || one.3 <= two.1
                                || two.3 <= one.1;
                            assert!(apart, "{what}: {one:?} over {two:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn broken_data_draws_something() {
    for kind in KINDS {
        for values in [
            vec![],
            vec![None],
            vec![Some(f64::NAN), Some(f64::INFINITY)],
            vec![Some(0.0)],
            vec![Some(1e99), Some(-1e99)],
            vec![Some(-5.0); 3],
        ] {
            let points = values
                .iter()
                .flatten()
                .map(|value| Point {
                    x: *value,
                    y: *value,
                    ..Point::default()
                })
                .collect();
            let chart = Chart {
                kind,
                series: vec![Series {
                    values,
                    points,
                    ..Series::default()
                }],
                ..Chart::default()
            };
            let svg = chart.svg();
            assert!(
                !svg.contains("NaN") && !svg.contains("inf"),
                "{kind:?}: {svg}"
            );
        }
    }
}

#[test]
fn a_hostile_title_stays_text() {
    let chart = Chart {
        title: "</title><script>alert(1)</script>".to_owned(),
        ..chart(Kind::Donut, 3, 1, |index| format!("<b>{index}\"'&"))
    };
    let svg = chart.svg();
    assert!(!svg.contains("<script") && !svg.contains("<b>"));
    assert!(svg.contains("role=\"img\"") && svg.contains("<desc"));
}

#[test]
fn many_points_are_thinned_without_losing_the_peak() {
    let mut chart = chart(Kind::Line, 50_000, 1, |index| index.to_string());
    if let Some(value) = chart.series[0].values.get_mut(33_333) {
        *value = Some(10_000.0);
    }
    let svg = chart.svg();
    assert!(svg.len() < 100_000, "{}", svg.len());
    assert!(svg.contains(">10k<"));
}

#[test]
fn what_is_not_drawn_is_said() {
    let chart = Chart {
        series: vec![Series {
            values: vec![Some(1.0); 200],
            ..Series::default()
        }],
        ..Chart::default()
    };
    assert_eq!(
        chart.scene().description(),
        "Bar chart: 40 values from 1 to 1 (the first 40 of 200 values)"
    );
}
