//! Is the focus to be seen? Style sheets that take the outline away must draw another.

use scraper::Selector;

use super::catalog::FOCUS_OUTLINE_REMOVED;
use crate::accessibility::report::Report;
use crate::accessibility::style::sheet::Focus;
use crate::accessibility::view::View;

/// More rules about the focus are not compared.
const MOST: usize = 300;

pub(crate) fn check(report: &mut Report) {
    let view = report.view;
    let all: Vec<&Focus> = view
        .sheets
        .iter()
        .flat_map(|sheet| &sheet.focus)
        .take(MOST)
        .collect();
    for focus in all.iter().filter(|focus| focus.removes && !focus.draws) {
        for selector in focus.selector.split(',') {
            let base = at_rest(selector);
            let replaced = all.iter().any(|other| {
                other.focused
                    && other.draws
                    && other
                        .selector
                        .split(',')
                        .any(|other| covers(&at_rest(other), &base))
            });
            // A pointer shows where it is; only the keyboard needs the outline.
            let only_pointer = selector.contains(":not(:focus-visible)");
            if replaced || only_pointer {
                continue;
            }
            if let Some(index) = first_focusable(view, &base) {
                let note = format!("{} takes the outline away", selector.trim());
                report.hit_with(&FOCUS_OUTLINE_REMOVED, index, note);
            }
        }
    }
}

/// The selector without the states of the focus.
fn at_rest(selector: &str) -> String {
    let mut base = selector.trim().to_owned();
    for state in [
        ":focus-visible",
        ":focus-within",
        ":focus",
        ":active",
        ":hover",
    ] {
        base = base.replace(state, "");
    }
    let base = base.replace(":not()", "");
    let base = base.trim();
    if base.is_empty() {
        "*".to_owned()
    } else {
        base.to_owned()
    }
}

/// Whether a rule for `wide` applies wherever one for `narrow` does, as far as seen.
fn covers(wide: &str, narrow: &str) -> bool {
    wide == "*" || wide == narrow || narrow.ends_with(&format!(" {wide}")) || narrow == "*"
}

fn first_focusable(view: &View, selector: &str) -> Option<usize> {
    let parsed = Selector::parse(selector).ok()?;
    view.tree
        .elements()
        .filter(|index| view.is_tabbable(*index))
        .take(1_000)
        .find(|index| {
            view.tree
                .element(*index)
                .is_some_and(|element| parsed.matches(&element))
        })
}
