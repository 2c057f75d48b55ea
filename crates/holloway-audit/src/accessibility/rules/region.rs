//! Is all content inside landmarks? What is outside is told once per outermost block.

use super::catalog::REGION;
use super::landmarks::first_page_link;
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

pub(crate) fn check(report: &mut Report) {
    let view = report.view;
    let tree = &view.tree;
    let Some(root) = super::landmarks::root(view) else {
        return;
    };
    let first_link = first_page_link(view);
    let mut has_region = vec![false; tree.len()];
    let mut outside = Vec::new();
    let mut index = root;
    while index < tree.end(root) {
        if !tree.is_element(index) {
            index += 1;
            continue;
        }
        if is_settled(view, index, first_link) {
            mark(view, index, &mut has_region);
            index = tree.end(index);
        } else if tree.tag(index) != "body" && has_content(view, index) {
            outside.push(index);
            index = tree.end(index);
        } else {
            index += 1;
        }
    }
    let mut told = Vec::new();
    for index in outside {
        let outermost = climb(view, index, &has_region);
        // Places come in document order, and so do the blocks around them.
        if told.last() != Some(&outermost) && !told.contains(&outermost) {
            told.push(outermost);
            report.hit(&REGION, outermost);
        }
        if told.len() > 1_000 {
            break;
        }
    }
}

fn mark(view: &View, index: usize, has_region: &mut [bool]) {
    let around = std::iter::once(index).chain(view.tree.ancestors(index));
    for up in around {
        match has_region.get_mut(up) {
            Some(known) if !*known => *known = true,
            _ => break,
        }
    }
}

fn climb(view: &View, index: usize, has_region: &[bool]) -> usize {
    let mut outermost = index;
    while let Some(parent) = view.tree.parent(outermost) {
        if has_region.get(parent).copied().unwrap_or(true) || view.tree.tag(parent) == "body" {
            break;
        }
        outermost = parent;
    }
    outermost
}

/// In a landmark, hidden, or of a kind that may stand anywhere.
fn is_settled(view: &View, index: usize, first_link: Option<usize>) -> bool {
    let tree = &view.tree;
    let role = view.role(index);
    let name = role.map_or("", |role| role.name);
    let live = matches!(tree.attr(index, "aria-live"), Some("assertive" | "polite"));
    let anywhere = matches!(tree.tag(index), "dialog" | "svg" | "iframe" | "frame")
        || matches!(tree.attr(index, "role"), Some("dialog" | "alertdialog"));
    !view.is_exposed(index)
        || name == "button"
        || live
        || matches!(name, "alert" | "log" | "status")
        || role.is_some_and(super::super::aria::roles::Role::is_landmark)
        || anywhere
        || is_skip_link(view, index, first_link)
}

fn is_skip_link(view: &View, index: usize, first_link: Option<usize>) -> bool {
    let target = view.tree.attr(index, "href").unwrap_or_default();
    view.tree.tag(index) == "a"
        && first_link.is_none_or(|first| index < first)
        && target
            .strip_prefix('#')
            .is_some_and(|id| view.tree.by_id(id).is_some())
}

fn has_content(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let own_text = view.has_own_text(index)
        && !matches!(
            tree.tag(index),
            "head"
                | "title"
                | "template"
                | "script"
                | "style"
                | "iframe"
                | "object"
                | "video"
                | "audio"
                | "noscript"
        );
    let labelled = tree.filled(index, "aria-label") || {
        let targets = tree.references(index, "aria-labelledby");
        targets
            .into_iter()
            .any(|target| !view.visible_text(target, false).is_empty())
    };
    let hidden = view
        .role(index)
        .is_some_and(super::super::aria::roles::Role::is_presentation)
        && !own_text;
    (own_text || is_visual(view, index) || labelled) && !hidden
}

fn is_visual(view: &View, index: usize) -> bool {
    if let Some(role) = view.explicit(index) {
        return matches!(
            role.name,
            "checkbox"
                | "img"
                | "meter"
                | "progressbar"
                | "scrollbar"
                | "radio"
                | "slider"
                | "spinbutton"
                | "textbox"
        );
    }
    match view.tree.tag(index) {
        "img" | "iframe" | "object" | "video" | "audio" | "canvas" | "svg" | "math" | "button"
        | "select" | "textarea" | "progress" | "meter" => true,
        "input" => view.input_type(index) != "hidden",
        _ => false,
    }
}
