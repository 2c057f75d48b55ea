//! How are findings shown on a page? A count by severity, then each rule with its mend
//! and the places where it is broken.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{anchor, spot};
use crate::clean::{self, escape};
use crate::coded;
use crate::grouping::{Group, Spot, groups, tally};
use crate::model::{Findings, Severity};

/// Places of a rule that stand open; the others unfold.
const UNFOLDED: usize = 4;
/// A page can hold many; a person does not read all.
const MOST_PLACES: usize = 60;

pub(crate) fn html(findings: &Findings, anchored: &mut BTreeSet<String>) -> String {
    let mut html = String::from("<section class=\"findings\">\n");
    if !findings.title.is_empty() {
        writeln!(html, "<h3>{}</h3>", escape(&clean::line(&findings.title))).ok();
    }
    if findings.items.is_empty() {
        html.push_str("<p class=\"note\">Nothing was found.</p>\n</section>\n");
        return html;
    }
    html.push_str("<p class=\"tally\">");
    for (severity, count) in tally(&findings.items) {
        write!(
            html,
            "<span class=\"pill {}\">{count} {}</span> ",
            class(severity),
            severity.name().to_lowercase()
        )
        .ok();
    }
    html.push_str("</p>\n");
    for group in groups(&findings.items, MOST_PLACES) {
        // No level of headings is left out.
        let level = if findings.title.is_empty() { 3 } else { 4 };
        group_into(&mut html, &group, level, anchored);
    }
    html.push_str("</section>\n");
    html
}

fn class(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::Serious => "serious",
        Severity::Moderate => "moderate",
        Severity::Minor => "minor",
    }
}

fn group_into(html: &mut String, group: &Group, level: u8, anchored: &mut BTreeSet<String>) {
    // An anchor leads to the worst findings of a rule, which come first.
    let id = if anchored.insert(group.rule.clone()) {
        format!(" id=\"{}\"", anchor(&group.rule))
    } else {
        String::new()
    };
    write!(
        html,
        "<article class=\"finding {0}\"{id}>\n<h{5} class=\"problem\"><span class=\"pill {0}\">{1}</span> {2}</h{5}>\n<p class=\"facts\">{3}{4}</p>\n",
        class(group.severity),
        group.severity.name(),
        coded::html(group.heading()),
        escape(&group.facts()),
        rule_link(group),
        level
    )
    .ok();
    if !group.why.is_empty() || !group.mend.is_empty() {
        html.push_str("<p class=\"mend\">");
        if !group.why.is_empty() {
            write!(html, "{} ", coded::html(&group.why)).ok();
        }
        if !group.mend.is_empty() {
            write!(html, "<strong>Mend:</strong> {}", coded::html(&group.mend)).ok();
        }
        html.push_str("</p>\n");
    }
    places(html, group);
    html.push_str("</article>\n");
}

fn rule_link(group: &Group) -> String {
    if group.link.is_empty() {
        return String::new();
    }
    format!(
        " · <a href=\"{}\">{}</a>",
        escape(&group.link),
        escape(group.link_text())
    )
}

/// The first places, and the others folded away.
fn places(html: &mut String, group: &Group) {
    let told = |spot: &&Spot| {
        !(spot.page.is_empty() && spot.element.is_empty() && spot.evidence.is_empty())
    };
    let spots: Vec<&Spot> = group.places.iter().filter(told).collect();
    let (shown, folded) = spots.split_at(spots.len().min(UNFOLDED));
    list(html, shown, 0);
    let count = folded.len() + group.hidden();
    if folded.is_empty() && count == 0 {
        return;
    }
    writeln!(html, "<details>\n<summary>{count} more places</summary>").ok();
    list(html, folded, group.hidden());
    html.push_str("</details>\n");
}

fn list(html: &mut String, spots: &[&Spot], hidden: usize) {
    if spots.is_empty() {
        return;
    }
    html.push_str("<ul>\n");
    for place in spots {
        spot::html(html, &place.page, &place.element, &place.evidence);
    }
    if hidden > 0 {
        writeln!(
            html,
            "<li class=\"more\">and {hidden} more that are not listed</li>"
        )
        .ok();
    }
    html.push_str("</ul>\n");
}
