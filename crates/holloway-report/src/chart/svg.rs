//! How does a scene become SVG? As a file of its own with neutral colours, or inline
//! with classes whose colours the page chooses.

use std::fmt::Write as _;

use super::scene::{Anchor, Colour, Scene, Shape, Step};
use crate::clean::escape;
use crate::colour::hex;

const FAMILY: &str =
    "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

pub(crate) fn file(scene: &Scene) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&inline(scene, "chart"));
    out
}

/// `id` must differ between the drawings of one page.
pub(crate) fn inline(scene: &Scene, id: &str) -> String {
    let mut out = String::new();
    let (width, height) = (number(scene.width), number(scene.height));
    // Writing to a String cannot fail.
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" font-family=\"{FAMILY}\">\n<title id=\"{id}-t\">{}</title>\n<desc id=\"{id}-d\">{}</desc>\n",
        escape(if scene.title.is_empty() { &scene.description } else { &scene.title }),
        escape(&scene.description),
    )
    .ok();
    for shape in &scene.shapes {
        shape_into(&mut out, shape);
    }
    out.push_str("</svg>\n");
    out
}

fn number(value: f64) -> String {
    let text = format!("{:.2}", if value.is_finite() { value } else { 0.0 });
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

fn paint(attribute: &str, colour: Colour) -> String {
    let value = hex(colour.anywhere());
    match colour.class() {
        Some(class) => {
            // Faint on any background, where the page does not choose a colour.
            let faint = match colour {
                Colour::Grid | Colour::Track => format!(" {attribute}-opacity=\"0.3\""),
                _ => String::new(),
            };
            format!("{attribute}=\"{value}\" class=\"{attribute}-{class}\"{faint}")
        }
        None => format!("{attribute}=\"{value}\""),
    }
}

fn painted(fill: Option<(Colour, f64)>, stroke: Option<(Colour, f64)>) -> String {
    let mut attributes = match fill {
        Some((colour, opacity)) if opacity < 1.0 => {
            format!(
                "{} fill-opacity=\"{}\"",
                paint("fill", colour),
                number(opacity)
            )
        }
        Some((colour, _)) => paint("fill", colour),
        None => "fill=\"none\"".to_owned(),
    };
    if let Some((colour, width)) = stroke {
        // Two classes cannot stand in two attributes: a stroke over a fill names its value.
        let stroke = if fill.is_some() {
            format!("stroke=\"{}\"", hex(colour.anywhere()))
        } else {
            paint("stroke", colour)
        };
        write!(
            attributes,
            " {stroke} stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"",
            number(width)
        )
        .ok();
    }
    attributes
}

fn closing(name: &str, note: &str) -> String {
    if note.is_empty() {
        "/>\n".to_owned()
    } else {
        format!("><title>{}</title></{name}>\n", escape(note))
    }
}

fn shape_into(out: &mut String, shape: &Shape) {
    let text = match shape {
        Shape::Box {
            x,
            y,
            width,
            height,
            radius,
            fill,
            note,
        } => format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" {}{}",
            number(*x),
            number(*y),
            number(width.max(0.0)),
            number(height.max(0.0)),
            number(*radius),
            paint("fill", *fill),
            closing("rect", note)
        ),
        Shape::Line {
            from,
            to,
            colour,
            width,
            dashed,
        } => format!(
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {} stroke-width=\"{}\"{}/>\n",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1),
            paint("stroke", *colour),
            number(*width),
            if *dashed {
                " stroke-dasharray=\"4 3\""
            } else {
                ""
            }
        ),
        Shape::Path {
            steps,
            fill,
            stroke,
            note,
        } => {
            format!(
                "<path d=\"{}\" {}{}",
                outline(steps),
                painted(*fill, *stroke),
                closing("path", note)
            )
        }
        Shape::Dot {
            x,
            y,
            radius,
            fill,
            stroke,
            note,
        } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}{}",
            number(*x),
            number(*y),
            number(*radius),
            painted(*fill, *stroke),
            closing("circle", note)
        ),
        Shape::Text {
            x,
            y,
            size,
            bold,
            anchor,
            colour,
            upright,
            content,
        } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let turn = if *upright {
                format!(" transform=\"rotate(-90 {} {})\"", number(*x), number(*y))
            } else {
                String::new()
            };
            format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}{anchor}{turn} {}>{}</text>\n",
                number(*x),
                number(*y),
                number(*size),
                if *bold { " font-weight=\"600\"" } else { "" },
                paint("fill", *colour),
                escape(content)
            )
        }
    };
    out.push_str(&text);
}

fn outline(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Move(x, y) => write!(path, "M{} {}", number(*x), number(*y)),
            Step::Line(x, y) => write!(path, "L{} {}", number(*x), number(*y)),
            Step::Curve(one, two, end) => write!(
                path,
                "C{} {} {} {} {} {}",
                number(one.0),
                number(one.1),
                number(two.0),
                number(two.1),
                number(end.0),
                number(end.1)
            ),
            Step::Close => write!(path, "Z"),
        }
        .ok();
    }
    path
}
