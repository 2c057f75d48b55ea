//! Does the text of a difference show all that is new, however long it is?

#![allow(clippy::indexing_slicing)]

use holloway_flow::catalog::admit::{describe_differences, differences};
use serde_json::{Value, json};

#[test]
fn a_diff_leaves_out_only_what_is_unchanged() {
    let before: Value = (0..500).map(|n| (format!("k{n}"), json!(n))).collect();
    let after: Value = (0..500).map(|n| (format!("k{n}"), json!(n + 1))).collect();
    assert_eq!(differences(&before, &after).len(), 500);
    assert_eq!(differences(&before, &before), []);

    let order = format!("{} ORDER", "word ".repeat(600));
    for (before, after) in [
        (json!({"d": "short"}), json!({"d": order})),
        (json!({}), json!({"d": order})),
        (json!({}), json!({order.clone(): 1})),
        (json!({"d": [1]}), json!({"d": {"deep": order}})),
        (
            json!({order.clone(): {"a": 1}}),
            json!({order.clone(): {"a": "ORDER"}}),
        ),
    ] {
        let text = describe_differences(&differences(&before, &after));
        assert!(text.contains("ORDER") && !text.contains('…'), "{text}");
    }

    let long = "word ".repeat(400);
    let before = json!({"a/b": {"~": format!("{long}x{long}")}, "n": "1"});
    let after = json!({"a/b": {"~": format!("{long}\u{202E}\n{long}")}, "n": 1});
    let text = describe_differences(&differences(&before, &after));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[3]), (6, "/a~1b/~0", "/n"));
    assert!(lines[1].starts_with("- …") && lines[1].contains(" xword ") && lines[1].len() < 200);
    assert!(lines[2].contains(" ⟨U+202E⟩⏎word "), "{text}");
    assert_eq!(lines[4..], ["- \"1\"", "+ 1"]);
}
