//! What is checked? A site is some fetched pages and what they load; every check takes one
//! and gives back findings, and rows of facts that make a table.

use crate::document::Document;
use crate::documents::{Digest, Documents};
use crate::finding::Severity::{Moderate, Serious};
use crate::finding::{Domain, Finding};
use crate::page::{Asset, Page};
use crate::rule::Effort::Medium;
use crate::rule::Rule;

/// Whatever a check looks for, it saw only the front part of the page.
const PAGE_CUT: Rule = Rule::seo(
    "page-cut",
    Moderate,
    Medium,
    "Make the page small enough to be checked",
    "Make the page small enough to be checked: what comes after the bounds of size, nesting and attributes was not looked at.",
    "",
);
/// The rule about pages that answer an error.
pub(crate) const UNREACHABLE: &str = "page-error";
/// Whatever a check found, it was in an error page.
const PAGE_ERROR: Rule = Rule::seo(
    UNREACHABLE,
    Serious,
    Medium,
    "Let the page answer without an error",
    "Let the page answer without an error, or remove what leads to it; then check it again.",
    "RFC 9110 15.5",
);

/// Pages to check, with the shelf their parsed documents come from.
pub struct Site<'a> {
    documents: &'a Documents,
    /// The first page is where visitors start.
    pub pages: &'a [Page],
    pub assets: &'a [Asset],
    digests: Vec<Digest>,
}

impl<'a> Site<'a> {
    pub fn new(documents: &'a Documents, pages: &'a [Page], assets: &'a [Asset]) -> Self {
        Self {
            documents,
            pages,
            assets,
            digests: pages.iter().map(Digest::of).collect(),
        }
    }

    /// What `read` makes of every page, in order.
    pub fn each<R>(&self, mut read: impl FnMut(&Document) -> R) -> Vec<R> {
        let pages = self.pages.iter().zip(&self.digests);
        let read = pages.map(|(page, digest)| self.documents.read_as(*digest, page, &mut read));
        read.collect()
    }

    /// What `read` makes of one page, by its place among them.
    pub(crate) fn read<R>(&self, number: usize, read: impl FnOnce(&Document) -> R) -> Option<R> {
        let (page, digest) = (self.pages.get(number)?, self.digests.get(number)?);
        Some(self.documents.read_as(*digest, page, read))
    }

    /// What keeps the checks of a domain from telling how good a page is.
    pub fn notes(&self, domain: Domain) -> Vec<Finding> {
        let notes = self.each(|document| {
            let status = document.page().status;
            let failed = matches!(domain, Domain::Seo | Domain::Performance) && status >= 400;
            let told = |rule: Rule, evidence: &str| {
                let rule = Rule { domain, ..rule };
                rule.at(document.whole(), evidence)
            };
            let failed = failed.then(|| told(PAGE_ERROR, &format!("status {status}")));
            let cut = (!document.complete())
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
        check(&deep, Domain::Seo, &["page-cut", "page-error"]);
        check(&deep, Domain::Security, &["page-cut"]);
    }
}
