//! Which category of tools does a text name? By its name, or by another word for it.

use holloway_search::category::{GENERAL, infer, is_of};
use holloway_search::literals::without_literals;
use holloway_search::words::terms;

use crate::catalogue::Catalogue;

/// Other words for what packs call their categories.
const SYNONYMS: [(&str, &[&str]); 8] = [
    ("accessibility", &["a11y", "wcag", "accessible"]),
    ("performance", &["speed", "vitals", "lighthouse"]),
    ("seo", &["sitemap", "ranking", "serp"]),
    (
        "security",
        &["vulnerability", "vulnerabilities", "secure", "tls", "ssl"],
    ),
    ("communication", &["mail", "email", "notify"]),
    ("statistics", &["statistic"]),
    ("database", &["sqlite", "sql"]),
    ("audit", &["audits"]),
];
/// A longer text mentions a category rather than asks for it.
const TERMS_AT_MOST: usize = 6;

/// The categories of the tools at hand, with the words that name them.
pub(super) struct Categories<'a> {
    names: Vec<(&'a str, Vec<Vec<String>>)>,
}

impl<'a> Categories<'a> {
    pub(super) fn of(catalogue: &'a Catalogue) -> Self {
        let tools = catalogue.tools();
        let mut names: Vec<&str> = tools.map(|(_, tool)| tool.category.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| !name.is_empty());
        let called = |name: &'a str| {
            let bare = name.to_lowercase();
            let others = SYNONYMS.iter().find(|(own, _)| *own == bare);
            let others = others.map_or(&[][..], |(_, others)| others);
            let words = std::iter::once(name).chain(others.iter().copied());
            (name, words.map(terms).collect())
        };
        Self {
            names: names.into_iter().map(called).collect(),
        }
    }

    /// The category that the words name, or the kind of tool they ask for.
    pub(super) fn named(&self, text: &str) -> Option<String> {
        if let Some(own) = self.own(&without_literals(text)) {
            return Some(own.to_owned());
        }
        let kind = infer(&said_itself(text));
        let served = kind != GENERAL && self.names.iter().any(|(name, _)| is_of(name, kind));
        served.then(|| kind.to_owned())
    }

    /// A category that a short text names, by its own name or another word for it.
    pub(super) fn own(&self, text: &str) -> Option<&'a str> {
        let words = terms(text);
        if words.is_empty() || words.len() > TERMS_AT_MOST {
            return None;
        }
        let has =
            |own: &Vec<String>| !own.is_empty() && own.iter().all(|term| words.contains(term));
        let found = self.names.iter().find(|(_, called)| called.iter().any(has));
        found.map(|(name, _)| *name)
    }
}

/// Without addresses and names of files: what is read says nothing about what is made.
fn said_itself(text: &str) -> String {
    let words = text
        .split_whitespace()
        .filter(|word| without_literals(word) == *word);
    words.collect::<Vec<_>>().join(" ")
}
