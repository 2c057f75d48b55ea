//! Can everybody use this page? WCAG 2.2 checks that the HTML and its style sheets allow.

use crate::document::Document;
use crate::finding::Finding;
use crate::page::Asset;
use crate::rule::Rule;

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {}

/// Every rule with its family.
pub static RULES: &[(&Rule, Family)] = &[];

/// Everything that is wrong with a page.
pub fn check(_document: &Document, _assets: &[Asset]) -> Vec<Finding> {
    Vec::new()
}
