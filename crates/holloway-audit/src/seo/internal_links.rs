//! Can visitors and robots get around the site? Links that lead to errors or redirects,
//! pages nobody links to, pages too deep, and link texts that say nothing.

use serde::Serialize;

use super::graph::{Graph, Node, Target};
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{self, Checked, Site};

const BROKEN: Rule = Rule::seo("link-broken");
const REDIRECTED: Rule = Rule::seo("link-redirected");
const ORPHAN: Rule = Rule::seo("page-orphaned");
const DEEP: Rule = Rule::seo("page-too-deep");
const TEXT_EMPTY: Rule = Rule::seo("link-text-empty");
const TEXT_VAGUE: Rule = Rule::seo("link-text-vague");
const ADDRESS_EMPTY: Rule = Rule::seo("link-without-target");
const NOFOLLOW: Rule = Rule::seo("link-internal-nofollow");

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
    let nodes = site.every(|document| Node {
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
    let mut checked = Checked::default();
    for (findings, row) in site.every(|document| {
        let (mut findings, row) = check_page(document, index, &graph, site);
        if document.page().status >= 400 {
            findings.clear();
        }
        if graph.incoming.get(index).is_some_and(|count| *count > 0) {
            linked.insert(document.page().url.clone());
        }
        index += 1;
        (findings, row)
    }) {
        checked.findings.extend(findings);
        checked.rows.push(row);
    }
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
