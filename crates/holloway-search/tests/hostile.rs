//! Whatever the catalogue and the request are: an answer, and no panic.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use holloway_search::baseline::Method;
use holloway_search::entry::Entry;
use holloway_search::index::Index;
use holloway_search::rank::{Repute, Wish, rank};
use holloway_search::reason::reason;
use proptest::prelude::*;

fn entry(id: &str, description: &str) -> Entry {
    Entry {
        id: id.to_owned(),
        description: description.to_owned(),
        server: "server".to_owned(),
        ..Entry::default()
    }
}

/// Every way of asking; returns how many tools the ranking has.
fn ask(index: &Index, request: &str) -> usize {
    let query = index.read(request);
    let scores = index.scores(&query);
    assert!(scores.fused.iter().all(|score| score.is_finite()));
    for method in Method::ALL {
        let found = method.search(index, request, 20);
        assert_eq!(found.len(), index.len().min(20));
    }
    let hits = rank(
        index,
        &query,
        &scores,
        |_| Repute::default(),
        &Wish::default(),
    );
    for hit in &hits {
        assert!(!reason(index, &query, hit.place).sentence().is_empty() || hit.text > 0.0);
    }
    hits.len()
}

#[test]
fn odd_catalogues() {
    let none = Index::new([]);
    let one = Index::new([entry("only_one", "Tells the weather")]);
    let same = Index::new((0..50).map(|number| entry(&number.to_string(), "Tells the weather")));
    let silent = Index::new((0..3).map(|_| entry("", "")));
    for request in ["weather", "", "…", "天气怎么样", "\u{0}\u{202e}"] {
        for index in [&none, &one, &same, &silent] {
            ask(index, request);
        }
    }
    assert_eq!(ask(&none, "weather"), 0);
    assert_eq!(ask(&one, "weather"), 1);
    assert_eq!(ask(&same, "weather"), 10);
}

#[test]
fn chinese_finds_chinese() {
    let index = Index::new([
        entry("a", "查询天气预报"),
        entry("b", "发送电子邮件"),
        entry("c", "计算两个数字的和"),
    ]);
    assert_eq!(index.search("明天的天气", 1), [0]);
    assert_eq!(index.search("给同事发送邮件", 1), [1]);
}

#[test]
fn a_request_of_a_megabyte() {
    let index = Index::new((0..100).map(|number| entry(&format!("tool{number}"), "Does a thing")));
    for piece in [
        "a",
        "weather, ",
        "then find it. ",
        "天",
        "é́",
        "\n",
        "getUserID",
    ] {
        ask(&index, &piece.repeat((1 << 20) / piece.len()));
    }
}

#[test]
fn a_tool_of_a_megabyte() {
    let index = Index::new([
        entry("weather", &"x".repeat(1 << 20)),
        entry("b", &"a ".repeat(1 << 19)),
    ]);
    assert_eq!(index.search("weather", 1), [0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text(texts in prop::collection::vec(".{0,60}", 0..6), request in ".{0,120}") {
        let entries = texts.iter().enumerate();
        let entries = entries.map(|(number, text)| entry(&number.to_string(), text));
        ask(&Index::new(entries), &request);
    }
}
