//! How is an action shown on a page? What to do, how urgent and how costly it is, and where:
//! places with what was found there, and a link to all findings of the rule.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{anchor, spot, table};
use crate::clean::{self, escape};
use crate::coded;
use crate::model::Action;
use crate::plan;

pub(super) fn html(items: &[Action], start: usize, rules: &BTreeSet<String>) -> String {
    let (full, rest) = plan::split(items, start);
    let begins = start.saturating_sub(1);
    let mut html = format!(
        "<ol class=\"actions\" style=\"counter-reset: action {begins}\" start=\"{start}\">\n"
    );
    for action in full {
        write!(
            html,
            "<li>\n<p class=\"action-title\"><strong>{}</strong>",
            coded::html(&clean::line(&action.title))
        )
        .ok();
        tags(&mut html, action);
        html.push_str("</p>\n");
        if !action.detail.is_empty() {
            writeln!(html, "<p>{}</p>", coded::html(&action.detail)).ok();
        }
        places(&mut html, action, rules);
        html.push_str("</li>\n");
    }
    html.push_str("</ol>\n");
    if let Some(rest) = rest {
        html.push_str(&table::html(&rest));
    }
    html
}

fn tags(html: &mut String, action: &Action) {
    for (name, value) in [
        ("Priority: ", &action.priority),
        ("", &action.impact),
        ("Effort: ", &action.effort),
        ("", &action.domain),
    ] {
        if !value.is_empty() {
            let text = escape(&clean::line(value));
            write!(html, " <span class=\"tag\">{name}{text}</span>").ok();
        }
    }
}

fn places(html: &mut String, action: &Action, rules: &BTreeSet<String>) {
    let linked = rules.contains(&action.rule);
    if action.places.is_empty() && !linked {
        return;
    }
    html.push_str("<ul class=\"places\">\n");
    for place in &action.places {
        spot::html(html, &place.page, &place.element, &place.evidence);
    }
    let more = match action.more {
        0 => String::new(),
        count => format!("and {count} more"),
    };
    if linked && (action.more > 0 || action.places.is_empty()) {
        let text = if more.is_empty() { "where" } else { &more };
        let target = anchor(&action.rule);
        writeln!(
            html,
            "<li class=\"more\"><a href=\"#{target}\">{text}</a></li>"
        )
        .ok();
    } else if !more.is_empty() {
        writeln!(html, "<li class=\"more\">{more}</li>").ok();
    }
    html.push_str("</ul>\n");
}
