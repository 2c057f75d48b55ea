//! Are states and properties used as WAI-ARIA allows? Names, values, and whether they suit the
//! element and its role.

use super::super::catalog::{
    ARIA_ALLOWED_ATTR, ARIA_CONDITIONAL_ATTR, ARIA_PROHIBITED_ATTR, ARIA_VALID_ATTR,
    ARIA_VALID_ATTR_VALUE,
};
use crate::accessibility::aria::roles::{Kind, lists};
use crate::accessibility::aria::{attributes, elements};
use crate::accessibility::report::Report;
use crate::accessibility::view::View;

pub(super) fn check(report: &mut Report, index: usize) {
    let view = report.view;
    let tree = &view.tree;
    let given = || {
        tree.attrs(index)
            .filter(|(name, _)| name.starts_with("aria-"))
    };
    if let Some((name, _)) = given().find(|(name, _)| attributes::find(name).is_none()) {
        report.hit_with(&ARIA_VALID_ATTR, index, format!("{name} is not known"));
    }
    if let Some((name, value)) = given().find(|(name, value)| !is_valid(view, index, name, value)) {
        report.hit_with(&ARIA_VALID_ATTR_VALUE, index, format!("{name}=\"{value}\""));
    }
    if let Some(name) = given()
        .map(|(name, _)| name)
        .find(|name| !suits(view, index, name))
    {
        report.hit_with(
            &ARIA_ALLOWED_ATTR,
            index,
            format!("{name} does not suit the role"),
        );
    }
    if let Some(name) = prohibited(view, index) {
        report.hit_with(
            &ARIA_PROHIBITED_ATTR,
            index,
            format!("{name} is not allowed"),
        );
    }
    if contradicts(view, index) {
        report.hit(&ARIA_CONDITIONAL_ATTR, index);
    }
}

fn is_valid(view: &View, index: usize, name: &str, value: &str) -> bool {
    let Some(attribute) = attributes::find(name) else {
        return true;
    };
    let tree = &view.tree;
    let says = |name: &str, word: &str| tree.attr(index, name) == Some(word);
    let popup = tree
        .attr(index, "aria-haspopup")
        .is_some_and(|value| value != "false");
    // What these refer to is often made only when it is needed.
    let excused = match name {
        "aria-controls" => {
            says("aria-expanded", "false") || says("aria-selected", "false") || popup
        }
        "aria-owns" => says("aria-expanded", "false"),
        "aria-current" | "aria-describedby" | "aria-labelledby" => true,
        "aria-errormessage" => return is_message_told(view, index),
        _ => false,
    };
    if excused || (value.is_empty() && attribute.kind != attributes::Kind::Text) {
        return true;
    }
    let lower = value.trim().to_ascii_lowercase();
    if lower.is_empty() {
        return attribute.may_be_empty() || value.is_empty();
    }
    match attribute.kind {
        attributes::Kind::Words(words) => lists(words, &value.to_ascii_lowercase()),
        attributes::Kind::List(words) => value
            .split_ascii_whitespace()
            .all(|word| lists(words, word)),
        attributes::Kind::Id => tree.by_id(value).is_some(),
        attributes::Kind::Ids => !tree.references(index, name).is_empty(),
        attributes::Kind::Text => true,
        attributes::Kind::Decimal => is_decimal(value),
        attributes::Kind::Integer(least) => value
            .trim_start_matches('+')
            .parse::<i64>()
            .is_ok_and(|number| number >= least),
    }
}

fn is_decimal(value: &str) -> bool {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    plain && digits.matches('.').count() < 2 && digits.bytes().any(|byte| byte.is_ascii_digit())
}

/// The message of a field that is in error must be told somehow.
fn is_message_told(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    if matches!(tree.attr(index, "aria-invalid"), None | Some("false")) {
        return true;
    }
    let ids = tree.attr(index, "aria-errormessage").unwrap_or_default();
    let ids: Vec<&str> = ids.split_ascii_whitespace().collect();
    let &[id] = ids.as_slice() else {
        return ids.is_empty();
    };
    let Some(target) = tree.by_id(id) else {
        return true;
    };
    let described = tree.attr(index, "aria-describedby").unwrap_or_default();
    let live = matches!(tree.attr(target, "aria-live"), Some("assertive" | "polite"));
    let alert = view
        .explicit(target)
        .is_some_and(|role| role.name == "alert");
    view.is_exposed(target)
        && (alert || live || described.split_ascii_whitespace().any(|known| known == id))
}

fn suits(view: &View, index: usize, name: &str) -> bool {
    let tree = &view.tree;
    let Some(attribute) = attributes::find(name) else {
        return true;
    };
    let value = tree.attr(index, name).unwrap_or_default();
    if attribute.is_old() {
        return false;
    }
    if attribute.has_case() && value != value.to_ascii_lowercase() {
        let fallback = matches!(
            (name, value.to_ascii_lowercase().as_str()),
            ("aria-current" | "aria-required" | "aria-readonly", "true")
                | ("aria-busy" | "aria-multiline", "false")
        );
        return fallback;
    }
    if attribute.is_global() {
        let refused = elements::refuses_aria(tree.tag(index))
            || (matches!(tree.tag(index), "br" | "wbr" | "picture") && name != "aria-hidden");
        return !(refused && view.explicit(index).is_none());
    }
    let ignored = (name == "aria-required" && value == "false")
        || (name == "aria-multiline" && value == "false" && tree.has(index, "contenteditable"));
    let short = name.strip_prefix("aria-").unwrap_or(name);
    match view.role(index) {
        Some(role) => ignored || lists(role.allowed, short) || lists(role.required, short),
        // What an unknown element does with it is its own affair.
        None => ignored || (!is_html(view, index) && !view.is_focusable(index)),
    }
}

/// An element of HTML, not one of SVG or of the page's own making.
fn is_html(view: &View, index: usize) -> bool {
    !view.tree.is_svg(index) && !view.tree.tag(index).contains('-')
}

fn prohibited(view: &View, index: usize) -> Option<&'static str> {
    let tree = &view.tree;
    let names = match view.explicit_of_list(index) {
        Some(role) => role.prohibited,
        None if tree.tag(index).contains('-') || tree.is_svg(index) => "",
        None if !elements::naming_prohibited(view, index) || in_widget(view, index) => "",
        None => "label labelledby",
    };
    let mut found = None;
    for (short, name) in [("label", "aria-label"), ("labelledby", "aria-labelledby")] {
        if lists(names, short) && tree.filled(index, name) {
            found = Some(name);
        }
    }
    // With text inside, what a screen reader tells is not settled.
    found.filter(|_| view.visible_text(index, true).is_empty())
}

fn in_widget(view: &View, index: usize) -> bool {
    let mut around = view.tree.ancestors(index).filter_map(|up| view.role(up));
    let nearest = around.find(|role| !role.is_presentation());
    nearest.is_some_and(|role| role.kind == Kind::Widget)
}

/// The attribute says another state than the field has.
fn contradicts(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    match (tree.tag(index), view.role_name(index)) {
        ("input", "checkbox" | "radio") => {
            let native = matches!(view.input_type(index).as_str(), "checkbox" | "radio");
            let state = if tree.has(index, "checked") {
                "true"
            } else {
                "false"
            };
            let said = tree
                .attr(index, "aria-checked")
                .unwrap_or_default()
                .to_ascii_lowercase();
            let said = if matches!(said.as_str(), "true" | "mixed") {
                said
            } else {
                "false".to_owned()
            };
            native && tree.filled(index, "aria-checked") && said != state
        }
        (_, "row") => {
            let names = [
                "aria-posinset",
                "aria-setsize",
                "aria-expanded",
                "aria-level",
            ];
            let owner = tree.ancestors(index).find_map(|up| {
                let name = view.role_name(up);
                matches!(name, "table" | "grid" | "treegrid").then_some(name)
            });
            names.iter().any(|name| tree.has(index, name))
                && owner.is_some_and(|owner| owner != "treegrid")
        }
        _ => false,
    }
}
