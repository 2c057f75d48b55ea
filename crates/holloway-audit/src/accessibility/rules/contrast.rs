//! Can the text be read? Contrast with what is behind it, links among text, tiny text.
//! Where only a browser can tell what is behind, nothing is said, and it is counted.

use super::catalog::{COLOR_CONTRAST, LINK_IN_TEXT_BLOCK, SMALL_TEXT};
use crate::accessibility::report::Report;
use crate::accessibility::style::color::Color;
use crate::accessibility::style::value::{Display, Position};
use crate::accessibility::view::View;

/// Smaller text is hard to read for anybody.
const SMALLEST: f32 = 9.0;

pub(crate) fn check(report: &mut Report) {
    let view = report.view;
    let grounds = Grounds::new(view);
    for index in view.tree.elements() {
        if !view.is_on_screen(index) {
            continue;
        }
        if is_text(view, index) {
            text(report, index, &grounds);
        }
        if is_link(view, index) {
            link(report, index, &grounds);
        }
    }
}

/// What may lie behind text, beside what is around it.
struct Grounds {
    /// Elements with a picture or a painted box laid over or under what is inside.
    covered: Vec<bool>,
    /// How many pictures come before each place.
    pictures: Vec<u32>,
}

impl Grounds {
    fn new(view: &View) -> Self {
        let mut count = 0;
        let mut pictures = Vec::with_capacity(view.tree.len() + 1);
        for index in 0..view.tree.len() {
            pictures.push(count);
            let media = matches!(
                view.tree.tag(index),
                "img" | "video" | "canvas" | "iframe" | "object" | "embed"
            );
            let painted = view.tree.is_element(index) && view.style(index).image;
            count += u32::from((media || painted) && view.is_on_screen(index));
        }
        pictures.push(count);
        Self {
            covered: covered_parents(view),
            pictures,
        }
    }

    fn is_covered(&self, index: usize) -> bool {
        self.covered.get(index).copied().unwrap_or(false)
    }

    fn pictures_in(&self, view: &View, index: usize) -> u32 {
        let at = |place: usize| self.pictures.get(place).copied().unwrap_or(0);
        at(view.tree.end(index)).saturating_sub(at(index))
    }

    /// A box out of the flow lies over what it is placed in, if there is no picture there.
    fn lies_on_surroundings(&self, view: &View, index: usize) -> bool {
        let mut around = view.tree.ancestors(index);
        let place = match view.style(index).position {
            Position::Fixed => around.next(),
            _ => around.find(|up| view.style(*up).is_positioned()),
        };
        place.is_some_and(|place| self.pictures_in(view, place) == self.pictures_in(view, index))
    }
}

fn covered_parents(view: &View) -> Vec<bool> {
    let tree = &view.tree;
    let mut covered = vec![false; tree.len()];
    for index in tree.elements() {
        let style = view.style(index);
        if !style.is_lifted() || !view.is_on_screen(index) {
            continue;
        }
        let media = matches!(
            tree.tag(index),
            "img" | "video" | "canvas" | "iframe" | "svg" | "picture" | "object" | "embed"
        ) || tree
            .inside(index)
            .take(3)
            .any(|next| matches!(tree.tag(next), "img" | "video"));
        let sheet = style.paints() && style.starts_at_corner();
        if (media || sheet)
            && let Some(parent) = tree.parent(index)
            && let Some(known) = covered.get_mut(parent)
        {
            *known = true;
        }
    }
    covered
}

fn is_text(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let tag = tree.tag(index);
    if view.is_disabled(index) || view.is_inert(index) || labels_disabled(view, index) {
        return false;
    }
    match tag {
        "option" | "script" | "style" | "title" => false,
        "input" => !matches!(
            view.input_type(index).as_str(),
            "hidden" | "range" | "color" | "checkbox" | "radio" | "image" | "file"
        ),
        "select" => tree
            .inside(index)
            .take(500)
            .any(|next| tree.tag(next) == "option"),
        "textarea" => true,
        _ if tree.is_svg(index) => false,
        _ => view.has_own_text(index),
    }
}

/// The label of a field that is switched off may be pale.
fn labels_disabled(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    if !view.is_in_label(index) {
        return false;
    }
    if let Some(label) = tree.closest(index, |next| tree.tag(next) == "label") {
        let target = tree.attr(label, "for").and_then(|id| tree.by_id(id));
        let inside = tree.inside(label).take(500).find(|next| {
            matches!(tree.tag(*next), "select" | "textarea")
                || (tree.tag(*next) == "input"
                    && !matches!(
                        view.input_type(*next).as_str(),
                        "hidden" | "image" | "button" | "submit" | "reset"
                    ))
        });
        if target
            .into_iter()
            .chain(inside)
            .any(|field| view.is_disabled(field))
        {
            return true;
        }
    }
    false
}

/// What is written in an element itself.
fn own_text(view: &View, index: usize) -> String {
    let tree = &view.tree;
    match tree.tag(index) {
        "input" => tree.attr(index, "value").unwrap_or_default().to_owned(),
        _ => tree.children(index).map(|child| tree.text(child)).collect(),
    }
}

fn text(report: &mut Report, index: usize, grounds: &Grounds) {
    let view = report.view;
    let style = view.style(index);
    let written = own_text(view, index);
    let written = written.trim();
    if style.font_size < SMALLEST && style.font_size > 0.0 && written.chars().count() > 1 {
        report.hit_with(&SMALL_TEXT, index, format!("{} px", style.font_size));
    }
    if style.font_size <= 0.0 || style.is_indented_away() {
        return;
    }
    let Some(looks) = colors(view, index, grounds) else {
        report.undecided += 1;
        return;
    };
    let needed = if style.is_large() { 3.0 } else { 4.5 };
    let failing = looks
        .iter()
        .filter(|(text, behind)| text.contrast(*behind) < needed)
        .count();
    if failing == 0 {
        return;
    }
    let Some((text, behind)) = looks.first().copied().filter(|_| failing == looks.len()) else {
        report.undecided += 1;
        return;
    };
    let contrast = text.contrast(behind);
    // The same colour is meant not to be seen; one sign may be a picture.
    let field = matches!(view.tree.tag(index), "input" | "textarea");
    let shown = (contrast * 100.0).floor() / 100.0;
    let icon = written.chars().count() <= 1 || !written.chars().any(is_readable);
    let select = view.tree.tag(index) == "select";
    if shown <= 1.0 || (icon && !select) || (field && written.is_empty()) {
        report.undecided += 1;
        return;
    }
    let note = format!(
        "{shown} : 1 of {} on {}, needed {needed} : 1",
        text.hex(),
        behind.hex()
    );
    report.hit_with(&COLOR_CONTRAST, index, note);
}

/// Letters and figures, as opposed to signs and emoji.
fn is_readable(letter: char) -> bool {
    letter.is_alphanumeric() || letter.is_ascii_punctuation()
}

/// The colours of text and of what is behind it, for anything that may be behind that;
/// none where they cannot be told.
fn colors(view: &View, index: usize, grounds: &Grounds) -> Option<Vec<(Color, Color)>> {
    if view.unsure() || view.style(index).unknown_color || view.is_covered(index) {
        return None;
    }
    let tree = &view.tree;
    let mut path = Vec::with_capacity(tree.depth(index) + 1);
    path.push(index);
    path.extend(tree.ancestors(index));
    let mut depth = path.len();
    let mut unknown = false;
    for (place, next) in path.iter().enumerate() {
        let style = view.style(*next);
        if style.image || style.unknown_background {
            return None;
        }
        if place > 0 && grounds.is_covered(*next) {
            return None;
        }
        if style.background.alpha >= 1.0 && style.display != Display::Contents {
            depth = place + 1;
            break;
        }
        // What is behind it is not what is around it.
        if style.is_lifted() && !grounds.lies_on_surroundings(view, *next) {
            depth = place + 1;
            unknown = true;
            break;
        }
    }
    // Opacity of what is further out still blends with what is behind that.
    let fades = path
        .iter()
        .skip(depth)
        .any(|next| view.style(*next).opacity < 1.0);
    if fades && !unknown {
        depth = path.len();
    }
    path.truncate(depth);
    path.reverse();
    let extremes: &[Color] = if unknown {
        &[Color::WHITE, Color::BLACK]
    } else {
        &[Color::WHITE]
    };
    Some(
        extremes
            .iter()
            .map(|ground| blend(view, &path, *ground))
            .collect(),
    )
}

/// Paints from the outside in; each opacity is a group of its own.
fn blend(view: &View, path: &[usize], mut ground: Color) -> (Color, Color) {
    let mut groups: Vec<(f32, Color)> = Vec::new();
    let mut color = Color::BLACK;
    for next in path {
        let style = view.style(*next);
        if style.opacity < 1.0 {
            groups.push((style.opacity, ground));
            ground = Color::CLEAR;
        }
        if style.display != Display::Contents {
            ground = style.background.over(ground);
        }
        color = style.color;
    }
    let mut text = color.over(ground);
    for (opacity, below) in groups.into_iter().rev() {
        text = text.faded(opacity).over(below);
        ground = ground.faded(opacity).over(below);
    }
    (text, ground)
}

fn is_link(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let link = (tree.tag(index) == "a" && tree.has(index, "href"))
        || tree.attr(index, "role") == Some("link");
    link && view.explicit(index).is_none_or(|role| role.name == "link")
        && !view.visible_text(index, false).is_empty()
        && matches!(
            view.style(index).display,
            Display::Inline | Display::Contents
        )
}

fn link(report: &mut Report, index: usize, grounds: &Grounds) {
    let view = report.view;
    let Some(block) = view
        .tree
        .ancestors(index)
        .find(|up| view.style(*up).is_block())
    else {
        return;
    };
    let (own, around) = (view.style(index), view.style(block));
    let distinct = own.image
        || own.border
        || own.outline
        || own.family != around.family
        || own.underline != around.underline
        || own.italic != around.italic
        || (own.weight - around.weight).abs() > 0.5
        || (own.font_size - around.font_size).abs() > 0.01;
    if distinct || own.beside || !is_in_text(view, index, block) {
        return;
    }
    let known = |index: usize| match colors(view, index, grounds)?.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let (Some((text, ground)), Some((text_around, ground_around))) = (known(index), known(block))
    else {
        return;
    };
    let floor = |ratio: f64| (ratio * 100.0).floor() / 100.0;
    let by_text = floor(text.contrast(text_around));
    let by_ground = floor(ground.contrast(ground_around));
    let same = by_text <= 1.0 && by_ground <= 1.0;
    if by_text < 3.0 && by_ground < 3.0 && !same {
        let note = format!("{by_text} : 1 against the text around it, needed 3 : 1");
        report.hit_with(&LINK_IN_TEXT_BLOCK, index, note);
    }
}

/// Whether there is more text than links on the lines around a link.
fn is_in_text(view: &View, link: usize, block: usize) -> bool {
    let tree = &view.tree;
    let (mut text, mut widgets) = (String::new(), String::new());
    let mut passed = false;
    let mut index = block + 1;
    let end = tree.end(block).min(block + 3_000);
    while index < end {
        if !tree.is_element(index) {
            text.push_str(tree.text(index));
            index += 1;
            continue;
        }
        passed |= index == link;
        let apart = view.style(index).is_block();
        if apart || matches!(tree.tag(index), "br" | "hr") {
            if passed {
                break;
            }
            text.clear();
            widgets.clear();
        }
        let widget = view
            .role(index)
            .is_some_and(|role| role.kind == crate::accessibility::aria::roles::Kind::Widget);
        if widget {
            widgets.extend(tree.inside(index).map(|next| tree.text(next)));
        }
        let skipped = apart || widget || !view.is_rendered(index);
        index = if skipped { tree.end(index) } else { index + 1 };
    }
    let length = |text: &str| crate::accessibility::name::clean(text).chars().count();
    length(&text) > length(&widgets)
}
