//! What is checked? A site is some fetched pages and what they load; every check takes one
//! and gives back findings, and rows of facts that make a table.

use crate::document::Document;
use crate::documents::{Digest, Documents};
use crate::finding::Finding;
use crate::page::{Asset, Page};

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
