//! Can everybody use this page? WCAG 2.2 checks that the HTML and its style sheets allow.
//! Scripts do not run here: what they change is judged as it was sent.

mod aria;
mod name;
mod report;
mod rules;
mod style;
mod tree;
mod view;

use std::fmt::Write as _;
use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use rules::catalog::{Family, RULES, find as find_rule};

use crate::document::Document;
use crate::finding::{Finding, Place};
use crate::page::{Asset, AssetKind};
use crate::rule::Rule;
use report::{Hit, Report};
use style::sheet::Sheet;
use view::View;

/// One rule is told at most this often per page; the rest is only counted.
const MOST_PER_RULE: usize = 500;

/// Where styles are not known, contrast and visibility are not judged.
pub const STYLES_CUT: Rule = Rule::accessibility("styles-cut");

/// What was found in one page.
#[derive(Clone, Debug, Default)]
pub struct CheckedPage {
    pub findings: Vec<Finding>,
    /// Texts whose contrast cannot be told without a browser.
    pub undecided: usize,
    /// Findings that were left out, because there were too many of one rule.
    pub left_out: usize,
}

/// Everything that is wrong with a page.
pub fn check(document: &Document, assets: &[Asset]) -> Vec<Finding> {
    Checker::default().check(document, assets).findings
}

/// What is wrong with a page in one family of rules.
pub fn check_family(document: &Document, assets: &[Asset], family: Family) -> Vec<Finding> {
    Checker::default()
        .check_families(document, assets, &[family])
        .findings
}

/// All families, in the order in which they are told.
pub const FAMILIES: [Family; 7] = [
    Family::AltText,
    Family::Labels,
    Family::Landmarks,
    Family::Aria,
    Family::Keyboard,
    Family::Contrast,
    Family::Structure,
];

/// Checks pages that share style sheets, reading each sheet once.
#[derive(Default)]
pub struct Checker {
    sheets: FxHashMap<[u8; 32], Arc<Sheet>>,
}

impl Checker {
    pub fn check(&mut self, document: &Document, assets: &[Asset]) -> CheckedPage {
        self.check_families(document, assets, &FAMILIES)
    }

    pub fn check_families(
        &mut self,
        document: &Document,
        assets: &[Asset],
        families: &[Family],
    ) -> CheckedPage {
        let sheets = self.sheets_of(document, assets);
        let view = View::new(document.html(), sheets);
        let mut report = Report::new(&view);
        for family in families {
            match family {
                Family::AltText => rules::alt_text::check(&mut report),
                Family::Labels => rules::labels::check(&mut report),
                Family::Landmarks => rules::landmarks::check(&mut report),
                Family::Aria => rules::aria::check(&mut report),
                Family::Keyboard => rules::keyboard::check(&mut report),
                Family::Contrast => rules::contrast::check(&mut report),
                Family::Structure => rules::structure::check(&mut report),
            }
        }
        tell(document, &view, report)
    }

    /// The sheets of a page in the order in which it has them.
    fn sheets_of(&mut self, document: &Document, assets: &[Asset]) -> Vec<Arc<Sheet>> {
        let mut sheets = Vec::new();
        for element in document.named_any(&["link", "style"]) {
            let value = element.value();
            if value
                .attr("media")
                .is_some_and(|media| !style::holds(media))
            {
                continue;
            }
            if value.name() == "style" {
                let text: String = element.text().collect();
                sheets.push(self.sheet(&text));
                continue;
            }
            let relation = value.attr("rel").unwrap_or_default().to_ascii_lowercase();
            let mut words = relation.split_ascii_whitespace();
            if relation.contains("alternate") || !words.any(|word| word == "stylesheet") {
                continue;
            }
            let address = value.attr("href").and_then(|href| document.resolve(href));
            let loaded = assets.iter().find(|asset| {
                asset.kind == AssetKind::Style
                    && address
                        .as_ref()
                        .is_some_and(|address| address.as_str() == asset.url)
            });
            if let Some(asset) = loaded {
                sheets.push(self.sheet(&asset.text));
            }
        }
        sheets
    }

    fn sheet(&mut self, text: &str) -> Arc<Sheet> {
        let digest = *blake3::hash(text.as_bytes()).as_bytes();
        let sheet = self
            .sheets
            .entry(digest)
            .or_insert_with(|| Arc::new(Sheet::parse(text)));
        Arc::clone(sheet)
    }
}

fn tell(document: &Document, view: &View, report: Report) -> CheckedPage {
    let mut checked = CheckedPage {
        undecided: report.undecided,
        ..CheckedPage::default()
    };
    // By rule: how many there were, and where the last listed one stands.
    let mut counts: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
    for Hit { rule, index, note } in report.hits {
        let (count, last) = counts.entry(rule.name).or_default();
        *count += 1;
        if *count > MOST_PER_RULE {
            checked.left_out += 1;
            continue;
        }
        *last = checked.findings.len();
        let Some(element) = view.tree.element(index) else {
            continue;
        };
        let tag = document.tag(element);
        let evidence = if note.is_empty() {
            tag
        } else {
            format!("{note}: {tag}")
        };
        let place: Place = document.place(element);
        checked.findings.push(rule.at(place, &evidence));
    }
    for (count, last) in counts.into_values() {
        let more = count.saturating_sub(MOST_PER_RULE);
        if let Some(finding) = checked.findings.get_mut(last).filter(|_| more > 0) {
            // Writing to a string cannot fail.
            let _ = write!(finding.evidence, " (and {more} more on this page)");
        }
    }
    if view.unsure() {
        let evidence = "not all style sheets were applied";
        let finding = STYLES_CUT.at(document.whole(), evidence);
        checked.findings.push(finding);
    }
    checked
}

#[cfg(test)]
mod tests;
