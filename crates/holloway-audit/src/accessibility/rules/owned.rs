//! Do composite roles hold the parts they need, and are parts where they belong?

use super::catalog::{ARIA_REQUIRED_CHILDREN, ARIA_REQUIRED_PARENT};
use crate::accessibility::aria::roles::{self, Role, lists};
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

/// Composite roles that may be filled later.
const MAY_BE_EMPTY: &str = "grid list listbox menu menubar table tablist tree treegrid rowgroup";

pub(crate) fn check(report: &mut Report) {
    let view = report.view;
    for index in view.tree.elements() {
        let Some(role) = view.explicit(index).filter(|_| view.is_exposed(index)) else {
            continue;
        };
        if !role.owned.is_empty() && lacks_parts(view, index, role) {
            report.hit_with(
                &ARIA_REQUIRED_CHILDREN,
                index,
                format!("needs one of: {}", role.owned),
            );
        }
        if !role.context.is_empty() && is_misplaced(view, index, role) {
            report.hit_with(
                &ARIA_REQUIRED_PARENT,
                index,
                format!("belongs into: {}", role.context),
            );
        }
    }
}

fn named(view: &View, index: usize) -> Option<&'static Role> {
    view.role(index).filter(|role| !role.is_presentation())
}

/// What is directly inside: its role, or none for text and for what has no role.
fn parts(view: &View, index: usize, owned: &str) -> Vec<(usize, Option<&'static Role>)> {
    let tree = &view.tree;
    let mut parts = Vec::new();
    let mut waiting: Vec<usize> = tree.references(index, "aria-owns");
    waiting.extend(tree.children(index));
    waiting.reverse();
    let mut visited = 0;
    while let Some(next) = waiting.pop() {
        visited += 1;
        if visited > 5_000 {
            break;
        }
        if !tree.is_element(next) {
            if !tree.text(next).trim().is_empty() {
                parts.push((next, None));
            }
            continue;
        }
        if !view.is_exposed(next) {
            continue;
        }
        let role = named(view, next);
        let noticed = view.has_global_aria(next) || view.is_focusable(next);
        let group = role.is_some_and(|role| {
            matches!(role.name, "group" | "rowgroup") && lists(owned, role.name)
        });
        if (role.is_none() && !noticed) || group {
            let mut inside: Vec<usize> = tree.children(next).collect();
            inside.reverse();
            waiting.extend(inside);
        } else {
            parts.push((next, role));
        }
    }
    parts
}

fn lacks_parts(view: &View, index: usize, role: &'static Role) -> bool {
    let parts = parts(view, index, role.owned);
    let fits = |part: &Role| lists(role.owned, part.name);
    let strange = parts.iter().any(|(node, part)| {
        view.tree.is_element(*node)
            && part.is_none_or(|part| !fits(part) && !lists(part.context, role.name))
    });
    if strange {
        return true;
    }
    let filled = parts.iter().any(|(_, part)| part.is_some_and(fits));
    let busy = view.tree.says(index, "aria-busy", "true");
    let later = lists(MAY_BE_EMPTY, role.name) && parts.is_empty();
    !filled && !busy && !later
}

fn is_misplaced(view: &View, index: usize, role: &'static Role) -> bool {
    if !misses(view, index, role, false) {
        return false;
    }
    // Something else may own it.
    let mut owners = view.tree.owners_of(index).iter().take(100);
    !owners.any(|owner| view.tree.has(*owner, "aria-owns") && !misses(view, *owner, role, true))
}

fn misses(view: &View, index: usize, role: &'static Role, itself: bool) -> bool {
    let mut context: Vec<&str> = role.context.split(' ').collect();
    let own_groups = matches!(role.name, "listitem" | "treeitem");
    let may_group = context.contains(&"group");
    let start = itself.then_some(index).or_else(|| view.tree.parent(index));
    let mut next = start;
    while let Some(current) = next {
        let around: Option<&'static Role> = named(view, current);
        match around.map(|role| role.name) {
            None => {}
            Some("group") if may_group => {
                if own_groups {
                    context.push(role.name);
                }
                context.retain(|name| *name != "group");
            }
            Some(name) => return !context.contains(&name),
        }
        next = view.tree.parent(current);
    }
    // Nothing around has a role at all.
    roles::find(role.name).is_some()
}
