//! How are findings shown on a page? A count by severity, then each rule with its mend
//! and the places where it is broken.

use std::fmt::Write as _;

use crate::clean::{self, escape};
use crate::coded;
use crate::grouping::{Group, Spot, groups, tally};
use crate::model::{Findings, Severity};

pub(crate) fn html(findings: &Findings) -> String {
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
    for group in groups(&findings.items) {
        group_into(&mut html, &group);
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

fn group_into(html: &mut String, group: &Group) {
    write!(
        html,
        "<article class=\"finding {0}\">\n<h4><span class=\"pill {0}\">{1}</span> {2}</h4>\n<p class=\"facts\">{3}</p>\n",
        class(group.severity),
        group.severity.name(),
        coded::html(group.heading()),
        escape(&group.facts())
    )
    .ok();
    if !group.mend.is_empty() {
        writeln!(html, "<p class=\"mend\">{}</p>", coded::html(&group.mend)).ok();
    }
    if group.places.iter().any(|spot| !is_empty(spot)) {
        html.push_str("<ul>\n");
        for spot in &group.places {
            spot_into(html, spot);
        }
        if group.hidden() > 0 {
            writeln!(html, "<li class=\"more\">and {} more</li>", group.hidden()).ok();
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</article>\n");
}

fn is_empty(spot: &Spot) -> bool {
    spot.page.is_empty() && spot.element.is_empty() && spot.evidence.is_empty()
}

fn spot_into(html: &mut String, spot: &Spot) {
    html.push_str("<li>");
    if !spot.page.is_empty() {
        match clean::outside_link(&spot.page) {
            Some(target) => write!(
                html,
                "<a href=\"{}\">{}</a>",
                escape(&target),
                escape(&spot.page)
            )
            .ok(),
            None => write!(html, "<span>{}</span>", escape(&spot.page)).ok(),
        };
    }
    if !spot.element.is_empty() {
        write!(html, " <code>{}</code>", escape(&spot.element)).ok();
    }
    if !spot.evidence.is_empty() {
        write!(
            html,
            "<span class=\"evidence\">{}</span>",
            escape(&spot.evidence)
        )
        .ok();
    }
    html.push_str("</li>\n");
}
