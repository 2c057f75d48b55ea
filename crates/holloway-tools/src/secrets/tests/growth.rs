//! Does cleaning take twice the work for twice the text, whatever the text is? What is counted are
//! bytes that are looked at and pairs that are compared.

use serde_json::{Map, Value, json};

use super::super::effort;
use super::super::given::GivenSecrets;
use super::{NAME, handed_out};

const SECRET: &str = "hunter2-hunter2";

/// Values of a size, each worst for one part of the work.
fn shapes(size: usize) -> Vec<(&'static str, Value)> {
    let text = |piece: &str| Value::from(piece.repeat(size * 16 / piece.len()));
    let list = |piece: &str| json!(vec![piece; size]);
    let mut names = Map::new();
    for number in 0..size {
        // Each spelling is another one, and all become the same name.
        names.insert(format!("x{number:b}y").replace('y', SECRET), json!(1));
        names.insert(spelled(number), json!(1));
    }
    vec![
        ("the secret again and again", text(SECRET)),
        (
            "the other secret after each",
            text("hunter2-hunter2 73915502 "),
        ),
        ("the same letters", text("a")),
        ("nearly the secret", text("hunter2-hunter3")),
        ("beginnings of marks", text("${password#")),
        ("base64 of itself", text("aHVudGVyMi1odW50ZXIy")),
        ("letters with signs", text("h-u-n-t-e-r-2-h-u-n-t-e-r-2-")),
        ("other forms of letters", text("ｈｕｎｔｅｒ２－")),
        ("halves in a list", list("hunter2-").into_iter_halves()),
        ("letters in a list", list("h")),
        ("numbers in a list", json!((0..size).collect::<Vec<_>>())),
        (
            "columns",
            json!(vec![json!({"a": "hunter2", "b": "-hunter2"}); size / 2]),
        ),
        ("names that become one", Value::Object(names)),
    ]
}

/// The secret with some of its letters in capitals, by the bits of a number.
fn spelled(number: usize) -> String {
    let letters = SECRET.chars().enumerate();
    letters
        .map(|(place, letter)| match number >> place & 1 {
            1 => letter.to_ascii_uppercase(),
            _ => letter,
        })
        .collect()
}

trait Halves {
    fn into_iter_halves(self) -> Value;
}

impl Halves for Value {
    fn into_iter_halves(self) -> Value {
        let items = self.as_array().cloned().unwrap_or_default();
        let halves = items.into_iter().flat_map(|half| [half, json!("hunter2")]);
        halves.collect()
    }
}

#[track_caller]
fn check(what: &str, small: usize, large: usize) {
    assert!(small > 0, "{what}: nothing was counted");
    // Four times the size; a square would be sixteen times the work.
    assert!(large <= small * 6, "{what}: {small} and {large}");
}

#[test]
fn work_grows_with_the_size_of_a_result() {
    let (small, large) = (250, 1_000);
    let all = shapes(small).into_iter().zip(shapes(large));
    for ((what, mut small), (_, mut large)) in all {
        let secrets = handed_out(&[(NAME, SECRET), ("PIN", "73915502"), ("OTHER", "aaaaaaab")]);
        let first = effort::of(|| secrets.clean_value(&mut small.clone()));
        let second = effort::of(|| secrets.clean_value(&mut large.clone()));
        check(what, first, second);
        let given = GivenSecrets::default();
        given.take("password", 1, json!(SECRET));
        given.take("pin", 2, json!(73_915_502));
        let first = effort::of(|| given.hide(&mut small));
        let second = effort::of(|| given.hide(&mut large));
        check(what, first, second);
    }
}

#[test]
fn decoding_does_not_grow_with_the_number_of_secrets() {
    let text = "the quick brown fox jumps over aGVsbG8gd29ybGQ= 4711 ".repeat(200);
    let spent = |count: usize| {
        let pairs: Vec<(String, String)> = (0..count)
            .map(|number| (format!("KEY{number}"), format!("{number:04}-secret-value")))
            .collect();
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let needles = handed_out(&pairs).needles();
        effort::of(|| {
            super::super::decode::find(&text, &needles);
        })
    };
    let one = spent(1);
    assert!(one > text.len(), "{one}");
    assert_eq!(spent(20), one);
}

#[test]
fn pieces_are_found_anywhere_and_encoded_ones_in_the_beginning() {
    let secrets = handed_out(&[(NAME, SECRET)]);
    let mut lines = vec![json!("an ordinary line of text that says nothing"); 20_000];
    lines.extend([json!("hunter2-h"), json!("unter2")]);
    let mut value = Value::from(lines);
    secrets.clean_value(&mut value);
    assert!(!value.to_string().contains("unter2"));
}
