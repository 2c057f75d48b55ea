//! Is there a text for everything that is shown as an image?

use super::catalog::{
    AREA_ALT, IMAGE_ALT, IMAGE_REDUNDANT_ALT, INPUT_IMAGE_ALT, OBJECT_ALT, ROLE_IMG_ALT,
    SERVER_SIDE_IMAGE_MAP, SVG_IMG_ALT,
};
use super::labels::{is_labelled, is_presentational, needs_own_name};
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

pub(crate) fn check(report: &mut Report) {
    report.each(&IMAGE_ALT, &["img"], |view, index| {
        needs_own_name(view, index) && !has_alternative(view, index)
    });
    report.each(&INPUT_IMAGE_ALT, &["input"], |view, index| {
        view.input_type(index) == "image"
            && needs_own_name(view, index)
            && !view.tree.filled(index, "alt")
            && !view.is_named_by_attribute(index)
            && !is_labelled(view, index)
    });
    report.each(&OBJECT_ALT, &["object"], |view, index| {
        view.tree.has(index, "data")
            && !view.is_named_by_attribute(index)
            && !is_presentational(view, index)
    });
    report.each(&IMAGE_REDUNDANT_ALT, &["img"], is_redundant);
    report.each(&SERVER_SIDE_IMAGE_MAP, &["img"], |view, index| {
        view.tree.has(index, "ismap")
    });
    areas(report);
    graphics(report);
}

fn has_alternative(view: &View, index: usize) -> bool {
    let presentation = is_presentational(view, index);
    let alt = view.tree.attr(index, "alt");
    // Only white space: neither a description nor a decoration.
    if !presentation && alt.is_some_and(|alt| !alt.is_empty() && alt.trim().is_empty()) {
        return false;
    }
    alt.is_some() || presentation || view.is_named_by_attribute(index)
}

fn areas(report: &mut Report) {
    let view = report.view;
    for index in view.tree.tagged(&["area"]) {
        let named = view.tree.filled(index, "alt") || view.is_named_by_attribute(index);
        if view.tree.has(index, "href") && view.is_within(index, &["map"]) && !named {
            report.hit(&AREA_ALT, index);
        }
    }
}

fn graphics(report: &mut Report) {
    let view = report.view;
    for index in view.tree.elements() {
        let role = view.tree.attr(index, "role").unwrap_or_default();
        if role.is_empty() || !view.is_exposed(index) {
            continue;
        }
        let image = matches!(role, "img" | "image");
        if view.tree.is_svg(index) {
            let document = role == "graphics-document" && view.tree.tag(index) == "svg";
            let graphic = image || role == "graphics-symbol" || document;
            if graphic && !has_title(view, index) && !view.is_named_by_attribute(index) {
                report.hit(&SVG_IMG_ALT, index);
            }
        } else if image
            && !matches!(view.tree.tag(index), "img" | "area" | "input" | "object")
            && !view.is_named_by_attribute(index)
        {
            report.hit(&ROLE_IMG_ALT, index);
        }
    }
}

fn has_title(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let title = tree
        .children(index)
        .find(|child| tree.tag(*child) == "title");
    title.is_some_and(|title| {
        tree.inside(title)
            .any(|next| !tree.text(next).trim().is_empty())
    })
}

/// The text beside the image says the same.
fn is_redundant(view: &View, index: usize) -> bool {
    if is_presentational(view, index) {
        return false;
    }
    let tree = &view.tree;
    let around = tree.closest(index, |next| {
        matches!(tree.tag(next), "button" | "p" | "li" | "td" | "th")
            || (tree.tag(next) == "a" && tree.has(next, "href"))
            || tree.attr(next, "role") == Some("button")
    });
    let Some(around) = around else {
        return false;
    };
    let alt = tree.attr(index, "alt").unwrap_or_default().trim();
    if alt.is_empty() && !view.is_named_by_attribute(index) {
        return false;
    }
    let text = view.visible_text(around, true).to_lowercase();
    !text.is_empty() && text == view.name(index).to_lowercase()
}
