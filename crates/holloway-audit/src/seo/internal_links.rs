//! Can visitors and robots get around the site? Links that lead to errors or redirects,
//! pages nobody links to, pages too deep, and link texts that say nothing.

use serde::Serialize;

use super::graph::{Graph, Node, Target};
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::finding::Severity::{Minor, Moderate, Serious};
use crate::rule::Effort::{Low, Medium};
use crate::rule::Rule;
use crate::site::{self, Checked, Site};

const BROKEN: Rule = Rule::seo(
    "link-broken",
    Serious,
    Low,
    "Mend links that lead to errors",
    "Point the link at a page that exists, or remove it.",
    "RFC 9110 15.5",
);
const REDIRECTED: Rule = Rule::seo(
    "link-redirected",
    Minor,
    Low,
    "Link to final addresses",
    "Link to where the redirect leads, to save visitors and robots a round trip.",
    "RFC 9110 15.4",
);
const ORPHAN: Rule = Rule::seo(
    "page-orphaned",
    Moderate,
    Medium,
    "Link to pages that nobody links to",
    "Link to this page from a menu, an overview or a related page.",
    "",
);
const DEEP: Rule = Rule::seo(
    "page-too-deep",
    Minor,
    Medium,
    "Bring pages closer to the start",
    "Link to this page from an overview, so that it is at most three clicks from the start.",
    "",
);
const TEXT_EMPTY: Rule = Rule::seo(
    "link-text-empty",
    Moderate,
    Low,
    "Give every link a text",
    "Put text into the link, or give its image an alternative text.",
    "WCAG 2.2 2.4.4",
);
const TEXT_VAGUE: Rule = Rule::seo(
    "link-text-vague",
    Minor,
    Medium,
    "Let link texts say where they lead",
    "Name the target in the link text instead of “click here” or the like.",
    "WCAG 2.2 2.4.4",
);
const ADDRESS_EMPTY: Rule = Rule::seo(
    "link-without-target",
    Moderate,
    Low,
    "Give links an address that robots can follow",
    "Put a real address into href; use <button> for what only runs a script.",
    "HTML Standard 4.6.1",
);
const NOFOLLOW: Rule = Rule::seo(
    "link-internal-nofollow",
    Minor,
    Low,
    "Let robots follow links within the site",
    "Remove rel=\"nofollow\" from links to pages of this site.",
    "",
);

pub(super) const RULES: &[Rule] = &[
    BROKEN,
    REDIRECTED,
    ORPHAN,
    DEEP,
    TEXT_EMPTY,
    TEXT_VAGUE,
    ADDRESS_EMPTY,
    NOFOLLOW,
];

const DEEPEST: usize = 3;

const VAGUE: [&str; 20] = [
    "click here",
    "click",
    "here",
    "more",
    "read more",
    "learn more",
    "link",
    "this",
    "this page",
    "go",
    "details",
    "continue",
    "continue reading",
    "see more",
    "find out more",
    "hier",
    "mehr",
    "weiterlesen",
    "mehr erfahren",
    "hier klicken",
];

/// What is known about how a page is linked.
#[derive(Clone, Debug, Serialize)]
pub struct LinkRow {
    pub page: String,
    /// Pages of the given ones that link here, and that this one links to.
    pub incoming: usize,
    pub outgoing: usize,
    /// Different addresses on other hosts.
    pub external: usize,
    /// Different addresses on this site that are not among the given pages.
    pub unknown: usize,
    /// Clicks from the first page; none if no path of links leads here.
    pub depth: Option<usize>,
}

pub fn check(site: &Site) -> Checked<LinkRow> {
    let nodes = site.each(|document| Node {
        url: document.url().cloned(),
        redirects: document.page().redirects.clone(),
        targets: document
            .links()
            .iter()
            .map(|link| link.target.clone())
            .collect(),
    });
    let graph = Graph::new(&nodes);
    let mut index = 0;
    let mut linked = rustc_hash::FxHashSet::default();
    let mut checked = site.rows(|document| {
        let result = check_page(document, index, &graph, site);
        if graph.incoming.get(index).is_some_and(|count| *count > 0) {
            linked.insert(document.page().url.clone());
        }
        index += 1;
        result
    });
    // A page that answers an error is told where the links to it stand.
    checked.findings.retain(|finding| {
        finding.rule != site::UNREACHABLE || !linked.contains(&finding.place.page)
    });
    checked
}

fn check_page(
    document: &Document,
    index: usize,
    graph: &Graph,
    site: &Site,
) -> (Vec<Finding>, LinkRow) {
    let mut found = Collector::new(document);
    let depth = graph.depth.get(index).copied().flatten();
    let incoming = graph.incoming.get(index).copied().unwrap_or_default();
    // The start needs no links, and one page alone says nothing about a site.
    let inner = index > 0 && document.page().status < 400;
    if inner && incoming == 0 {
        let evidence = format!("none of the {} pages links here", site.pages.len());
        found.page(&ORPHAN, &evidence);
    }
    if let Some(depth) = depth.filter(|depth| inner && *depth > DEEPEST) {
        found.page(&DEEP, &format!("{depth} clicks from the start"));
    }
    let (external, unknown) = check_targets(&mut found, graph, site);
    check_texts(&mut found);
    let row = LinkRow {
        page: document.page().url.clone(),
        incoming,
        outgoing: graph.outgoing.get(index).copied().unwrap_or_default(),
        external,
        unknown,
        depth,
    };
    (found.finish(), row)
}

fn check_targets(found: &mut Collector, graph: &Graph, site: &Site) -> (usize, usize) {
    let document = found.document();
    let mut external = rustc_hash::FxHashSet::default();
    let mut unknown = rustc_hash::FxHashSet::default();
    for link in document.links() {
        let Some(element) = document.element(link.node) else {
            continue;
        };
        let target = graph.target(&link.target);
        match target {
            Target::External => {
                external.insert(link.target.as_str());
                continue;
            }
            Target::Unknown => {
                unknown.insert(link.target.as_str());
            }
            Target::Redirect(to) => {
                let to = site.pages.get(to).map_or("", |page| page.url.as_str());
                let evidence = format!("{} redirects to {to}", link.target);
                found.element(&REDIRECTED, element, &evidence);
            }
            Target::Page(to) => {
                let status = site.pages.get(to).map_or(0, |page| page.status);
                if status >= 400 {
                    let evidence = format!("{} answers {status}", link.target);
                    found.element(&BROKEN, element, &evidence);
                }
            }
        }
        if link.nofollow {
            found.tag(&NOFOLLOW, element);
        }
    }
    (external.len(), unknown.len())
}

fn check_texts(found: &mut Collector) {
    let document = found.document();
    for anchor in document.named("a") {
        let Some(address) = anchor.attr("href") else {
            continue;
        };
        let address = address.trim().to_ascii_lowercase();
        if address.is_empty() || address == "#" || address.starts_with("javascript:") {
            // A role says that it is meant as a button; robots do not follow those.
            if anchor.attr("role").is_none() {
                found.tag(&ADDRESS_EMPTY, anchor);
            }
            continue;
        }
        if document.is_hidden(anchor) {
            continue;
        }
        let text = document.label(anchor);
        let named = anchor.attr("aria-label").or(anchor.attr("aria-labelledby"));
        let has_label = || named.is_some_and(|name| !name.trim().is_empty());
        if text.is_empty() {
            if !has_label() && !has_named_picture(anchor) {
                found.tag(&TEXT_EMPTY, anchor);
            }
        } else if !has_label() && is_vague(&text) {
            found.element(&TEXT_VAGUE, anchor, &text);
        }
    }
}

/// A drawing with a title or label names the link as well as text does.
fn has_named_picture(anchor: scraper::ElementRef) -> bool {
    let mut inner = anchor.descendent_elements().skip(1);
    inner.any(|element| {
        let value = element.value();
        let label = value.attr("aria-label").or(value.attr("title"));
        value.name() == "title" || label.is_some_and(|label| !label.trim().is_empty())
    })
}

fn is_vague(text: &str) -> bool {
    let text = text.trim_end_matches(|last: char| !last.is_alphanumeric());
    let text = text.trim_start_matches(|first: char| !first.is_alphanumeric());
    VAGUE.iter().any(|vague| text.eq_ignore_ascii_case(vague))
}

#[cfg(test)]
mod tests;
