//! Can the page be used without a mouse, and at any size?

use super::catalog::{
    ACCESSKEYS, CLICK_WITHOUT_KEYBOARD, KEYBOARD_TRAP, META_REFRESH, META_VIEWPORT,
    META_VIEWPORT_LARGE, NESTED_INTERACTIVE, TABINDEX, TARGET_SIZE,
};
use crate::accessibility::aria::roles::Kind;
use crate::accessibility::report::Report;
use crate::accessibility::style::value::Display;
use crate::accessibility::view::View;

pub(crate) fn check(report: &mut Report) {
    let view = report.view;
    let mut keys: Vec<(String, usize, bool)> = Vec::new();
    for index in view.tree.elements() {
        if !view.is_exposed(index) {
            continue;
        }
        if view.tabindex(index).is_some_and(|number| number > 0) {
            report.hit(&TABINDEX, index);
        }
        if let Some(key) = view
            .tree
            .attr(index, "accesskey")
            .filter(|key| !key.is_empty())
        {
            shortcut(report, &mut keys, key, index);
        }
        if view
            .role(index)
            .is_some_and(super::super::aria::roles::Role::is_leaf)
            && holds_control(view, index)
        {
            report.hit(&NESTED_INTERACTIVE, index);
        }
        if is_mouse_only(view, index) {
            report.hit(&CLICK_WITHOUT_KEYBOARD, index);
        }
        if let Some(handler) = trap(view, index) {
            report.hit_with(&KEYBOARD_TRAP, index, handler.to_owned());
        }
        if is_small_target(view, index) {
            report.hit(&TARGET_SIZE, index);
        }
    }
    metas(report);
    super::focus::check(report);
}

fn shortcut(report: &mut Report, keys: &mut Vec<(String, usize, bool)>, key: &str, index: usize) {
    if keys.len() > 500 {
        return;
    }
    let key = key.to_uppercase();
    match keys.iter_mut().find(|(known, ..)| *known == key) {
        Some((_, first, told)) => {
            if !*told {
                *told = true;
                report.hit(&ACCESSKEYS, *first);
            }
        }
        None => keys.push((key, index, false)),
    }
}

/// Something inside takes the focus, although nothing inside is told.
fn holds_control(view: &View, index: usize) -> bool {
    view.tree.inside(index).take(2_000).any(|next| {
        view.role(next)
            .is_some_and(|role| role.kind == Kind::Widget)
            && view.is_focusable(next)
    })
}

/// A click handler where neither focus nor keys arrive.
fn is_mouse_only(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    if !tree.has(index, "onclick")
        || matches!(
            tree.tag(index),
            "html" | "body" | "label" | "option" | "form"
        )
    {
        return false;
    }
    let holds = || {
        tree.inside(index)
            .take(500)
            .any(|next| view.is_natively_focusable(next))
    };
    !view.is_natively_focusable(index)
        && view.tabindex(index).is_none()
        // A click on a link or button inside arrives here too.
        && !holds()
}

/// A handler that swallows the Tab key.
fn trap<'a>(view: &View<'a>, index: usize) -> Option<&'a str> {
    let names = ["onkeydown", "onkeypress", "onkeyup"];
    let handlers = names
        .into_iter()
        .filter_map(|name| view.tree.attr(index, name));
    let mut traps = handlers.filter(|handler| {
        let swallows = handler.contains("preventDefault") || handler.contains("return false");
        let about_tab = handler.contains("Tab")
            || handler.contains("keyCode==9")
            || handler.contains("keyCode == 9")
            || handler.contains("keyCode === 9")
            || handler.contains("which == 9")
            || handler.contains("which==9");
        // Without any condition, every key is swallowed.
        let every = !handler.contains("if") && !handler.contains('?') && !handler.contains("&&");
        swallows && (about_tab || every)
    });
    traps.next()
}

/// Both sides are given in pixels and below 24.
fn is_small_target(view: &View, index: usize) -> bool {
    let style = view.style(index);
    let widget = view
        .role(index)
        .is_some_and(|role| role.kind == Kind::Widget);
    widget
        && view.is_focusable(index)
        && view.is_on_screen(index)
        && !matches!(style.display, Display::Inline | Display::Contents)
        && style
            .fixed_size()
            .is_some_and(|(wide, high)| wide < 24.0 && high < 24.0)
}

fn metas(report: &mut Report) {
    let tree = &report.view.tree;
    let metas: Vec<usize> = tree.tagged(&["meta"]).collect();
    for index in metas {
        let content = report.view.tree.attr(index, "content").unwrap_or_default();
        if report.view.tree.says(index, "name", "viewport") {
            viewport(report, index, content);
        }
        if report.view.tree.says(index, "http-equiv", "refresh") && reloads(content) {
            report.hit_with(&META_REFRESH, index, content.to_owned());
        }
    }
}

fn viewport(report: &mut Report, index: usize, content: &str) {
    let mut scalable = String::new();
    let mut largest = None;
    for part in content.split([';', ',']) {
        let Some((name, value)) = part.split_once('=') else {
            continue;
        };
        let value = value.trim().to_ascii_lowercase();
        match name.trim().to_ascii_lowercase().as_str() {
            "user-scalable" => scalable = value,
            "maximum-scale" if value == "yes" => largest = Some(1.0),
            "maximum-scale" => largest = leading_number(&value).filter(|scale| *scale >= 0.0),
            _ => {}
        }
    }
    let number = leading_number(&scalable);
    let fixed = scalable == "no" || number.is_some_and(|number| number > -1.0 && number < 1.0);
    if fixed || largest.is_some_and(|scale| scale < 2.0) {
        report.hit_with(&META_VIEWPORT, index, content.to_owned());
    }
    if largest.is_some_and(|scale| (2.0..5.0).contains(&scale)) {
        report.hit_with(&META_VIEWPORT_LARGE, index, content.to_owned());
    }
}

/// The number at the start of a text, as scripts read it.
fn leading_number(text: &str) -> Option<f64> {
    let end = text
        .find(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | '-' | '+')))
        .unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

/// Reloads or redirects after a while, but not after a day.
fn reloads(content: &str) -> bool {
    let delay = content
        .trim()
        .split([';', ',', ' '])
        .next()
        .unwrap_or_default();
    let delay = delay.parse::<f64>();
    delay.is_ok_and(|seconds| seconds > 0.0 && seconds <= 72_000.0)
}
