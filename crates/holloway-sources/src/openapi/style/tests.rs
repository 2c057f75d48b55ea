//! Is every style written as OpenAPI's table of styles has it?

use oas3::spec::ParameterIn;
use serde_json::json;

use super::*;

fn parameter(style: Style, explode: bool) -> Parameter {
    Parameter {
        argument: "color".to_owned(),
        name: "color".to_owned(),
        location: ParameterIn::Query,
        style,
        explode,
        allow_reserved: false,
        required: false,
        json: false,
        description: String::new(),
        deprecated: false,
        schema: None,
    }
}

fn values() -> [Value; 3] {
    [
        json!("blue"),
        json!(["blue", "black", "brown"]),
        json!({"R": 100, "G": 200, "B": 150}),
    ]
}

#[track_caller]
fn check_path(style: Style, explode: bool, expected: [&str; 3]) {
    let written = values().map(|value| path(&parameter(style, explode), &value));
    assert_eq!(written, expected);
}

#[track_caller]
fn check_query(style: Style, explode: bool, expected: [&str; 3]) {
    let written = values().map(|value| {
        let pairs = query(&parameter(style, explode), &value);
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        pairs.join("&")
    });
    assert_eq!(written, expected);
}

#[test]
fn paths() {
    check_path(
        Style::Simple,
        false,
        ["blue", "blue,black,brown", "R,100,G,200,B,150"],
    );
    check_path(
        Style::Simple,
        true,
        ["blue", "blue,black,brown", "R=100,G=200,B=150"],
    );
    check_path(
        Style::Label,
        false,
        [".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
    );
    check_path(
        Style::Label,
        true,
        [".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
    );
    check_path(
        Style::Matrix,
        false,
        [
            ";color=blue",
            ";color=blue,black,brown",
            ";color=R,100,G,200,B,150",
        ],
    );
    check_path(
        Style::Matrix,
        true,
        [
            ";color=blue",
            ";color=blue;color=black;color=brown",
            ";R=100;G=200;B=150",
        ],
    );
}

#[test]
fn queries() {
    check_query(
        Style::Form,
        true,
        [
            "color=blue",
            "color=blue&color=black&color=brown",
            "R=100&G=200&B=150",
        ],
    );
    check_query(
        Style::Form,
        false,
        [
            "color=blue",
            "color=blue,black,brown",
            "color=R,100,G,200,B,150",
        ],
    );
    check_query(
        Style::SpaceDelimited,
        false,
        [
            "color=blue",
            "color=blue%20black%20brown",
            "color=R%20100%20G%20200%20B%20150",
        ],
    );
    check_query(
        Style::PipeDelimited,
        false,
        [
            "color=blue",
            "color=blue%7Cblack%7Cbrown",
            "color=R%7C100%7CG%7C200%7CB%7C150",
        ],
    );
    check_query(
        Style::DeepObject,
        true,
        [
            "color=blue",
            "color=blue&color=black&color=brown",
            "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
        ],
    );
}

#[test]
fn headers() {
    let written = values().map(|value| header(&parameter(Style::Simple, false), &value));
    assert_eq!(written, ["blue", "blue,black,brown", "R,100,G,200,B,150"]);
    let written = values().map(|value| header(&parameter(Style::Simple, true), &value));
    assert_eq!(written, ["blue", "blue,black,brown", "R=100,G=200,B=150"]);
}

#[test]
fn nothing_in_a_value_is_syntax() {
    let simple = parameter(Style::Simple, false);
    assert_eq!(
        path(&simple, &json!("../a/b?c=d#e\\f%2e;g")),
        "..%2Fa%2Fb%3Fc%3Dd%23e%5Cf%252e%3Bg"
    );
    assert_eq!(path(&simple, &json!("grün €")), "gr%C3%BCn%20%E2%82%AC");
    let form = parameter(Style::Form, true);
    assert_eq!(
        query(&form, &json!("a&b=c+d")),
        [("color".to_owned(), "a%26b%3Dc%2Bd".to_owned())]
    );
    let mut reserved = parameter(Style::Form, true);
    reserved.allow_reserved = true;
    assert_eq!(
        query(&reserved, &json!("a/b?c&d#e")),
        [("color".to_owned(), "a/b?c%26d%23e".to_owned())]
    );
}

#[test]
fn content_is_json() {
    let mut content = parameter(Style::Form, true);
    content.json = true;
    assert_eq!(
        query(&content, &json!({"a": [1]})),
        [("color".to_owned(), "%7B%22a%22%3A%5B1%5D%7D".to_owned())]
    );
}

#[test]
fn depth_is_kept() {
    let pairs = deep("f", &json!({"a": {"b": [1, 2]}, "c": null}));
    let twice = |value: &str| ("f%5Ba%5D%5Bb%5D".to_owned(), value.to_owned());
    assert_eq!(pairs, [twice("1"), twice("2")]);
}
