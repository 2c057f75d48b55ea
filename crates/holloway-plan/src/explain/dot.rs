//! The plan as a Graphviz drawing. Composite steps are clusters; an arrow to or
//! from one is tied to an unseen point inside it and cut off at its border.

use super::picture::{self, Arrow, Drawn, Picture, Shape};
use crate::dag::Dag;

/// The drawing's text, for `dot -Tsvg`.
pub fn dot(dag: &Dag) -> String {
    let picture = picture::of_dag(dag);
    let mut lines = vec![
        format!("digraph {} {{", quoted(dag.plan_id())),
        "  graph [compound=true, fontname=\"sans-serif\"];".to_owned(),
        "  node [shape=box, style=rounded, fontname=\"sans-serif\"];".to_owned(),
        "  edge [fontname=\"sans-serif\"];".to_owned(),
    ];
    picture
        .boxes
        .iter()
        .for_each(|drawn| add_box(&mut lines, drawn, 1));
    lines.extend(
        picture
            .arrows
            .iter()
            .map(|arrow| arrow_line(arrow, &picture)),
    );
    lines.push("}".to_owned());
    lines.push(String::new());
    lines.join("\n")
}

fn add_box(lines: &mut Vec<String>, drawn: &Drawn, depth: usize) {
    let margin = "  ".repeat(depth);
    let (name, label) = (&drawn.name, quoted(&drawn.label.join("\n")));
    if drawn.shape != Shape::Frame {
        let shape = match drawn.shape {
            Shape::Question => ", shape=hexagon",
            Shape::Phase => ", style=\"rounded,dashed\"",
            Shape::Call | Shape::Frame => "",
        };
        lines.push(format!("{margin}{name} [label={label}{shape}];"));
        return;
    }
    lines.push(format!("{margin}subgraph cluster_{name} {{"));
    lines.push(format!("{margin}  label={label};"));
    lines.push(format!("{margin}  {name} [shape=point, style=invis];"));
    drawn
        .inside
        .iter()
        .for_each(|inner| add_box(lines, inner, depth + 1));
    lines.push(format!("{margin}}}"));
}

fn arrow_line(arrow: &Arrow, picture: &Picture) -> String {
    let mut attributes: Vec<String> = Vec::new();
    attributes.extend((!arrow.data).then(|| "style=dotted".to_owned()));
    attributes.extend(
        arrow
            .label
            .as_ref()
            .map(|label| format!("label={}", quoted(label))),
    );
    // A cluster's arrow to itself has no border to be cut off at.
    if arrow.from != arrow.to {
        attributes.extend(
            is_frame(&picture.boxes, &arrow.from).then(|| format!("ltail=cluster_{}", arrow.from)),
        );
        attributes.extend(
            is_frame(&picture.boxes, &arrow.to).then(|| format!("lhead=cluster_{}", arrow.to)),
        );
    }
    let attributes = if attributes.is_empty() {
        String::new()
    } else {
        format!(" [{}]", attributes.join(", "))
    };
    format!("  {} -> {}{attributes};", arrow.from, arrow.to)
}

fn is_frame(boxes: &[Drawn], name: &str) -> bool {
    let is_it = |drawn: &Drawn| drawn.name == name && drawn.shape == Shape::Frame;
    boxes.iter().any(|drawn| {
        is_it(drawn) || (name.starts_with(&drawn.name) && is_frame(&drawn.inside, name))
    })
}

fn quoted(text: &str) -> String {
    let mut safe = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => safe.push_str("\\\""),
            '\\' => safe.push_str("\\\\"),
            '\n' => safe.push_str("\\n"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe.push('"');
    safe
}
