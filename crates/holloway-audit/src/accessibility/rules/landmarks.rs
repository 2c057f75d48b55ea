//! Can a visitor find the parts of the page? Landmarks, and ways past what repeats.

use super::catalog::{
    BYPASS, LANDMARK_BANNER_IS_TOP_LEVEL, LANDMARK_CONTENTINFO_IS_TOP_LEVEL,
    LANDMARK_MAIN_IS_TOP_LEVEL, LANDMARK_NO_DUPLICATE_BANNER, LANDMARK_NO_DUPLICATE_CONTENTINFO,
    LANDMARK_NO_DUPLICATE_MAIN, LANDMARK_ONE_MAIN, LANDMARK_UNIQUE, SKIP_LINK,
};
use crate::accessibility::aria::elements;
use crate::accessibility::aria::roles;
use crate::accessibility::report::Report;
use crate::accessibility::view::View;
use crate::rule::Rule;

pub(crate) fn check(report: &mut Report) {
    one_of_each(report);
    top_level(report);
    unique(report);
    ways_past(report);
    super::region::check(report);
    super::headings::check(report);
}

/// The element itself, or anything with this role.
fn stands_for(view: &View, index: usize, tag: &str, role: &str) -> bool {
    match view.tree.attr(index, "role") {
        None => view.tree.tag(index) == tag,
        Some(given) => given == role,
    }
}

fn one_of_each(report: &mut Report) {
    let view = report.view;
    let all = |tag: &str, role: &str| -> Vec<usize> {
        let exposed = view.tree.elements().filter(|index| view.is_exposed(*index));
        exposed
            .filter(|index| stands_for(view, *index, tag, role))
            .collect()
    };
    let mains = all("main", "main");
    if mains.is_empty()
        && !is_modal_open(view)
        && let Some(root) = root(view)
    {
        report.hit(&LANDMARK_ONE_MAIN, root);
    }
    if let [first, _, ..] = mains.as_slice() {
        report.hit(&LANDMARK_NO_DUPLICATE_MAIN, *first);
    }
    let pairs: [(&str, &str, &'static Rule); 2] = [
        ("header", "banner", &LANDMARK_NO_DUPLICATE_BANNER),
        ("footer", "contentinfo", &LANDMARK_NO_DUPLICATE_CONTENTINFO),
    ];
    for (tag, role, rule) in pairs {
        let found = all(tag, role);
        let real = found.iter().filter(|index| view.role_name(**index) == role);
        if real.count() > 1
            && let Some(first) = found.first()
        {
            report.hit(rule, *first);
        }
    }
}

pub(crate) fn root(view: &View) -> Option<usize> {
    view.tree.tagged(&["html"]).next()
}

/// While a dialog is open, the page behind it does not count.
pub(crate) fn is_modal_open(view: &View) -> bool {
    view.tree.elements().any(|index| {
        let dialog = view.tree.tag(index) == "dialog"
            || view.tree.attr(index, "role") == Some("dialog")
            || view.tree.attr(index, "aria-modal") == Some("true");
        dialog && view.is_on_screen(index)
    })
}

fn top_level(report: &mut Report) {
    let view = report.view;
    let sections = ["article", "aside", "main", "nav", "section"];
    for index in view.tree.elements() {
        if !view.is_exposed(index) {
            continue;
        }
        let rule = if stands_for(view, index, "main", "main") {
            &LANDMARK_MAIN_IS_TOP_LEVEL
        } else if stands_for(view, index, "header", "banner") {
            &LANDMARK_BANNER_IS_TOP_LEVEL
        } else if stands_for(view, index, "footer", "contentinfo") {
            &LANDMARK_CONTENTINFO_IS_TOP_LEVEL
        } else {
            continue;
        };
        let own_context = view.tree.has(index, "role")
            || view.tree.tag(index) == "main"
            || !view.is_within(index, &sections);
        let mut around = view.tree.ancestors(index);
        if own_context && around.any(|up| is_landmark_around(view, up)) {
            report.hit(rule, index);
        }
    }
}

fn is_landmark_around(view: &View, index: usize) -> bool {
    let role = match view.explicit(index) {
        Some(role) => Some(role),
        None if view.tree.tag(index) == "form" => None,
        None => elements::implicit(view, index).and_then(roles::find),
    };
    role.is_some_and(roles::Role::is_landmark)
}

fn unique(report: &mut Report) {
    let view = report.view;
    let mut seen: Vec<(&str, String, usize, bool)> = Vec::new();
    for index in view.tree.elements() {
        let Some(role) = view.role(index).filter(|role| role.is_landmark()) else {
            continue;
        };
        let by_role = matches!(
            view.tree.attr(index, "role"),
            Some(
                "banner"
                    | "complementary"
                    | "contentinfo"
                    | "main"
                    | "navigation"
                    | "region"
                    | "search"
                    | "form"
            )
        );
        let by_tag = matches!(
            view.tree.tag(index),
            "form" | "footer" | "header" | "aside" | "main" | "nav" | "section"
        );
        if !(by_role || by_tag) || !view.is_exposed(index) || seen.len() > 500 {
            continue;
        }
        let name = view.name(index).to_lowercase();
        let known = seen
            .iter_mut()
            .find(|(known, text, ..)| *known == role.name && *text == name);
        match known {
            Some((_, _, first, told)) => {
                if !*told {
                    *told = true;
                    report.hit(&LANDMARK_UNIQUE, *first);
                }
            }
            None => seen.push((role.name, name, index, false)),
        }
    }
}

fn ways_past(report: &mut Report) {
    let view = report.view;
    let tree = &view.tree;
    let links = || {
        tree.tagged(&["a"])
            .filter_map(|index| Some((index, tree.attr(index, "href")?)))
    };
    let first_page_link = first_page_link(view);
    for (index, target) in links() {
        let here = target
            .strip_prefix('#')
            .or_else(|| target.strip_prefix("/#"));
        let before = first_page_link.is_none_or(|first| index < first);
        if let Some(id) = here
            && before
            && view.is_exposed(index)
            && view.style(index).is_off_screen()
            && tree.by_id(id).is_none()
        {
            report.hit(&SKIP_LINK, index);
        }
    }
    let inner = |target: &str| {
        let mut letters = target.strip_prefix('#').unwrap_or_default().chars();
        letters
            .next()
            .is_some_and(|first| !matches!(first, '/' | '!'))
    };
    let exposed = |index: usize| view.is_exposed(index);
    let headings = tree
        .elements()
        .any(|index| exposed(index) && is_heading_element(view, index));
    let mains = tree
        .elements()
        .any(|index| tree.tag(index) == "main" || tree.attr(index, "role") == Some("main"));
    if links().next().is_some()
        && !links().any(|(_, target)| inner(target))
        && !headings
        && !mains
        && let Some(root) = root(view)
    {
        report.hit(&BYPASS, root);
    }
}

fn is_heading_element(view: &View, index: usize) -> bool {
    match view.tree.attr(index, "role") {
        Some(role) => role == "heading",
        None => matches!(
            view.tree.tag(index),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
        ),
    }
}

/// The first link that leads away from the page.
pub(crate) fn first_page_link(view: &View) -> Option<usize> {
    view.tree.tagged(&["a"]).find(|index| {
        view.tree
            .attr(*index, "href")
            .is_some_and(|target| !target.starts_with('#') && !target.starts_with("javascript:"))
    })
}
