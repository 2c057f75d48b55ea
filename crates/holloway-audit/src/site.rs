//! What is checked? A site is some fetched pages and what they load; every check takes one
//! and gives back findings, and rows of facts that make a table.

use crate::document::Document;
use crate::documents::Documents;
use crate::finding::Finding;
use crate::page::{Asset, Page};

/// Pages to check, with the shelf their parsed documents come from.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    pub documents: &'a Documents,
    /// The first page is where visitors start.
    pub pages: &'a [Page],
    pub assets: &'a [Asset],
}

impl Site<'_> {
    /// What `read` makes of every page, in order.
    pub fn each<R>(&self, mut read: impl FnMut(&Document) -> R) -> Vec<R> {
        let pages = self.pages.iter();
        let read = pages.map(|page| self.documents.read(page, &mut read));
        read.collect()
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
