//! Do the headings make an outline?

use super::catalog::{EMPTY_HEADING, HEADING_ORDER, PAGE_HAS_HEADING_ONE};
use super::landmarks::{is_modal_open, root};
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

pub(crate) fn check(report: &mut Report) {
    let view = report.view;
    let headings: Vec<usize> = view
        .tree
        .elements()
        .filter(|index| view.role_name(*index) == "heading" && view.is_exposed(*index))
        .collect();
    for index in &headings {
        if view.content_name(*index).is_empty() && !view.is_named_by_attribute(*index) {
            report.hit(&EMPTY_HEADING, *index);
        }
    }
    for pair in headings.windows(2) {
        if let &[before, index] = pair
            && level(view, index) > level(view, before) + 1
        {
            let note = format!("level {} after {}", level(view, index), level(view, before));
            report.hit_with(&HEADING_ORDER, index, note);
        }
    }
    let top = headings.iter().any(|index| is_top(view, *index));
    if !top
        && !is_modal_open(view)
        && let Some(root) = root(view)
    {
        report.hit(&PAGE_HAS_HEADING_ONE, root);
    }
}

/// A heading of level one, by element or by attribute.
fn is_top(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let said = tree.attr(index, "aria-level") == Some("1");
    match tree.attr(index, "role") {
        None => said || (tree.tag(index) == "h1" && !tree.has(index, "aria-level")),
        Some(role) => said && role == "heading",
    }
}

fn level(view: &View, index: usize) -> u32 {
    let own = view
        .tree
        .tag(index)
        .strip_prefix('h')
        .and_then(|number| number.parse().ok());
    let said = view.tree.attr(index, "aria-level");
    let said = said.and_then(|level| level.trim().parse::<u32>().ok());
    said.filter(|level| (1..1_000).contains(level))
        .or(own)
        .unwrap_or(2)
}
