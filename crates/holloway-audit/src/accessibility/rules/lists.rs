//! Do lists hold items, and only items?

use super::catalog::{DEFINITION_LIST, DLITEM, LIST, LISTITEM};
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

pub(crate) fn check(report: &mut Report) {
    report.each(&LIST, &["ul", "ol"], |view, index| {
        has_no_role(view, index)
            && view
                .tree
                .children(index)
                .any(|child| is_stranger(view, child, &["li"], &["listitem"]))
    });
    report.each(&LISTITEM, &["li"], |view, index| {
        has_no_role(view, index) && !is_in_list(view, index)
    });
    report.each(&DEFINITION_LIST, &["dl"], |view, index| {
        has_no_role(view, index) && (!is_in_order(view, index) || has_stranger(view, index))
    });
    report.each(&DLITEM, &["dt", "dd"], |view, index| {
        has_no_role(view, index) && !is_in_definitions(view, index)
    });
}

fn has_no_role(view: &View, index: usize) -> bool {
    view.tree.attr(index, "role").unwrap_or_default().is_empty()
}

/// A child that a list may not have.
fn is_stranger(view: &View, child: usize, tags: &[&str], roles: &[&str]) -> bool {
    if !view.tree.is_element(child) {
        return !view.tree.text(child).trim().is_empty();
    }
    if !view.is_exposed(child) {
        return false;
    }
    match view.explicit(child) {
        Some(role) => !roles.contains(&role.name),
        None => !tags.contains(&view.tree.tag(child)) && !roles.contains(&view.role_name(child)),
    }
}

fn is_in_list(view: &View, index: usize) -> bool {
    let Some(parent) = view.tree.parent(index) else {
        return true;
    };
    match view.explicit(parent) {
        Some(role) => matches!(role.name, "presentation" | "none" | "list"),
        None => matches!(view.tree.tag(parent), "ul" | "ol" | "menu"),
    }
}

/// Some description follows some term.
fn is_in_order(view: &View, index: usize) -> bool {
    let mut term = false;
    let mut any = false;
    for child in view.tree.children(index) {
        match view.tree.tag(child) {
            "dt" => {
                term = true;
                any = true;
            }
            "dd" if term => return true,
            "dd" => any = true,
            _ => {}
        }
    }
    !any
}

fn has_stranger(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let strange = |child: usize| {
        is_stranger(
            view,
            child,
            &["dt", "dd"],
            &["definition", "term", "listitem"],
        )
    };
    tree.children(index).any(|child| {
        let group = tree.tag(child) == "div" && view.explicit(child).is_none();
        if group {
            tree.children(child).any(strange)
        } else {
            strange(child)
        }
    })
}

fn is_in_definitions(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let Some(mut parent) = tree.parent(index) else {
        return true;
    };
    if tree.tag(parent) == "div"
        && view.explicit(parent).is_none()
        && let Some(next) = tree.parent(parent)
    {
        parent = next;
    }
    let role = view.explicit(parent).map_or("", |role| role.name);
    tree.tag(parent) == "dl" && matches!(role, "" | "presentation" | "none" | "list")
}
