//! The plan as a Mermaid flowchart, for Markdown pages and issue trackers.
//! Solid arrows carry data, dotted ones only say what comes first.

use super::picture::{self, Arrow, Drawn, Shape};
use crate::dag::Dag;

/// The flowchart's text.
pub fn mermaid(dag: &Dag) -> String {
    let picture = picture::of_dag(dag);
    let mut lines = vec!["flowchart TD".to_owned()];
    picture
        .boxes
        .iter()
        .for_each(|drawn| add_box(&mut lines, drawn, 1));
    lines.extend(picture.arrows.iter().map(arrow));
    lines.push(String::new());
    lines.join("\n")
}

fn add_box(lines: &mut Vec<String>, drawn: &Drawn, depth: usize) {
    let margin = "  ".repeat(depth);
    let label = drawn
        .label
        .iter()
        .map(|line| escaped(line))
        .collect::<Vec<_>>()
        .join("<br/>");
    let name = &drawn.name;
    // A subgraph without content is drawn as nothing at all.
    if drawn.inside.is_empty() {
        let (open, close) = match drawn.shape {
            Shape::Call | Shape::Frame => ("[", "]"),
            Shape::Question => ("{{", "}}"),
            Shape::Phase => ("([", "])"),
        };
        lines.push(format!("{margin}{name}{open}\"{label}\"{close}"));
        return;
    }
    lines.push(format!("{margin}subgraph {name}[\"{label}\"]"));
    drawn
        .inside
        .iter()
        .for_each(|inner| add_box(lines, inner, depth + 1));
    lines.push(format!("{margin}end"));
}

fn arrow(arrow: &Arrow) -> String {
    let line = if arrow.data { "-->" } else { "-.->" };
    let label = arrow
        .label
        .as_ref()
        .map(|label| format!("|\"{}\"|", escaped(label)))
        .unwrap_or_default();
    format!("  {} {line}{label} {}", arrow.from, arrow.to)
}

/// Mermaid reads `#name;` and `#number;` as a character; whatever could end a label or begin Markdown is written so.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => safe.push_str("#quot;"),
            '<' => safe.push_str("#lt;"),
            '>' => safe.push_str("#gt;"),
            '&' => safe.push_str("#amp;"),
            '#' | '`' | '\\' | '*' | '_' | '~' | '[' | ']' | '{' | '}' | '(' | ')' | '|' | ';' => {
                safe.extend(format!("#{};", c as u32).chars());
            }
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
