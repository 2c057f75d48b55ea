//! Does everything that can be operated have a name?

use super::catalog::{
    ARIA_COMMAND_NAME, ARIA_DIALOG_NAME, ARIA_INPUT_FIELD_NAME, ARIA_METER_NAME,
    ARIA_PROGRESSBAR_NAME, ARIA_TAB_NAME, ARIA_TOGGLE_FIELD_NAME, ARIA_TOOLTIP_NAME,
    ARIA_TREEITEM_NAME, BUTTON_NAME, FORM_FIELD_MULTIPLE_LABELS, INPUT_BUTTON_NAME, LABEL,
    LABEL_CONTENT_NAME_MISMATCH, LABEL_TITLE_ONLY, LINK_NAME, SELECT_NAME, SUMMARY_NAME,
};
use crate::accessibility::aria::roles::Kind;
use crate::accessibility::report::Report;
use crate::accessibility::view::View;
use crate::rule::Rule;

pub(crate) fn check(report: &mut Report) {
    report.each(&LABEL, &["input", "textarea"], |view, index| {
        takes_label(view, index) && !is_field_named(view, index, true)
    });
    report.each(&SELECT_NAME, &["select"], |view, index| {
        !is_field_named(view, index, false)
    });
    report.each(&INPUT_BUTTON_NAME, &["input"], |view, index| {
        needs_own_name(view, index) && is_nameless_button(view, index)
    });
    report.each(&BUTTON_NAME, &["button"], |view, index| {
        needs_own_name(view, index)
            && view.content_name(index).is_empty()
            && !view.is_named_by_attribute(index)
            && !is_labelled(view, index)
            && !is_presentational(view, index)
    });
    report.each(&LINK_NAME, &["a"], |view, index| {
        view.tree.has(index, "href") && is_nameless_link(view, index)
    });
    report.each(&SUMMARY_NAME, &["summary"], |view, index| {
        is_first_summary(view, index)
            && view.content_name(index).is_empty()
            && !view.is_named_by_attribute(index)
    });
    let fields = ["input", "select", "textarea"];
    report.each(&LABEL_TITLE_ONLY, &fields, |view, index| {
        takes_label(view, index) && has_title_only(view, index)
    });
    report.each(&FORM_FIELD_MULTIPLE_LABELS, &fields, |view, index| {
        takes_label(view, index) && has_many_labels(view, index)
    });
    super::autocomplete::check(report);
    by_role(report);
}

/// Elements with a role that needs a name, by `role` attribute.
fn by_role(report: &mut Report) {
    let view = report.view;
    for index in view.tree.elements() {
        if !view.is_exposed(index) {
            continue;
        }
        if let Some(role) = view.tree.attr(index, "role")
            && let Some((rule, by_content)) = rule_of(role)
            && !names_itself(view, index)
            && !is_named(view, index, by_content)
        {
            report.hit(rule, index);
        }
        if mismatches(view, index) {
            report.hit(&LABEL_CONTENT_NAME_MISMATCH, index);
        }
    }
}

/// The rule for a role, and whether content may be the name.
fn rule_of(role: &str) -> Option<(&'static Rule, bool)> {
    Some(match role {
        "link" | "button" | "menuitem" => (&ARIA_COMMAND_NAME, true),
        "dialog" | "alertdialog" => (&ARIA_DIALOG_NAME, false),
        "combobox" | "listbox" | "searchbox" | "slider" | "spinbutton" | "textbox" => {
            (&ARIA_INPUT_FIELD_NAME, false)
        }
        "meter" => (&ARIA_METER_NAME, false),
        "progressbar" => (&ARIA_PROGRESSBAR_NAME, false),
        "tab" => (&ARIA_TAB_NAME, true),
        "checkbox" | "menuitemcheckbox" | "menuitemradio" | "radio" | "switch" | "option" => {
            (&ARIA_TOGGLE_FIELD_NAME, true)
        }
        "tooltip" => (&ARIA_TOOLTIP_NAME, true),
        "treeitem" => (&ARIA_TREEITEM_NAME, true),
        _ => return None,
    })
}

fn is_named(view: &View, index: usize, by_content: bool) -> bool {
    (by_content && !view.content_name(index).is_empty()) || view.is_named_by_attribute(index)
}

/// Elements that HTML names in its own way have rules of their own.
fn names_itself(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let native = matches!(
        tree.tag(index),
        "button"
            | "input"
            | "select"
            | "textarea"
            | "img"
            | "area"
            | "summary"
            | "output"
            | "fieldset"
            | "figure"
            | "table"
            | "svg"
            | "hr"
            | "br"
    ) || (tree.tag(index) == "a" && tree.has(index, "href"));
    let role = view.explicit(index).map_or("", |role| role.name);
    let holds_field = role == "combobox"
        && tree
            .inside(index)
            .any(|next| tree.tag(next) == "input" && view.input_type(next) != "hidden");
    native || holds_field || (role == "listbox" && is_popup(view, index))
}

/// The list that belongs to a combobox is named by it.
fn is_popup(view: &View, index: usize) -> bool {
    let mut owners = view.tree.owners_of(index).iter().take(100);
    owners.any(|owner| view.role_name(*owner) == "combobox")
}

/// Without a role of its own, or with one that must have a name.
pub(crate) fn needs_own_name(view: &View, index: usize) -> bool {
    match view.explicit(index) {
        None => true,
        Some(role) => role.is_presentation() || role.needs_name() || view.is_focusable(index),
    }
}

pub(crate) fn is_presentational(view: &View, index: usize) -> bool {
    view.role(index)
        .is_some_and(super::super::aria::roles::Role::is_presentation)
}

fn takes_label(view: &View, index: usize) -> bool {
    view.tree.tag(index) != "input"
        || !matches!(
            view.input_type(index).as_str(),
            "hidden" | "image" | "button" | "submit" | "reset"
        )
}

/// A label around it, or one that refers to it.
pub(crate) fn is_labelled(view: &View, index: usize) -> bool {
    let around = view
        .tree
        .closest(index, |next| view.tree.tag(next) == "label");
    if around.is_some_and(|label| !view.label_says(label, index).is_empty()) {
        return true;
    }
    view.tree
        .labels_for(index)
        .iter()
        .any(|label| !view.is_on_screen(*label) || !view.label_says(*label, index).is_empty())
}

fn is_field_named(view: &View, index: usize, placeholder: bool) -> bool {
    let named = is_labelled(view, index)
        || view.is_named_by_attribute(index)
        || (placeholder && view.tree.filled(index, "placeholder"))
        || is_presentational(view, index);
    // A label that no screen reader tells counts only where something else names.
    let hidden_label = view.tree.labels_for(index).first().copied();
    let hidden = hidden_label.is_some_and(|label| !view.is_exposed(label));
    named && !(hidden && view.name(index).is_empty())
}

fn is_nameless_button(view: &View, index: usize) -> bool {
    let kind = view.input_type(index);
    if !matches!(kind.as_str(), "button" | "submit" | "reset") {
        return false;
    }
    let named_by_browser = kind != "button" && !view.tree.has(index, "value");
    !named_by_browser
        && !view.tree.filled(index, "value")
        && !view.is_named_by_attribute(index)
        && !is_labelled(view, index)
        && !is_presentational(view, index)
}

fn is_nameless_link(view: &View, index: usize) -> bool {
    let named = !view.content_name(index).is_empty() || view.is_named_by_attribute(index);
    !named || (view.is_tabbable(index) && view.name(index).is_empty())
}

fn is_first_summary(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let Some(parent) = tree.parent(index).filter(|up| tree.tag(*up) == "details") else {
        return false;
    };
    let mut children = tree.children(parent);
    children.find(|child| tree.tag(*child) == "summary") == Some(index)
}

fn has_title_only(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let described = tree.filled(index, "title") || tree.filled(index, "aria-describedby");
    if !described || tree.filled(index, "aria-label") || !view.referred_name(index).is_empty() {
        return false;
    }
    let label = tree.labels_for(index).first().copied();
    let around = tree.closest(index, |next| tree.tag(next) == "label");
    let mut labels = label.into_iter().chain(around);
    !labels.any(|label| !view.visible_text(label, true).is_empty())
}

fn has_many_labels(view: &View, index: usize) -> bool {
    let tree = &view.tree;
    let mut labels: Vec<usize> = tree
        .labels_for(index)
        .iter()
        .copied()
        .filter(|label| view.is_visible(*label))
        .collect();
    labels.extend(tree.ancestors(index).filter(|up| tree.tag(*up) == "label"));
    labels.sort_unstable();
    labels.dedup();
    if labels.len() < 2 {
        return false;
    }
    let heard: Vec<usize> = labels
        .into_iter()
        .filter(|label| view.is_exposed(*label))
        .collect();
    let referred = tree.references(index, "aria-labelledby");
    heard.len() > 1 || !heard.first().is_some_and(|label| referred.contains(label))
}

/// What is seen must be part of the name, or speech input does not find it.
fn mismatches(view: &View, index: usize) -> bool {
    let Some(role) = view.role(index) else {
        return false;
    };
    if role.kind != Kind::Widget || !role.named_by_content() {
        return false;
    }
    let label = view.tree.attr(index, "aria-label").unwrap_or_default();
    let labelled = !label.trim().is_empty() || !view.referred_name(index).is_empty();
    let states = [
        "switch",
        "checkbox",
        "radio",
        "menuitemcheckbox",
        "menuitemradio",
    ];
    if !labelled || states.contains(&role.name) {
        return false;
    }
    let seen = words(&view.visible_text(index, false));
    let name = words(&view.name(index));
    let letters = |words: &[String]| words.iter().map(|word| word.chars().count()).sum::<usize>();
    // One letter may be an icon.
    if letters(&seen) < 2 || letters(&name) < 2 {
        return false;
    }
    !name.windows(seen.len()).any(|part| part == seen)
}

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let parts = lower.split(|letter: char| !letter.is_alphanumeric());
    parts
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
