//! Do links lead somewhere that the fetched pages do not show? Which addresses have to be asked,
//! and what is wrong with those that answer an error. Who asks is not decided here.

use std::collections::HashMap;
use std::hash::BuildHasher;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::Site;

const BROKEN: Rule = Rule::seo("link-broken");
const EXTERNAL_BROKEN: Rule = Rule::seo("link-external-broken");
pub(crate) const RULES: &[Rule] = &[EXTERNAL_BROKEN];

/// An address that links name and that is not among the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub url: String,
    /// On the site of the pages.
    pub internal: bool,
    /// Pages that link there.
    pub pages: usize,
}

/// What links of the pages lead to beside the pages themselves, in the order of the pages.
pub fn targets(site: &Site) -> Vec<Target> {
    let known = known(site);
    let mut targets: Vec<Target> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for named in site.each(named) {
        for (url, internal) in named {
            if known.contains(&url) {
                continue;
            }
            let place = *places.entry(url.clone()).or_insert(targets.len());
            match targets.get_mut(place) {
                Some(target) => target.pages += 1,
                None => targets.push(Target {
                    url,
                    internal,
                    pages: 1,
                }),
            }
        }
    }
    targets
}

/// The links to addresses of which it is known that they answer an error.
pub fn check<H: BuildHasher + Sync>(
    site: &Site,
    statuses: &HashMap<String, u16, H>,
) -> Vec<Finding> {
    let found = site.each(|document| check_page(document, statuses));
    found.into_iter().flatten().collect()
}

fn check_page<H: BuildHasher>(
    document: &Document,
    statuses: &HashMap<String, u16, H>,
) -> Vec<Finding> {
    let mut found = Collector::new(document);
    for link in document.links() {
        let status = statuses.get(&plain(&link.target)).copied();
        let (Some(status), Some(element)) = (
            status.filter(|status| *status >= 400),
            document.element(link.node),
        ) else {
            continue;
        };
        let rule = if is_internal(document, &link.target) {
            &BROKEN
        } else {
            &EXTERNAL_BROKEN
        };
        let evidence = format!("{} answers {status}", link.target);
        found.element(rule, element, &evidence);
    }
    found.finish()
}

/// The addresses of the pages, and those that redirected to them.
fn known(site: &Site) -> FxHashSet<String> {
    let pages = site.pages.iter();
    let all = pages.flat_map(|page| std::iter::once(&page.url).chain(&page.redirects));
    let urls = all.filter_map(|url| url::Url::parse(url).ok());
    urls.map(|url| plain(&url)).collect()
}

/// Each address that a page links to once, and whether it is on the same site.
fn named(document: &Document) -> Vec<(String, bool)> {
    let mut named: Vec<(String, bool)> = Vec::new();
    let mut seen = FxHashSet::default();
    for link in document.links() {
        let url = plain(&link.target);
        if link.target.scheme().starts_with("http") && seen.insert(url.clone()) {
            named.push((url, is_internal(document, &link.target)));
        }
    }
    named
}

fn is_internal(document: &Document, target: &url::Url) -> bool {
    let site = |url: &url::Url| (url.host_str().map(str::to_owned), url.port());
    document.url().is_some_and(|url| site(url) == site(target))
}

fn plain(url: &url::Url) -> String {
    let mut plain = url.clone();
    plain.set_fragment(None);
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{page_at, with_site};

    #[test]
    fn what_is_not_among_the_pages_is_asked_once() {
        let pages = [
            page_at(
                "https://a.example/",
                "<a href=/b>b</a><a href=/gone#x>x</a><a href=/gone>y</a><a href='https://other.example/'>o</a><a href='mailto:a@b'>m</a>",
            ),
            page_at("https://a.example/b", "<a href=/gone>z</a>"),
        ];
        let (asked, broken) = with_site(&pages, &[], |site| {
            let asked = targets(site);
            let statuses = asked.iter().map(|target| (target.url.clone(), 404));
            let statuses: FxHashMap<String, u16> = statuses.collect();
            (asked.clone(), check(site, &statuses))
        });
        let asked: Vec<_> = asked
            .iter()
            .map(|target| (target.url.as_str(), target.internal, target.pages))
            .collect();
        assert_eq!(
            asked,
            [
                ("https://a.example/gone", true, 2),
                ("https://other.example/", false, 1)
            ]
        );
        let broken: Vec<_> = broken
            .iter()
            .map(|finding| (finding.rule.as_str(), finding.place.page.as_str()))
            .collect();
        assert_eq!(
            broken,
            [
                ("link-broken", "https://a.example/"),
                ("link-broken", "https://a.example/"),
                ("link-external-broken", "https://a.example/"),
                ("link-broken", "https://a.example/b"),
            ]
        );
    }
}
