//! How are findings of one page gathered? In order, with the place of each, and with a
//! bound per rule: a page with ten thousand equal mistakes has one mistake to mend.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use scraper::ElementRef;

use crate::document::Document;
use crate::finding::Finding;
use crate::rule::Rule;

/// Findings of one rule on one page beyond this are counted, not listed.
pub const PLACES: usize = 50;

/// The findings of one page under way.
pub struct Collector<'a> {
    document: &'a Document,
    found: Vec<Finding>,
    /// By rule: how many there were, and where the last listed one stands.
    counts: FxHashMap<&'static str, (usize, usize)>,
}

impl<'a> Collector<'a> {
    pub fn new(document: &'a Document) -> Self {
        Self {
            document,
            found: Vec::new(),
            counts: FxHashMap::default(),
        }
    }

    pub fn document(&self) -> &'a Document {
        self.document
    }

    /// The rule is broken by the page as a whole.
    pub fn page(&mut self, rule: &Rule, evidence: &str) {
        if self.counts(rule) {
            self.found.push(rule.at(self.document.whole(), evidence));
        }
    }

    /// The rule is broken by this element.
    pub fn element(&mut self, rule: &Rule, element: ElementRef, evidence: &str) {
        if self.counts(rule) {
            let place = self.document.place(element);
            self.found.push(rule.at(place, evidence));
        }
    }

    /// The rule is broken by this element, and its start tag shows how.
    pub fn tag(&mut self, rule: &Rule, element: ElementRef) {
        if self.counts(rule) {
            let evidence = self.document.tag(element);
            let place = self.document.place(element);
            self.found.push(rule.at(place, &evidence));
        }
    }

    /// Counts one more, and says whether it is to be listed.
    fn counts(&mut self, rule: &Rule) -> bool {
        let (count, last) = self.counts.entry(rule.name).or_default();
        *count += 1;
        if *count <= PLACES {
            *last = self.found.len();
        }
        *count <= PLACES
    }

    /// All findings; the last listed one of a rule says how many were left out.
    pub fn finish(mut self) -> Vec<Finding> {
        for (count, last) in self.counts.values() {
            if let Some(finding) = self.found.get_mut(*last).filter(|_| *count > PLACES) {
                let more = count - PLACES;
                // Writing to a string cannot fail.
                let _ = write!(finding.evidence, " (and {more} more on this page)");
            }
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;

    const RULE: Rule = Rule::seo("heading-empty");

    #[test]
    fn beyond_the_bound_findings_are_only_counted() {
        let page = Page {
            url: "https://example.com/".into(),
            html: "<p>".repeat(PLACES + 7),
            ..Page::default()
        };
        let document = Document::parse(&page);
        let mut collector = Collector::new(&document);
        for element in document.named("p") {
            collector.tag(&RULE, element);
        }
        let found = collector.finish();
        assert_eq!(found.len(), PLACES);
        assert_eq!(found[0].evidence, "<p>");
        assert_eq!(found[PLACES - 1].evidence, "<p> (and 7 more on this page)");
        assert_eq!(found[PLACES - 1].place.element, "body > p:nth-of-type(50)");
    }
}
