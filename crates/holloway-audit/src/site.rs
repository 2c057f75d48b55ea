//! What is checked? A site is some fetched pages and what they load; every check takes one
//! and gives back findings, and rows of facts that make a table.

use crate::document::Document;
use crate::documents::{Digest, Documents};
use crate::finding::{Domain, Finding};
use crate::page::{Asset, Page};
use crate::rule::Rule;

/// Whatever a check looks for, it saw only the front part of the page.
const PAGE_CUT: Rule = Rule::seo("page-cut");
/// The rule about pages that answer an error.
pub(crate) const UNREACHABLE: &str = "page-error";
/// Whatever a check found, it was in an error page.
const PAGE_ERROR: Rule = Rule::seo(UNREACHABLE);
pub(crate) const RULES: &[Rule] = &[PAGE_CUT, PAGE_ERROR];

/// Pages to check, with the shelf their parsed documents come from.
pub struct Site<'a> {
    documents: &'a Documents,
    /// The first page is where visitors start.
    pub pages: &'a [Page],
    pub assets: &'a [Asset],
    /// Addresses that the site itself offers to search engines, in its sitemap.
    pub listed: &'a [String],
    digests: Vec<Digest>,
    /// The places of pages that are no error pages.
    answered: Vec<usize>,
}

impl<'a> Site<'a> {
    pub fn new(documents: &'a Documents, pages: &'a [Page], assets: &'a [Asset]) -> Self {
        Self {
            documents,
            pages,
            assets,
            listed: &[],
            digests: pages.iter().map(Digest::of).collect(),
            answered: (0..pages.len())
                .filter(|index| pages.get(*index).is_some_and(is_answered))
                .collect(),
        }
    }

    /// The same with what the sitemap lists.
    pub fn with_listed(mut self, listed: &'a [String]) -> Self {
        self.listed = listed;
        self
    }

    /// The pages that are no error pages.
    pub fn answered(&self) -> impl Iterator<Item = &'a Page> {
        self.pages.iter().filter(|page| is_answered(page))
    }

    /// What `read` makes of every page that answered, in order. What an error page looks like
    /// is nobody's concern.
    pub fn each<R>(&self, mut read: impl FnMut(&Document) -> R) -> Vec<R> {
        let numbers = 0..self.answered.len();
        let read = numbers.filter_map(|number| self.read(number, &mut read));
        read.collect()
    }

    /// The same with error pages: links lead to them, too.
    pub(crate) fn every<R>(&self, mut read: impl FnMut(&Document) -> R) -> Vec<R> {
        let pages = self.pages.iter().zip(&self.digests);
        let read = pages.map(|(page, digest)| self.documents.read_as(*digest, page, &mut read));
        read.collect()
    }

    /// What `read` makes of one page, by its place among those that answered.
    pub(crate) fn read<R>(&self, number: usize, read: impl FnOnce(&Document) -> R) -> Option<R> {
        let place = *self.answered.get(number)?;
        let (page, digest) = (self.pages.get(place)?, self.digests.get(place)?);
        Some(self.documents.read_as(*digest, page, read))
    }

    /// What keeps the checks of a domain from telling how good a page is.
    pub fn notes(&self, domain: Domain) -> Vec<Finding> {
        let notes = self.every(|document| {
            let status = document.page().status;
            let error = status >= 400;
            let failed = matches!(domain, Domain::Seo | Domain::Performance) && error;
            let told = |rule: Rule, evidence: &str| {
                let rule = Rule { domain, ..rule };
                rule.at(document.whole(), evidence)
            };
            let failed = failed.then(|| told(PAGE_ERROR, &format!("status {status}")));
            let cut = (!document.complete() && !error)
                .then(|| told(PAGE_CUT, "only the front part of the page was checked"));
            [failed, cut]
        });
        notes.into_iter().flatten().flatten().collect()
    }

    /// Parses the pages whose number leaves this rest, so that several threads can share the work.
    pub fn parse_share(&self, rest: usize, of: usize) {
        let pages = self.pages.iter().zip(&self.digests);
        for (page, digest) in pages.skip(rest).step_by(of.max(1)) {
            self.documents.read_as(*digest, page, |_| ());
        }
    }

    /// The findings and the row of every page, in order.
    pub fn rows<Row>(
        &self,
        mut read: impl FnMut(&Document) -> (Vec<Finding>, Row),
    ) -> Checked<Row> {
        let mut checked = Checked::default();
        for (findings, row) in self.each(&mut read) {
            checked.findings.extend(findings);
            checked.rows.push(row);
        }
        checked
    }
}

fn is_answered(page: &Page) -> bool {
    page.status < 400
}

/// What a check found, and what it learned about each page or thing.
#[derive(Clone, Debug)]
pub struct Checked<Row> {
    pub findings: Vec<Finding>,
    pub rows: Vec<Row>,
}

impl<Row> Default for Checked<Row> {
    fn default() -> Self {
        Self {
            findings: Vec::new(),
            rows: Vec::new(),
        }
    }
}

impl<Row> Checked<Row> {
    /// For checks that need one page at a time.
    pub(crate) fn page_by_page(
        site: &Site,
        check: impl FnMut(&Document) -> (Vec<Finding>, Vec<Row>),
    ) -> Self {
        let mut checked = Self::default();
        for (findings, rows) in site.each(check) {
            checked.findings.extend(findings);
            checked.rows.extend(rows);
        }
        checked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::check_domain;
    use crate::testing::{names, page, with_site};

    fn check(page: &Page, domain: Domain, expected: &[&str]) {
        let found = with_site(std::slice::from_ref(page), &[], |site| {
            let findings = check_domain(site, domain);
            let rules = ["page-cut", "page-error"];
            let told = names(&findings);
            rules.map(|rule| told.contains(rule).then_some(rule))
        });
        let found: Vec<_> = found.into_iter().flatten().collect();
        assert_eq!(found, expected, "{domain:?}");
    }

    #[test]
    fn pages_that_cannot_be_judged_are_told() {
        let whole = page("<p>");
        let mut deep = page(&"<div>".repeat(1000));
        for domain in crate::audit::DOMAINS {
            check(&whole, domain, &[]);
            check(&deep, domain, &["page-cut"]);
        }
        deep.status = 404;
        check(&deep, Domain::Seo, &["page-error"]);
        check(&deep, Domain::Security, &[]);
    }
}
