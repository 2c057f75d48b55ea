//! Are roles used as WAI-ARIA allows, and what is hidden or referred to? States and properties
//! are in `states`.

use super::catalog::{
    ARIA_ALLOWED_ROLE, ARIA_DEPRECATED_ROLE, ARIA_HIDDEN_BODY, ARIA_HIDDEN_FOCUS,
    ARIA_REQUIRED_ATTR, ARIA_ROLES, ARIA_TEXT, DUPLICATE_ID_ARIA, PRESENTATION_ROLE_CONFLICT,
};
use super::landmarks::is_modal_open;
use crate::accessibility::aria::roles::{self, Kind};
use crate::accessibility::aria::{attributes, elements};
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

mod states;

pub(crate) fn check(report: &mut Report) {
    let view = report.view;
    for index in view.tree.elements() {
        if view.tree.filled(index, "role") {
            roles(report, index);
        }
        if view.is_exposed(index)
            && view
                .tree
                .attrs(index)
                .any(|(name, _)| name.starts_with("aria-"))
        {
            states::check(report, index);
        }
        if view.is_exposed(index) && conflicts(view, index) {
            report.hit(&PRESENTATION_ROLE_CONFLICT, index);
        }
    }
    hidden(report);
    duplicate_ids(report);
    super::owned::check(report);
}

fn roles(report: &mut Report, index: usize) {
    let view = report.view;
    let given = view
        .tree
        .attr(index, "role")
        .unwrap_or_default()
        .to_ascii_lowercase();
    let words: Vec<&str> = given.split_ascii_whitespace().collect();
    if view.is_exposed(index) {
        let known = |word: &&str| roles::find(word);
        let all_unknown = words.iter().all(|word| known(word).is_none());
        let any_abstract = words
            .iter()
            .filter_map(known)
            .any(|role| role.kind == Kind::Abstract);
        if all_unknown || any_abstract {
            report.hit(&ARIA_ROLES, index);
        }
        if view
            .explicit_of_list(index)
            .is_some_and(roles::Role::is_old)
        {
            report.hit(&ARIA_DEPRECATED_ROLE, index);
        }
        if let Some(missing) = missing(view, index) {
            report.hit_with(
                &ARIA_REQUIRED_ATTR,
                index,
                format!("aria-{missing} is missing"),
            );
        }
        if given == "text" && holds_focusable(view, index) {
            report.hit(&ARIA_TEXT, index);
        }
        let suits = |word: &&str| {
            elements::implicit(view, index) == Some(*word)
                || suits_landmark(view, index, word)
                || elements::allows(view, index, word)
        };
        let misused = words
            .iter()
            .filter(|word| known(word).is_some())
            .any(|word| !suits(word));
        if view.explicit_of_list(index).is_some() && misused && !view.tree.is_svg(index) {
            report.hit(&ARIA_ALLOWED_ROLE, index);
        }
    }
}

/// Header and footer inside sections may say the role they have outside.
fn suits_landmark(view: &View, index: usize, role: &str) -> bool {
    matches!(
        (view.tree.tag(index), role),
        ("header", "banner")
            | ("footer", "contentinfo")
            | ("aside", "complementary")
            | ("form", "form")
            | ("section", "region")
            | ("main", "main")
            | ("nav", "navigation")
    )
}

fn missing(view: &View, index: usize) -> Option<&'static str> {
    let role = view.explicit(index)?;
    let tree = &view.tree;
    let fixed = role.name == "separator" && !view.is_focusable(index);
    let closed = role.name == "combobox" && tree.attr(index, "aria-expanded") == Some("false");
    let told = role.name == "slider" && tree.filled(index, "aria-valuetext");
    if fixed || closed || told {
        return None;
    }
    let mut required = role.required.split(' ').filter(|name| !name.is_empty());
    required.find(|name| {
        let given = tree.attr(index, &format!("aria-{name}"));
        given.is_none_or(str::is_empty) && !elements::has_implicit(view, index, name)
    })
}

fn holds_focusable(view: &View, index: usize) -> bool {
    let mut inside = view.tree.inside(index).take(2_000);
    inside.any(|next| view.is_focusable(next))
}

/// Said to be only for looks, but it takes the focus or is described.
fn conflicts(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let looks = matches!(tree.attr(index, "role"), Some("none" | "presentation"))
        || (tree.tag(index) == "img" && tree.attr(index, "alt") == Some(""));
    if !looks {
        return false;
    }
    let browser_role = matches!(
        tree.tag(index),
        "audio"
            | "canvas"
            | "dl"
            | "embed"
            | "iframe"
            | "label"
            | "meter"
            | "object"
            | "svg"
            | "video"
    );
    let has_role = browser_role || elements::implicit(view, index).is_some();
    has_role && (view.is_focusable(index) || view.has_global_aria(index))
}

fn hidden(report: &mut Report) {
    let view = report.view;
    let tree = &view.tree;
    let modal = is_modal_open(view);
    let mut end = 0;
    for index in tree.elements() {
        if tree.attr(index, "aria-hidden") != Some("true") || index < end {
            continue;
        }
        end = tree.end(index);
        if tree.tag(index) == "body" {
            report.hit(&ARIA_HIDDEN_BODY, index);
        }
        let mut inside = std::iter::once(index).chain(tree.inside(index));
        if !modal && inside.any(|next| view.is_tabbable(next)) {
            report.hit(&ARIA_HIDDEN_FOCUS, index);
        }
    }
}

/// Ids that something refers to, and that occur twice.
fn duplicate_ids(report: &mut Report) {
    let view = report.view;
    let tree = &view.tree;
    let mut twice: Vec<(&str, usize)> = tree
        .ids()
        .filter_map(|(id, nodes)| match nodes {
            [first, _, ..] => Some((id, *first)),
            _ => None,
        })
        .collect();
    if twice.is_empty() {
        return;
    }
    let mut referred = rustc_hash::FxHashSet::default();
    for index in tree.elements() {
        for (name, value) in tree.attrs(index) {
            let refers = attributes::find(name).is_some_and(attributes::Attribute::refers)
                || (name == "for" && tree.tag(index) == "label");
            if refers {
                referred.extend(value.split_ascii_whitespace());
            }
        }
    }
    twice.sort_by_key(|(_, first)| *first);
    for (id, first) in twice {
        if referred.contains(id) {
            report.hit_with(&DUPLICATE_ID_ARIA, first, format!("id {id} occurs again"));
        }
    }
}
