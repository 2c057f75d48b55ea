//! What decides between tools, and what must not.

use std::sync::Arc;

use super::*;
use crate::entry::Entry;
use crate::table::Table;

fn entry(id: &str, category: &str, description: &str) -> Entry {
    Entry {
        id: id.to_owned(),
        category: category.to_owned(),
        description: description.to_owned(),
        ..Entry::default()
    }
}

fn index() -> Index {
    let mut entries = vec![
        entry("weather_now", "web", "Weather in a city as it is now"),
        entry("weather_here", "web", "Weather in a city as it is here"),
        entry("send_mail", "communication", "Sends a letter to a person"),
        entry("scraper", "web-scraping", "Takes pages apart"),
    ];
    for number in 0..40 {
        entries.push(entry(
            &format!("other{number}"),
            "misc",
            "Does another thing altogether",
        ));
    }
    // Words alone: what is tested here does not depend on meaning.
    Index::with_table(entries, Arc::new(Table::default()))
}

const GOOD: Repute = Repute {
    quality: 1.0,
    health: Health::Healthy,
    uses: 1_000,
    latency_ms: None,
};

#[track_caller]
fn check(request: &str, repute: impl Fn(&str) -> Repute, wish: &Wish<'_>, expected: &[&str]) {
    let index = index();
    let query = index.read(request);
    let scores = index.scores(&query);
    let id = |place: usize| index.entry(place).unwrap().id.as_str();
    let hits = rank(&index, &query, &scores, |place| repute(id(place)), wish);
    assert!(
        hits.iter().all(|hit| (0.0..=1.0).contains(&hit.rank)),
        "{hits:?}"
    );
    let found: Vec<&str> = hits.iter().map(|hit| id(hit.place)).collect();
    assert_eq!(found, expected, "{request}");
}

fn only(best: &str) -> impl Fn(&str) -> Repute {
    move |id| if id == best { GOOD } else { Repute::default() }
}

#[test]
fn quality_and_health_decide_between_equals() {
    let wish = Wish::default();
    let request = "the weather in a city";
    check(request, only(""), &wish, &["weather_now", "weather_here"]);
    check(
        request,
        only("weather_here"),
        &wish,
        &["weather_here", "weather_now"],
    );
    let broken = |id: &str| Repute {
        health: if id == "weather_now" {
            Health::Broken
        } else {
            Health::Unknown
        },
        ..Repute::default()
    };
    check(request, broken, &wish, &["weather_here", "weather_now"]);
}

#[test]
fn a_healthy_tool_that_does_not_fit_never_comes_first() {
    let wish = Wish::default();
    check(
        "weather now",
        only("send_mail"),
        &wish,
        &["weather_now", "weather_here"],
    );
    let request = "weather in the city now, and a letter";
    check(
        request,
        only("send_mail"),
        &wish,
        &["weather_now", "weather_here", "send_mail"],
    );
}

#[test]
fn a_clear_difference_in_text_stands_whatever_else_is_known() {
    let weights = Weights::default();
    let closeness = |apart: f32| (-apart / APART).exp();
    for fit in [0.2, 0.5, 1.0] {
        let poor = worth(fit, 1.0, Repute::default(), weights);
        for apart in [1.0, 2.0, 5.0, 50.0] {
            let close = closeness(apart);
            let good = worth(fit * close, close, GOOD, weights);
            assert!(good < poor, "{apart} apart: {good} and {poor}");
        }
        let close = closeness(0.5);
        assert!(worth(fit * close, close, GOOD, weights) > poor);
    }
}

#[test]
fn weights_are_the_users() {
    let weights = Weights {
        quality: 0.0,
        health: 0.0,
        usage: 0.0,
        ..Weights::default()
    };
    let wish = Wish {
        weights,
        ..Wish::default()
    };
    check(
        "the weather in a city",
        only("weather_here"),
        &wish,
        &["weather_now", "weather_here"],
    );
}

#[test]
fn what_is_always_shown_comes_at_the_end() {
    let always = [
        "send_mail".to_owned(),
        "gone".to_owned(),
        "weather_here".to_owned(),
    ];
    let wish = Wish {
        limit: 1,
        always: &always,
        ..Wish::default()
    };
    check(
        "weather now",
        only(""),
        &wish,
        &["weather_now", "send_mail", "weather_here"],
    );
}

#[test]
fn a_category_narrows() {
    let wish = Wish {
        category: Some("communication"),
        ..Wish::default()
    };
    check("weather letter", only(""), &wish, &["send_mail"]);
    let wish = Wish {
        category: Some("no such"),
        ..Wish::default()
    };
    check("weather", only(""), &wish, &[]);
}

#[test]
fn nothing_fits_nothing() {
    let wish = Wish::default();
    check("", only("send_mail"), &wish, &[]);
    check("xylophone", only("send_mail"), &wish, &[]);
    check("\u{0}…!", only("send_mail"), &wish, &[]);
}
