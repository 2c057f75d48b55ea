//! Does each page tell search engines what it is? Title, description, canonical address,
//! robots, viewport and language; what pages share is compared across the site.

use rustc_hash::FxHashMap;
use scraper::ElementRef;
use serde::Serialize;

use super::social_tags;
use crate::collect::Collector;
use crate::document::{Document, within};
use crate::finding::Finding;
use crate::finding::Severity::{Critical, Minor, Moderate, Serious};
use crate::rule::Effort::{Low, Medium};
use crate::rule::Rule;
use crate::site::{Checked, Site};

/// Titles beyond this are cut in results; below the least they say too little.
const TITLE: std::ops::RangeInclusive<usize> = 10..=65;
const DESCRIPTION: std::ops::RangeInclusive<usize> = 50..=170;

const TITLE_MISSING: Rule = Rule::seo(
    "title-missing",
    Critical,
    Low,
    "Give every page a title",
    "Add one <title> to the head that says what this page is about in 50 to 60 characters.",
    "HTML Standard 4.2.2",
);
const TITLE_REPEATED: Rule = Rule::seo(
    "title-repeated",
    Moderate,
    Low,
    "Keep one title element per page",
    "Remove all <title> elements from the page but the first.",
    "HTML Standard 4.2.2",
);
const TITLE_LENGTH: Rule = Rule::seo(
    "title-length",
    Minor,
    Low,
    "Bring titles to a length that results show whole",
    "Write a title of 50 to 60 characters (10 at least, 65 at most), the most telling words first.",
    "",
);
const TITLE_DUPLICATE: Rule = Rule::seo(
    "title-duplicate",
    Moderate,
    Medium,
    "Give every page its own title",
    "Write a title that tells this page from the others that share it now.",
    "",
);
const DESCRIPTION_MISSING: Rule = Rule::seo(
    "description-missing",
    Moderate,
    Medium,
    "Describe every page",
    "Add <meta name=\"description\"> with one or two sentences, 150 to 160 characters.",
    "HTML Standard 4.2.5.1",
);
const DESCRIPTION_LENGTH: Rule = Rule::seo(
    "description-length",
    Minor,
    Medium,
    "Bring descriptions to a length that results show whole",
    "Write a description of 150 to 160 characters (50 at least, 170 at most).",
    "",
);
const DESCRIPTION_DUPLICATE: Rule = Rule::seo(
    "description-duplicate",
    Minor,
    Medium,
    "Give every page its own description",
    "Write a description that tells this page from the others that share it now.",
    "",
);
const CANONICAL_MISSING: Rule = Rule::seo(
    "canonical-missing",
    Minor,
    Low,
    "Name the canonical address of every page",
    "Add <link rel=\"canonical\"> with the absolute address under which this page should be found.",
    "RFC 6596",
);
const CANONICAL_REPEATED: Rule = Rule::seo(
    "canonical-repeated",
    Serious,
    Low,
    "Keep one canonical address per page",
    "Remove all <link rel=\"canonical\"> but one: search engines ignore contradicting ones.",
    "RFC 6596",
);
const CANONICAL_INVALID: Rule = Rule::seo(
    "canonical-invalid",
    Serious,
    Low,
    "Mend canonical addresses that lead nowhere",
    "Give <link rel=\"canonical\"> an absolute http or https address.",
    "RFC 6596",
);
const CANONICAL_ELSEWHERE: Rule = Rule::seo(
    "canonical-other-host",
    Moderate,
    Low,
    "Check canonical addresses on other hosts",
    "Point the canonical address at this site, unless this page is meant to be found on the other host only.",
    "RFC 6596",
);
const NOINDEX_START: Rule = Rule::seo(
    "noindex-start",
    Critical,
    Low,
    "Let search engines list the start page",
    "Remove `noindex` from <meta name=\"robots\"> and the X-Robots-Tag header of the start page.",
    "Robots meta tag specification",
);
const NOINDEX: Rule = Rule::seo(
    "noindex",
    Minor,
    Low,
    "Check which pages are kept out of results",
    "Remove `noindex` from <meta name=\"robots\"> and the X-Robots-Tag header, unless the page is meant to stay out of results.",
    "Robots meta tag specification",
);
const VIEWPORT_MISSING: Rule = Rule::seo(
    "viewport-missing",
    Serious,
    Low,
    "Make pages fit small screens",
    "Add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"> to the head.",
    "CSS Viewport",
);
const VIEWPORT_FIXED: Rule = Rule::seo(
    "viewport-fixed-width",
    Moderate,
    Medium,
    "Follow the width of the device",
    "Use width=device-width in <meta name=\"viewport\"> instead of a fixed number of pixels.",
    "CSS Viewport",
);
const LANGUAGE_MISSING: Rule = Rule::seo(
    "language-missing",
    Moderate,
    Low,
    "Declare the language of every page",
    "Add the lang attribute to <html>, such as lang=\"en\".",
    "HTML Standard 3.2.6.2, WCAG 2.2 3.1.1",
);
const CHARSET_MISSING: Rule = Rule::seo(
    "charset-missing",
    Minor,
    Low,
    "Declare the character encoding",
    "Put <meta charset=\"utf-8\"> first in the head, or say it in the Content-Type header.",
    "HTML Standard 4.2.5.4",
);

pub(super) const RULES: &[Rule] = &[
    TITLE_MISSING,
    TITLE_REPEATED,
    TITLE_LENGTH,
    TITLE_DUPLICATE,
    DESCRIPTION_MISSING,
    DESCRIPTION_LENGTH,
    DESCRIPTION_DUPLICATE,
    CANONICAL_MISSING,
    CANONICAL_REPEATED,
    CANONICAL_INVALID,
    CANONICAL_ELSEWHERE,
    NOINDEX_START,
    NOINDEX,
    VIEWPORT_MISSING,
    VIEWPORT_FIXED,
    LANGUAGE_MISSING,
    CHARSET_MISSING,
];

/// What one page says about itself.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
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

pub fn check(site: &Site) -> Checked<Row> {
    let mut first = true;
    let mut checked = site.rows(|document| {
        let start = std::mem::take(&mut first);
        check_page(document, start)
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
    texts: impl Iterator<Item = (&'a Row, &'a str)>,
    rule: &'static Rule,
) -> Vec<(String, String, &'static Rule)> {
    let mut pages: FxHashMap<String, Vec<&Row>> = FxHashMap::default();
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

fn check_page(document: &Document, start: bool) -> (Vec<Finding>, Row) {
    let mut found = Collector::new(document);
    let title = check_title(&mut found);
    let description = document.meta("description").unwrap_or_default();
    let canonical = check_canonical(&mut found);
    let indexed = check_robots(&mut found, start);
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
    let row = Row {
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
    // Nobody looks for error pages, and nobody lists them.
    let findings = if document.page().status < 400 {
        found.finish()
    } else {
        Vec::new()
    };
    (findings, row)
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

fn check_robots(found: &mut Collector, start: bool) -> bool {
    let rule = if start { &NOINDEX_START } else { &NOINDEX };
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
