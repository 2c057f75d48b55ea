//! Do references, conditions and paths mean what they say?

use super::*;
use serde_json::json;

#[track_caller]
fn check(text: &str, expected: &str) {
    let names = |name: &str| match name {
        "sentiment" => Some(Arc::new(json!({"score": 0.7, "tags": ["a", "b"]}))),
        "count" => Some(Arc::new(json!(3))),
        _ => None,
    };
    let found = Expression::parse_condition(text)
        .and_then(|expression| expression.value(&names))
        .map_or_else(|error| error.to_string(), |value| value.to_string());
    assert_eq!(found, expected, "{text}");
}

#[test]
fn the_three_syntaxes_mean_the_same() {
    for text in [
        "sentiment.score > 0.5",
        "${sentiment.score} > 0.5",
        "{{sentiment.score}} > 0.5",
        "{{ sentiment.score > 0.5 }}",
    ] {
        check(text, "true");
    }
    check("${sentiment.tags}", r#"["a","b"]"#);
    check("${count} + 1", "4");
    check("sentiment.tags | length", "2");
    check("count | default(1)", "3");
    check("other | default(1)", "1");
    check("'b' in sentiment.tags and count == 3", "true");
    check("sentiment.tags[count - 2:]", r#"["b"]"#);
    check("(sentiment.tags)[:1] | length", "1");
}

#[test]
fn a_missing_value_is_named() {
    check("other.x > 1", "`other` has no value");
    check("other", "`other` has no value");
    check(
        "sentiment.score > ",
        "cannot read `sentiment.score >`: unexpected end of input, expected expression",
    );
}

#[test]
fn nothing_grows_without_end() {
    check(
        "'x' * 1000000000",
        "cannot work out `'x' * 1000000000`: `*` takes numbers, found a string",
    );
    check(
        "sentiment.tags * 9",
        "cannot work out `sentiment.tags * 9`: `*` takes numbers, found a sequence",
    );
    check("2 * sentiment.tags|length * count", "12");
    check(
        "9 ** 99 ** 9",
        "cannot work out `9 ** 99 ** 9`: unable to calculate 9 ** 99",
    );
    check(
        "['x'] | map('indent', 1000000000) | list",
        "cannot work out `['x'] | map('indent', 1000000000) | list`: unknown filter",
    );
    let grow = format!("'a'{}", " | replace('a', 'aaaaaaaaaaaaaaaa')".repeat(12));
    let found = Expression::parse(&grow)
        .and_then(|grow| grow.value(&|_: &str| None))
        .unwrap_err()
        .to_string();
    assert!(
        found.ends_with("takes more than 67108864 bytes to work out"),
        "{found}"
    );
    let quoted = format!("'\"'{}", " | tojson".repeat(40));
    let found = Expression::parse(&quoted)
        .and_then(|grow| grow.value(&|_: &str| None))
        .unwrap_err()
        .to_string();
    assert!(
        found.ends_with("takes more than 67108864 bytes to work out"),
        "{found}"
    );
}

/// Names with a text of a thousand letters and little room.
struct Small;

impl Names for Small {
    fn value(&self, name: &str) -> Option<Arc<Value>> {
        (name == "text").then(|| Arc::new(json!("x ".repeat(500))))
    }

    fn room(&self) -> usize {
        4_000
    }
}

#[test]
fn every_way_to_make_a_value_is_charged() {
    let value = |text: &str| Expression::parse(text).and_then(|it| it.value(&Small));
    for text in [
        "text ~ text ~ text ~ text",
        "text + text + text + text",
        "[text, text, text, text]",
        "{'a': [text, text], 'b': [text, text]}",
        "[text, text, text, text] | join | length",
        "[text[1:], text[1:], text[1:], text[1:]] | length",
        "[text, text, text, text] | map('upper') | list | length",
        "text | replace('x', 'xxxxxxxxx') | length",
        "text | upper | lower | title | capitalize | trim | reverse | length",
        "text | split | length",
        "text | split('') | length",
        "text | list | length",
        "text | split(' ') | sort | length",
        "[text, text, text, text] | tojson | length",
        "[text, text, text, text] | string | length",
        "(text if text else 0) ~ text ~ text ~ text",
    ] {
        let found = value(text).map_err(|error| error.to_string());
        let expected = format!("`{text}` takes more than 4000 bytes to work out");
        assert_eq!(found, Err(expected), "{text}");
    }
    for text in [
        "text[:400] ~ text[400:700]",
        "text | upper | length",
        "[text, text] | length",
        "text is string and text | length + 1 == 1001",
    ] {
        assert!(value(text).is_ok(), "{text}: {:?}", value(text));
    }
}

#[test]
fn long_and_deep_expressions_are_refused() {
    let refused = |text: String| Expression::parse(&text).unwrap_err().to_string();
    assert!(
        refused(format!("1{}", " + 1".repeat(1000)))
            .ends_with("it is longer than 600 words and signs")
    );
    assert!(
        refused(format!("{}1{}", "(".repeat(100), ")".repeat(100)))
            .ends_with("more than 16 levels deep")
    );
    assert!(refused(format!("'{}' + x", "y".repeat(20_000))).ends_with("at most 16384 are read"));
}
