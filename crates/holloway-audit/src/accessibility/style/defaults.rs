//! How does a browser show an element that nobody styled? The part of the browser's own
//! style sheet that checks ask about, and attributes that act as style.

use cssparser::Parser;

use super::cascade::digest;
use super::color::{self, Color, Paint};
use super::computed::Style;
use super::value::{Display, Position};
use crate::accessibility::tree::Tree;

const FIELD_SIZE: f32 = 13.333_333;

pub(crate) fn style(tree: &Tree, index: usize, around: &Style) -> Style {
    let mut style = Style::inherited(around);
    let tag = tree.tag(index);
    style.display = display(tag);
    text(tag, &mut style, around);
    controls(tree, index, tag, &mut style);
    attributes(tree, index, tag, &mut style);
    style
}

fn display(tag: &str) -> Display {
    match tag {
        "html" | "body" | "address" | "article" | "aside" | "blockquote" | "center" | "dd"
        | "details" | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption"
        | "figure" | "footer" | "form" | "frame" | "frameset" | "h1" | "h2" | "h3" | "h4"
        | "h5" | "h6" | "header" | "hgroup" | "hr" | "legend" | "li" | "main" | "menu" | "nav"
        | "ol" | "optgroup" | "option" | "p" | "pre" | "search" | "section" | "summary"
        | "table" | "ul" | "marquee" => Display::Block,
        "caption" | "col" | "colgroup" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr" => {
            Display::Part
        }
        "button" | "input" | "select" | "textarea" | "meter" | "progress" => Display::InlineBlock,
        "area" | "base" | "basefont" | "datalist" | "head" | "link" | "meta" | "noembed"
        | "noframes" | "param" | "rp" | "script" | "style" | "template" | "title" | "noscript" => {
            Display::None
        }
        _ => Display::Inline,
    }
}

fn text(tag: &str, style: &mut Style, around: &Style) {
    let heading = match tag {
        "h1" => Some(2.0),
        "h2" => Some(1.5),
        "h3" => Some(1.17),
        "h4" => Some(1.0),
        "h5" => Some(0.83),
        "h6" => Some(0.67),
        _ => None,
    };
    if let Some(factor) = heading {
        style.font_size = around.font_size * factor;
        style.weight = 700.0;
    }
    match tag {
        "b" | "strong" => style.weight = 700.0_f32.max(around.weight),
        "th" => style.weight = 700.0,
        "small" | "sub" | "sup" => style.font_size = around.font_size / 1.2,
        "big" => style.font_size = around.font_size * 1.2,
        "i" | "em" | "cite" | "dfn" | "var" | "address" => style.italic = true,
        "code" | "kbd" | "samp" | "tt" | "pre" => {
            style.family = digest("monospace");
            if around.family != style.family {
                style.font_size = around.font_size * 13.0 / 16.0;
            }
        }
        "u" | "ins" | "s" | "del" | "strike" => style.underline = true,
        "mark" => {
            style.set_background(Color::rgb(255, 255, 0));
            style.color = Color::BLACK;
            style.unknown_color = false;
        }
        _ => {}
    }
}

fn controls(tree: &Tree, index: usize, tag: &str, style: &mut Style) {
    match tag {
        "a" | "area" if tree.has(index, "href") => {
            style.color = Color::rgb(0, 0, 238);
            style.unknown_color = false;
            style.underline = true;
        }
        "button" | "input" | "select" | "textarea" => {
            style.font_size = FIELD_SIZE;
            style.weight = 400.0;
            style.italic = false;
            style.color = Color::BLACK;
            style.unknown_color = false;
            style.border = true;
            let kind = tree
                .attr(index, "type")
                .unwrap_or_default()
                .to_ascii_lowercase();
            let pressed = tag == "button"
                || (tag == "input" && matches!(kind.as_str(), "button" | "submit" | "reset"));
            style.set_background(if pressed {
                Color::rgb(239, 239, 239)
            } else {
                Color::WHITE
            });
            if kind == "hidden" && tag == "input" {
                style.display = Display::None;
            }
        }
        "dialog" if !tree.has(index, "open") => style.display = Display::None,
        "dialog" => {
            style.position = Position::Absolute;
            style.set_background(Color::WHITE);
            style.color = Color::BLACK;
        }
        "audio" if !tree.has(index, "controls") => style.display = Display::None,
        _ => {}
    }
}

fn attributes(tree: &Tree, index: usize, tag: &str, style: &mut Style) {
    if tree.has(index, "hidden") {
        style.display = Display::None;
    }
    if tree.has(index, "popover") {
        style.display = Display::None;
    }
    let paint = |name: &str| {
        let text = tree.attr(index, name)?;
        match color::parse(&mut Parser::new(text))? {
            Paint::Solid(color) => Some(color),
            _ => None,
        }
    };
    if matches!(
        tag,
        "body" | "table" | "tr" | "td" | "th" | "thead" | "tbody" | "tfoot"
    ) {
        if let Some(color) = paint("bgcolor") {
            style.set_background(color);
        }
        style.image |= tree.filled(index, "background");
    }
    let colored = match tag {
        "font" => paint("color"),
        "body" => paint("text"),
        _ => None,
    };
    if let Some(color) = colored {
        style.color = color;
        style.unknown_color = false;
    }
}
