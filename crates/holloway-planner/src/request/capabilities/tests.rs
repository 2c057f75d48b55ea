//! Does a request come apart into what has to be done?

use super::*;
use crate::request::tests::catalogue;

/// Text and category of every capability.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let entities = crate::request::named(text);
    let found: Vec<String> = capabilities(text, &entities, catalogue())
        .into_iter()
        .map(|found| match found.category {
            Some(category) => format!("{} [{category}]", found.text),
            None => found.text,
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn clauses_in_their_order() {
    check(
        "Scrape competitor prices, analyze trends, make report",
        &[
            "Scrape competitor prices [web-scraping]",
            "analyze trends [data-analysis]",
            "make report [report]",
        ],
    );
    check(
        "read notes.txt and then send it to ada@example.com",
        &[
            "read notes.txt [files]",
            "send it to ada@example.com [communication]",
        ],
    );
}

#[test]
fn lists_count_item_by_item() {
    check(
        "Perform a complete audit of my website including SEO, performance, accessibility, and security, then generate a prioritized action plan",
        &[
            "Perform a complete audit of my website [audit]",
            "SEO [seo]",
            "performance [performance]",
            "accessibility [accessibility]",
            "security [security]",
            "generate a prioritized action plan",
        ],
    );
    check(
        "check my site: SEO, speed and security",
        &[
            "check my site",
            "SEO [seo]",
            "speed [performance]",
            "security [security]",
        ],
    );
    check(
        "find recipes including chicken, rice and beans",
        &["find recipes including chicken, rice and beans"],
    );
}

#[test]
fn circumstances_are_nothing_to_be_done() {
    check(
        "summarise the article, as PDF, within 5 minutes",
        &["summarise the article"],
    );
    check(
        "Hello, please audit my site, thanks in advance",
        &["audit my site [audit]"],
    );
}

#[test]
fn without_a_verb_all_of_it_is_wanted() {
    check("weather in Rome tomorrow", &["weather in Rome tomorrow"]);
    check("", &[]);
}

#[test]
fn help_in_general_is_nothing_to_be_done() {
    check(
        "I'm looking for a restaurant in Japan. Can you assist?",
        &["I'm looking for a restaurant in Japan"],
    );
    check(
        "Crawl the shop. Additionally, read notes.txt. After reading it, send it to ada@example.com",
        &[
            "Crawl the shop [web-scraping]",
            "read notes.txt [files]",
            "After reading it, send it to ada@example.com [communication]",
        ],
    );
}

#[test]
fn what_is_denied_is_nothing_to_be_done() {
    check("do not delete old.txt", &[]);
    check("never delete old.txt and words.txt", &[]);
    check(
        "read notes.txt but do not delete old.txt",
        &["read notes.txt [files]"],
    );
    let analysis = crate::request::analyse("Please, do not delete old.txt", catalogue());
    assert_eq!(analysis.need, crate::request::Need::Nothing);
    assert_eq!(analysis.capabilities, []);
}
