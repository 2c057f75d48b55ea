//! Does each page tell search engines what it is? Title, description, canonical address,
//! robots, viewport and language; what pages share is compared across the site.

mod rules;

use rustc_hash::FxHashMap;
use scraper::ElementRef;
use serde::Serialize;

pub(super) use rules::RULES;
use rules::{
    CANONICAL_ELSEWHERE, CANONICAL_INVALID, CANONICAL_MISSING, CANONICAL_REPEATED, CHARSET_MISSING,
    DESCRIPTION_DUPLICATE, DESCRIPTION_LENGTH, DESCRIPTION_MISSING, LANGUAGE_MISSING, NOINDEX,
    NOINDEX_LISTED, NOINDEX_START, TITLE_DUPLICATE, TITLE_LENGTH, TITLE_MISSING, TITLE_REPEATED,
    VIEWPORT_FIXED, VIEWPORT_MISSING,
};

use super::social_tags;
use crate::collect::Collector;
use crate::document::{Document, within};
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

/// Titles beyond this are cut in results; below the least they say too little.
const TITLE: std::ops::RangeInclusive<usize> = 10..=65;
const DESCRIPTION: std::ops::RangeInclusive<usize> = 50..=170;

/// What one page says about itself.
#[derive(Clone, Debug, Serialize)]
pub struct MetaTagsRow {
    pub page: String,
    pub title: String,
    pub title_length: usize,
    pub description: String,
    pub description_length: usize,
    pub canonical: String,
    pub indexed: bool,
    pub language: String,
    pub open_graph: bool,
}

pub fn check(site: &Site) -> Checked<MetaTagsRow> {
    let mut first = true;
    let mut checked = site.rows(|document| {
        let start = std::mem::take(&mut first);
        let rule = if start {
            &NOINDEX_START
        } else if lists(site.listed, document) {
            &NOINDEX_LISTED
        } else {
            &NOINDEX
        };
        check_page(document, rule)
    });
    let titles = checked.rows.iter().map(|row| (row, row.title.as_str()));
    let mut shared = duplicates(titles, &TITLE_DUPLICATE);
    let descriptions = checked.rows.iter();
    let descriptions = descriptions.map(|row| (row, row.description.as_str()));
    shared.extend(duplicates(descriptions, &DESCRIPTION_DUPLICATE));
    for (page, text, rule) in shared {
        let place = crate::finding::Place {
            page,
            element: String::new(),
        };
        checked.findings.push(rule.at(place, &text));
    }
    checked
}

/// Pages that say the same; those that stay out of results may repeat others.
fn duplicates<'a>(
    texts: impl Iterator<Item = (&'a MetaTagsRow, &'a str)>,
    rule: &'static Rule,
) -> Vec<(String, String, &'static Rule)> {
    let mut pages: FxHashMap<String, Vec<&MetaTagsRow>> = FxHashMap::default();
    let mut order = Vec::new();
    for (row, text) in texts.filter(|(row, text)| row.indexed && !text.is_empty()) {
        let own = row.canonical.is_empty() || row.canonical == row.page;
        let key = text.to_lowercase();
        let sharing = pages.entry(key.clone()).or_default();
        if !own || sharing.iter().any(|other| other.page == row.page) {
            continue;
        }
        if sharing.is_empty() {
            order.push((key, text));
        }
        sharing.push(row);
    }
    let mut found = Vec::new();
    for (key, text) in order {
        let sharing = pages.get(&key).map_or(&[][..], Vec::as_slice);
        if let [_, _, ..] = sharing {
            let evidence = format!("“{}” is also used by {} other", text, sharing.len() - 1);
            found.extend(
                sharing
                    .iter()
                    .map(|row| (row.page.clone(), evidence.clone(), rule)),
            );
        }
    }
    found
}

/// Whether the sitemap offers this page, under whatever address led here.
fn lists(listed: &[String], document: &Document) -> bool {
    let page = document.page();
    let mut addresses = std::iter::once(&page.url).chain(&page.redirects);
    addresses.any(|address| listed.contains(address))
}

fn check_page(document: &Document, noindex: &Rule) -> (Vec<Finding>, MetaTagsRow) {
    let mut found = Collector::new(document);
    let title = check_title(&mut found);
    let description = document.meta("description").unwrap_or_default();
    let canonical = check_canonical(&mut found);
    let indexed = check_robots(&mut found, noindex);
    check_viewport(&mut found);
    if document.language().is_none() {
        found.page(&LANGUAGE_MISSING, "<html> has no lang attribute");
    }
    check_charset(&mut found);
    let mut open_graph = social_tags::is_complete(document);
    if indexed {
        check_description(&mut found, description);
        if document.relations("canonical").next().is_none() {
            found.page(&CANONICAL_MISSING, "no <link rel=\"canonical\">");
        }
        open_graph = social_tags::check(&mut found, canonical.as_deref());
    }
    let row = MetaTagsRow {
        page: document.page().url.clone(),
        title_length: title.chars().count(),
        title,
        description_length: description.chars().count(),
        description: description.to_owned(),
        canonical: canonical.unwrap_or_default(),
        indexed,
        language: document.language().unwrap_or_default().to_owned(),
        open_graph,
    };
    (found.finish(), row)
}

/// Whether search engines may list this page: it was answered, and nothing forbids it.
pub(super) fn is_listed(document: &Document) -> bool {
    document.page().status < 400 && forbidden_by(document).is_none()
}

fn check_title(found: &mut Collector) -> String {
    let document = found.document();
    let titles: Vec<_> = document
        .named("title")
        .filter(|title| !within(*title, "svg"))
        .collect();
    for extra in titles.iter().skip(1) {
        found.element(&TITLE_REPEATED, *extra, &document.text(*extra));
    }
    let title = document.title().unwrap_or_default();
    let length = title.chars().count();
    if title.is_empty() {
        let what = if titles.is_empty() {
            "no <title>"
        } else {
            "<title> is empty"
        };
        found.page(&TITLE_MISSING, what);
    } else if !TITLE.contains(&length) {
        found.page(&TITLE_LENGTH, &format!("{length} characters: {title}"));
    }
    title
}

fn check_description(found: &mut Collector, description: &str) {
    let length = description.chars().count();
    if description.is_empty() {
        found.page(
            &DESCRIPTION_MISSING,
            "no <meta name=\"description\"> with content",
        );
    } else if !DESCRIPTION.contains(&length) {
        let evidence = format!("{length} characters: {description}");
        found.page(&DESCRIPTION_LENGTH, &evidence);
    }
}

fn check_canonical(found: &mut Collector) -> Option<String> {
    let document = found.document();
    let canonicals: Vec<ElementRef> = document.relations("canonical").collect();
    let first = canonicals.first()?;
    let different = canonicals
        .iter()
        .any(|link| link.attr("href") != first.attr("href"));
    if different {
        found.tag(&CANONICAL_REPEATED, *first);
    }
    let address = first.attr("href").unwrap_or_default();
    let target = document.resolve(address);
    let target =
        target.filter(|url| !address.trim().is_empty() && url.scheme().starts_with("http"));
    let Some(target) = target else {
        found.tag(&CANONICAL_INVALID, *first);
        return None;
    };
    if document.url().is_some_and(|url| host(url) != host(&target)) {
        found.tag(&CANONICAL_ELSEWHERE, *first);
    }
    Some(target.into())
}

/// `www` or not is the usual reason for a canonical address, not a sign of another site.
fn host(url: &url::Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

fn check_robots(found: &mut Collector, rule: &Rule) -> bool {
    match forbidden_by(found.document()) {
        None => return true,
        Some(Forbidden::Element(element)) => found.tag(rule, element),
        Some(Forbidden::Header(header)) => found.page(rule, &format!("X-Robots-Tag: {header}")),
    }
    false
}

/// What keeps a page out of results.
enum Forbidden<'a> {
    Element(ElementRef<'a>),
    Header(&'a str),
}

fn forbidden_by(document: &Document) -> Option<Forbidden<'_>> {
    let metas = ["robots", "googlebot"]
        .into_iter()
        .flat_map(|name| document.metas(name));
    let mut metas = metas.filter(|meta| forbids(meta.attr("content").unwrap_or_default()));
    let header = document.page().headers.get("x-robots-tag");
    let header = header.filter(|header| forbids(header));
    let by_header = header.map(|header| Forbidden::Header(header));
    metas.next().map(Forbidden::Element).or(by_header)
}

fn forbids(content: &str) -> bool {
    let mut words = content.split([',', ' ', ':']);
    words.any(|word| word.eq_ignore_ascii_case("noindex") || word.eq_ignore_ascii_case("none"))
}

fn check_viewport(found: &mut Collector) {
    let Some(element) = found.document().metas("viewport").next() else {
        found.page(&VIEWPORT_MISSING, "no <meta name=\"viewport\">");
        return;
    };
    let content = element.attr("content").unwrap_or_default();
    let parts = content.split([',', ';']);
    let mut parts = parts.filter_map(|part| part.split_once('='));
    let width = parts.find(|(name, _)| name.trim().eq_ignore_ascii_case("width"));
    if width.is_some_and(|(_, value)| value.trim().parse::<f64>().is_ok()) {
        found.tag(&VIEWPORT_FIXED, element);
    }
}

fn check_charset(found: &mut Collector) {
    let document = found.document();
    let header = document.page().headers.get("content-type");
    let in_header = header.is_some_and(|value| value.to_ascii_lowercase().contains("charset="));
    let mut metas = document.named("meta");
    let in_head = metas.any(|meta| {
        let content = meta.attr("content").unwrap_or_default();
        meta.attr("charset").is_some() || content.to_ascii_lowercase().contains("charset=")
    });
    if !in_header && !in_head {
        found.page(
            &CHARSET_MISSING,
            "no charset in the head nor in Content-Type",
        );
    }
}

#[cfg(test)]
mod tests;
