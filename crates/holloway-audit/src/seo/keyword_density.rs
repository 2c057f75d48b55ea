//! What is each page about, by its words? The most frequent terms, whether title and main
//! heading agree with the text, and whether a word is repeated so often that it looks like stuffing.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::meta_tags::is_listed;
use super::words::{StopWords, words};
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const STUFFED: Rule = Rule::seo("keyword-stuffing");
const THIN: Rule = Rule::seo("content-thin");
const TITLE_UNRELATED: Rule = Rule::seo("title-unrelated");
const HEADING_UNRELATED: Rule = Rule::seo("heading-unrelated");

pub(super) const RULES: &[Rule] = &[STUFFED, THIN, TITLE_UNRELATED, HEADING_UNRELATED];

/// A share of all words above this looks like stuffing.
const STUFFED_SHARE: f64 = 0.08;
/// Below this many words a share says nothing.
const ENOUGH: usize = 100;
const THIN_BELOW: usize = 50;
const TERMS: usize = 10;

/// One term of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermRow {
    pub page: String,
    pub term: String,
    pub count: usize,
    /// Percent of all words of the page.
    pub density: f64,
    pub in_title: bool,
    pub in_heading: bool,
}

pub fn check(site: &Site) -> Checked<TermRow> {
    let stop = StopWords::new();
    let mut checked = Checked::default();
    for (findings, rows) in site.each(|document| check_page(document, &stop)) {
        checked.findings.extend(findings);
        checked.rows.extend(rows);
    }
    checked
}

fn check_page(document: &Document, stop: &StopWords) -> (Vec<Finding>, Vec<TermRow>) {
    let mut found = Collector::new(document);
    let (total, terms) = terms(document.visible_text(), stop);
    let title = meant(&document.title().unwrap_or_default(), stop);
    let heading = document.first("h1").map(|first| document.label(first));
    let heading = meant(&heading.unwrap_or_default(), stop);
    if total < THIN_BELOW {
        found.page(&THIN, &format!("{total} words"));
    }
    if let Some((term, count)) = terms.first().filter(|_| total >= ENOUGH) {
        let share = *count as f64 / total as f64;
        if share > STUFFED_SHARE {
            let evidence = format!("“{term}” is {:.1} % of {total} words", share * 100.0);
            found.page(&STUFFED, &evidence);
        }
    }
    let known: rustc_hash::FxHashSet<&str> = terms.iter().map(|(term, _)| term.as_str()).collect();
    if total >= ENOUGH && !title.is_empty() && !title.iter().any(|word| related(word, &known)) {
        found.page(
            &TITLE_UNRELATED,
            &format!("no word of the title is in the text: {}", title.join(" ")),
        );
    }
    let titled: rustc_hash::FxHashSet<&str> = title.iter().map(String::as_str).collect();
    if !title.is_empty()
        && !heading.is_empty()
        && !heading.iter().any(|word| related(word, &titled))
    {
        let evidence = format!("title: {}; h1: {}", title.join(" "), heading.join(" "));
        found.page(&HEADING_UNRELATED, &evidence);
    }
    let rows = terms.into_iter().take(TERMS).map(|(term, count)| TermRow {
        page: document.page().url.clone(),
        in_title: title.contains(&term),
        in_heading: heading.contains(&term),
        density: (count as f64 * 10_000.0 / total.max(1) as f64).round() / 100.0,
        term,
        count,
    });
    let findings = if is_listed(document) {
        found.finish()
    } else {
        Vec::new()
    };
    (findings, rows.collect())
}

/// How many words there are, and the meaning ones with their counts, most frequent first.
fn terms(text: &str, stop: &StopWords) -> (usize, Vec<(String, usize)>) {
    let mut counts: FxHashMap<Cow<str>, usize> = FxHashMap::default();
    let mut total = 0;
    for word in words(text) {
        total += 1;
        *counts.entry(word).or_default() += 1;
    }
    let meaning = counts.into_iter().filter(|(word, _)| stop.means(word));
    let mut terms: Vec<_> = meaning
        .map(|(word, count)| (word.into_owned(), count))
        .collect();
    terms.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    (total, terms)
}

fn meant(text: &str, stop: &StopWords) -> Vec<String> {
    let meaning = words(text).filter(|word| stop.means(word));
    meaning.map(Cow::into_owned).collect()
}

/// The same word, or one with the same beginning: `boot` and `boots`.
fn related(word: &str, known: &rustc_hash::FxHashSet<&str>) -> bool {
    if known.contains(word) {
        return true;
    }
    let stem: String = word.chars().take(5).collect();
    let long = stem.chars().count() >= 4;
    long && known.iter().any(|other| {
        other.starts_with(&stem) || (other.chars().count() >= 4 && word.starts_with(*other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_changes, page, with_site};

    fn good() -> String {
        let words = [
            "boots", "leather", "winter", "walking", "soles", "warm", "sizes", "wool", "repair",
            "laces",
        ];
        let sentence = |word: &str| {
            format!("We have {word} for all who like them and some more for others here. ")
        };
        let text: String = words.iter().map(|word| sentence(word)).collect();
        format!("<title>Boots for winter</title><h1>Winter boots</h1><p>{text}</p>")
    }

    #[test]
    fn every_rule_fires_and_stays_silent() {
        check_changes(
            &good(),
            RULES,
            &[],
            |site| check(site).findings,
            &[
                (
                    "<p>",
                    &format!("<p>{}", "boots ".repeat(20)),
                    &["keyword-stuffing"],
                ),
                ("<p>We", "<script>", &["content-thin"]),
                (
                    "<title>Boots for winter",
                    "<title>Cars and planes",
                    &["title-unrelated", "heading-unrelated"],
                ),
                ("<h1>Winter boots", "<h1>Welcome", &["heading-unrelated"]),
                ("<h1>Winter boots", "<h1>Wintertime", &[]),
            ],
        );
    }

    #[test]
    fn terms_are_counted_without_stop_words() {
        let page = page(
            "<title>Red tea</title><h1>Tea</h1><p>The tea is red, the Tea is good; GOOD tea's</p>",
        );
        let rows = with_site(&[page], &[], |site| check(site).rows);
        let terms: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.term.as_str(),
                    row.count,
                    row.density,
                    row.in_title,
                    row.in_heading,
                )
            })
            .collect();
        assert_eq!(
            terms,
            [
                ("tea", 3, 27.27, true, true),
                ("good", 2, 18.18, false, false),
                ("red", 1, 9.09, true, false),
                ("tea's", 1, 9.09, false, false),
            ]
        );
    }
}
