//! What does a drawing consist of? Few kinds of shapes, in units of a 720 wide sheet,
//! with colours by role.

pub(crate) use crate::colour::Colour;

#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) shapes: Vec<Shape>,
}

impl Scene {
    /// What there is to see, in a sentence.
    pub fn description(&self) -> &str {
        &self.description
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Box {
        x: f64,
        y: f64,
        width: f64,
        height: f64,
        radius: f64,
        fill: Colour,
        /// What a pointer that rests here is told.
        note: String,
    },
    Line {
        from: (f64, f64),
        to: (f64, f64),
        colour: Colour,
        width: f64,
        dashed: bool,
    },
    Path {
        steps: Vec<Step>,
        fill: Option<(Colour, f64)>,
        stroke: Option<(Colour, f64)>,
        note: String,
    },
    Dot {
        x: f64,
        y: f64,
        radius: f64,
        fill: Option<(Colour, f64)>,
        stroke: Option<(Colour, f64)>,
        note: String,
    },
    Text {
        x: f64,
        y: f64,
        size: f64,
        bold: bool,
        anchor: Anchor,
        colour: Colour,
        /// Turned a quarter to the left.
        upright: bool,
        content: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Move(f64, f64),
    Line(f64, f64),
    Curve((f64, f64), (f64, f64), (f64, f64)),
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A ring segment as curves; angles in turns, clockwise from the top.
pub(crate) fn ring(center: (f64, f64), inner: f64, outer: f64, from: f64, to: f64) -> Vec<Step> {
    // A full ring would start and end in the same point and vanish.
    let to = to.min(from + 0.9999);
    let mut steps = Vec::new();
    arc(&mut steps, center, outer, from, to, true);
    arc(&mut steps, center, inner, to, from, false);
    steps.push(Step::Close);
    steps
}

fn arc(steps: &mut Vec<Step>, center: (f64, f64), radius: f64, from: f64, to: f64, start: bool) {
    let at = |turn: f64| {
        let angle = turn * std::f64::consts::TAU;
        (
            center.0 + radius * angle.sin(),
            center.1 - radius * angle.cos(),
        )
    };
    let first = at(from);
    steps.push(if start {
        Step::Move(first.0, first.1)
    } else {
        Step::Line(first.0, first.1)
    });
    let parts = ((to - from).abs() * 8.0).ceil().max(1.0);
    let part = (to - from) / parts;
    let handle = 4.0 / 3.0 * (part * std::f64::consts::TAU / 4.0).tan() * radius;
    for index in 0..parts as usize {
        let (begin, end) = (from + part * index as f64, from + part * (index + 1) as f64);
        let tangent = |turn: f64| {
            let angle = turn * std::f64::consts::TAU;
            (angle.cos() * handle, angle.sin() * handle)
        };
        let (one, two) = (at(begin), at(end));
        let (out, back) = (tangent(begin), tangent(end));
        steps.push(Step::Curve(
            (one.0 + out.0, one.1 + out.1),
            (two.0 - back.0, two.1 - back.1),
            two,
        ));
    }
}
