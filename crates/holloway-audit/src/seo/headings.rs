//! Do the headings of a page make an outline? One first level, no level left out, none empty.

use scraper::ElementRef;
use serde::Serialize;

use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::{Rule, shorten};
use crate::site::{Checked, Site};

const FIRST_MISSING: Rule = Rule::seo("heading-first-missing");
const FIRST_REPEATED: Rule = Rule::seo("heading-first-repeated");
const SKIPPED: Rule = Rule::seo("heading-level-skipped");
const EMPTY: Rule = Rule::seo("heading-empty");
const LONG: Rule = Rule::seo("heading-too-long");

pub(super) const RULES: &[Rule] = &[FIRST_MISSING, FIRST_REPEATED, SKIPPED, EMPTY, LONG];

const LONGEST: usize = 120;
const NAMES: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

/// One heading of a page.
#[derive(Clone, Debug, Serialize)]
pub struct HeadingRow {
    pub page: String,
    pub level: usize,
    pub text: String,
}

/// Headings of a page beyond this are checked but not listed.
const LISTED: usize = 200;

pub fn check(site: &Site) -> Checked<HeadingRow> {
    Checked::page_by_page(site, check_page)
}

fn check_page(document: &Document) -> (Vec<Finding>, Vec<HeadingRow>) {
    let mut found = Collector::new(document);
    let headings = document.named_any(&NAMES).into_iter();
    let headings: Vec<_> = headings
        .filter(|heading| !document.is_hidden(*heading))
        .collect();
    check_first(&mut found, &headings);
    let mut rows = Vec::new();
    let mut previous = 0;
    for heading in headings {
        let level = level(heading);
        let text = document.label(heading);
        check_text(&mut found, heading, &text);
        // Before the main heading, a menu or banner may have lower ones.
        if previous > 0 && level > previous + 1 {
            let evidence = format!("h{level} after h{previous}: {text}");
            found.element(&SKIPPED, heading, &evidence);
        }
        previous = level;
        if rows.len() < LISTED {
            rows.push(HeadingRow {
                page: document.page().url.clone(),
                level,
                text: shorten(&text, 150),
            });
        }
    }
    (found.finish(), rows)
}

fn check_first(found: &mut Collector, headings: &[ElementRef]) {
    let mut firsts = headings.iter().filter(|heading| level(**heading) == 1);
    if firsts.next().is_none() {
        found.page(&FIRST_MISSING, "no <h1> that is shown");
    }
    for extra in firsts {
        let text = found.document().label(*extra);
        found.element(&FIRST_REPEATED, *extra, &text);
    }
}

fn check_text(found: &mut Collector, heading: ElementRef, text: &str) {
    let has_icon = || {
        heading
            .descendent_elements()
            .any(|inner| inner.value().name() == "svg")
    };
    if text.is_empty() && !has_icon() {
        found.tag(&EMPTY, heading);
    }
    let length = text.chars().count();
    if length > LONGEST {
        found.element(&LONG, heading, &format!("{length} characters: {text}"));
    }
}

fn level(heading: ElementRef) -> usize {
    let name = heading.value().name();
    NAMES
        .iter()
        .position(|known| *known == name)
        .map_or(0, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_changes;

    const GOOD: &str = "<h1>Shoes</h1><h2>Boots</h2><h3>Warm</h3><h2>Sandals</h2><h6 hidden></h6>";

    #[test]
    fn every_rule_fires_and_stays_silent() {
        check_changes(
            GOOD,
            RULES,
            &[],
            |site| check(site).findings,
            &[
                ("<h2>Boots</h2>", "<h2><img alt='Boots'></h2>", &[]),
                ("<h2>Boots</h2>", "<h2><svg></svg></h2>", &[]),
                ("<h1>Shoes</h1>", "", &["heading-first-missing"]),
                (
                    "<h1>Shoes</h1>",
                    "<h1 hidden>Shoes</h1>",
                    &["heading-first-missing"],
                ),
                (
                    "<h2>Boots</h2>",
                    "<h1>Boots</h1><h2>x</h2>",
                    &["heading-first-repeated"],
                ),
                ("<h2>Boots</h2>", "", &["heading-level-skipped"]),
                ("Sandals", " <b></b> ", &["heading-empty"]),
                ("Sandals", &"long ".repeat(30), &["heading-too-long"]),
            ],
        );
    }
}
