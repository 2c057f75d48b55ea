//! Is a context within its budget, and in the order in which it is read?

use serde_json::json;

use super::*;
use crate::tokens::Counter;

fn of(kind: PartKind, name: &str, words: usize) -> Part {
    part(kind, name, "word ".repeat(words), &Counter::default())
}

#[test]
fn what_does_not_fit_is_left_out_and_named() {
    let mut context = Context::default();
    assert!(context.add(of(PartKind::Result, "pages", 100), 300));
    assert!(!context.add(of(PartKind::Skill, "seo: links", 1_000), 300));
    assert!(context.add(of(PartKind::Objective, "objective", 10), 300));
    let context = context.in_order();
    let kinds: Vec<PartKind> = context.parts.iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [PartKind::Objective, PartKind::Result]);
    assert_eq!(context.left_out, ["seo: links"]);
    assert!(context.tokens() <= 300);
}

#[test]
fn a_large_result_keeps_its_shape_and_its_bounds() {
    let pages: Vec<_> = (0..400)
        .map(|at| json!({"url": format!("https://a.example/{at}"), "html": "<p>".repeat(500), "status": 200}))
        .collect();
    let value = json!({"pages": pages, "count": 400});
    for most in [60, 200, 500, 2_000] {
        let text = shown::brief(&value, most);
        assert!(text.chars().count() <= most, "{most}: {text}");
    }
    insta::assert_snapshot!(shown::result("fetch", &value, 500, Some("r3")));
}

#[test]
fn a_stretch_of_a_result_says_where_it_is() {
    let text = shown::stretch("read", &json!("abcdefgh"), 2, 3);
    assert_eq!(
        text,
        "--- begin result of read, characters 2 to 5 of 8 #1\ncde\n--- end result of read, characters 2 to 5 of 8 #1"
    );
    assert!(shown::stretch("read", &json!("abc"), 9, 3).contains("characters 3 to 3 of 3"));
}
