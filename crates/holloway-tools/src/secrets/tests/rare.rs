//! Does a secret stay inside in encodings that people seldom see, in encodings of encodings, and
//! cut into pieces over several fields? And does ordinary text come through untouched?

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization as _;

use super::{NAME, VALUE, handed_out, hex, percent};

const SECRETS: [&str; 3] = [
    VALUE,
    "hunter2-long",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
];

fn bits(bytes: &[u8], alphabet: &[u8; 32]) -> String {
    let all: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let digit = |five: &[u8]| {
        let padded = five.iter().chain([0; 5].iter()).take(5);
        let value = padded.fold(0, |value, bit| value << 1 | bit);
        char::from(alphabet[usize::from(value)])
    };
    all.chunks(5).map(digit).collect()
}

fn base32(text: &str) -> String {
    bits(text.as_bytes(), b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}

fn base32hex(text: &str) -> String {
    bits(text.as_bytes(), b"0123456789ABCDEFGHIJKLMNOPQRSTUV")
}

fn base85(text: &str, digit: impl Fn(u32) -> char) -> String {
    let group = |bytes: &[u8]| {
        let padded: Vec<u8> = bytes.iter().copied().chain([0; 4]).take(4).collect();
        let number = u32::from_be_bytes(padded.try_into().unwrap());
        let digits = (0..5).rev().map(|place| number / 85_u32.pow(place) % 85);
        digits.take(bytes.len() + 1).map(&digit).collect::<String>()
    };
    text.as_bytes().chunks(4).map(group).collect()
}

fn ascii85(text: &str) -> String {
    base85(text, |digit| char::from(b'!' + digit as u8))
}

fn rfc1924(text: &str) -> String {
    let alphabet =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    base85(text, |digit| alphabet.chars().nth(digit as usize).unwrap())
}

fn utf16(text: &str, little: bool) -> Vec<u8> {
    let bytes = |unit: u16| {
        if little {
            unit.to_le_bytes()
        } else {
            unit.to_be_bytes()
        }
    };
    text.encode_utf16().flat_map(bytes).collect()
}

fn hex_of(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

fn each(text: &str, form: impl Fn(u8) -> String, between: &str) -> String {
    text.bytes().map(form).collect::<Vec<_>>().join(between)
}

fn rot13(text: &str) -> String {
    let turn = |c: char, first: char| char::from((c as u8 - first as u8 + 13) % 26 + first as u8);
    let one = |c: char| match c {
        'a'..='z' => turn(c, 'a'),
        'A'..='Z' => turn(c, 'A'),
        c => c,
    };
    text.chars().map(one).collect()
}

/// Every printable character so many places on.
fn shifted(text: &str, by: u32) -> String {
    let one = |c: char| match c {
        '!'..='~' => char::from_u32(c as u32 + by).unwrap(),
        c => c,
    };
    text.chars().map(one).collect()
}

fn letters_from(text: &str, capitals: u32, small: u32) -> String {
    let one = |c: char| match c {
        'A'..='Z' => char::from_u32(capitals + c as u32 - 'A' as u32).unwrap(),
        'a'..='z' => char::from_u32(small + c as u32 - 'a' as u32).unwrap(),
        c => c,
    };
    text.chars().map(one).collect()
}

fn bold(text: &str) -> String {
    letters_from(text, 0x1D400, 0x1D41A)
}

fn circled(text: &str) -> String {
    letters_from(text, 0x24B6, 0x24D0)
}

fn backwards(text: &str) -> String {
    text.chars().rev().collect()
}

fn by_two(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let pairs = letters
        .chunks(2)
        .map(|pair| pair.iter().collect::<String>());
    pairs.collect::<Vec<_>>().join("-")
}

fn rare(value: &str) -> Vec<(&'static str, String)> {
    let quoted_printable = each(value, |byte| format!("={byte:02X}"), "");
    vec![
        ("base32", base32(value)),
        ("base32 in small letters", base32(value).to_lowercase()),
        ("base32 at three", base32(&format!("abc{value}"))),
        ("base32hex", base32hex(value)),
        ("ascii85", ascii85(value)),
        ("ascii85 at one", ascii85(&format!("a{value}"))),
        ("base85 of Python", rfc1924(value)),
        ("rot13", rot13(value)),
        ("quoted printable", quoted_printable),
        (
            "hex with 0x",
            each(value, |byte| format!("0x{byte:02X}"), ", "),
        ),
        (
            "hex with \\x",
            each(value, |byte| format!("\\x{byte:02x}"), ""),
        ),
        (
            "hex with dots",
            each(value, |byte| format!("{byte:02x}"), "."),
        ),
        (
            "hex by pairs of bytes",
            each(value, |byte| format!("{byte:02x}"), "_"),
        ),
        ("decimal list", each(value, |byte| byte.to_string(), ", ")),
        (
            "decimal list, blanks",
            each(value, |byte| byte.to_string(), " "),
        ),
        (
            "octal escapes",
            each(value, |byte| format!("\\{byte:03o}"), ""),
        ),
        ("binary", each(value, |byte| format!("{byte:08b}"), " ")),
        ("UTF-16 as hex", hex_of(&utf16(value, true))),
        ("UTF-16BE as hex", hex_of(&utf16(value, false))),
        ("UTF-16 as base64", STANDARD.encode(utf16(value, true))),
        ("UTF-16BE as base64", STANDARD.encode(utf16(value, false))),
        (
            "zeros between",
            value.chars().flat_map(|c| [c, '\0']).collect(),
        ),
        (
            "zero-width spaces",
            value.chars().flat_map(|c| [c, '\u{200b}']).collect(),
        ),
        ("dashes between", super::joined(value, "-")),
        ("dots between", super::joined(value, ".")),
        ("commas between", super::joined(value, ",")),
        ("bars between", super::joined(value, "|")),
        ("bullets between", super::joined(value, "•")),
        ("smileys between", super::joined(value, "\u{1f600}")),
        ("letters between", super::joined(value, "x")),
        ("one sign after two letters", by_two(value)),
        ("commas and blanks between", super::joined(value, ", ")),
        ("quotes and commas between", super::joined(value, "','")),
        (
            "backwards with dashes",
            super::joined(&backwards(value), "-"),
        ),
        ("full width", shifted(value, 0xFEE0)),
        ("full width backwards", backwards(&shifted(value, 0xFEE0))),
        (
            "full width with dashes",
            super::joined(&shifted(value, 0xFEE0), "-"),
        ),
        ("bold letters", bold(value)),
        ("circled letters", circled(value)),
        ("accents apart", value.nfd().collect()),
        ("base64 of base64", STANDARD.encode(STANDARD.encode(value))),
        (
            "base64 of base64 inside",
            STANDARD.encode(STANDARD.encode(format!("user:{value}:x"))),
        ),
        ("base64 of hex", STANDARD.encode(hex(value))),
        ("hex of base64", hex(&STANDARD.encode(value))),
        ("percent of base64", percent(&STANDARD.encode(value), true)),
        ("base64 of percent", STANDARD.encode(percent(value, true))),
        ("base32 of base64", base32(&STANDARD.encode(value))),
        (
            "base64 thrice",
            STANDARD.encode(STANDARD.encode(STANDARD.encode(value))),
        ),
        (
            "backwards in base64",
            STANDARD.encode(value.chars().rev().collect::<String>()),
        ),
        ("rot13 in base64", STANDARD.encode(rot13(value))),
    ]
}

/// No part of a dressed secret of this length may be left.
fn leaves_nothing(cleaned: &str, dressed: &str) -> bool {
    let letters: Vec<char> = dressed.chars().collect();
    let half = letters.len() / 2;
    let mut parts = letters.windows(half.max(6));
    !parts.any(|part| cleaned.contains(&part.iter().collect::<String>()))
}

#[test]
fn no_rare_dress_gets_a_secret_through() {
    for value in SECRETS {
        let secrets = handed_out(&[(NAME, value)]);
        for (dress, dressed) in rare(value) {
            for (before, after) in [("", ""), ("token: ", " end"), ("{\"k\": \"", "\"}")] {
                let cleaned = secrets.clean(&format!("{before}{dressed}{after}"));
                assert!(
                    cleaned.contains("‹secret API_KEY›"),
                    "{dress} of {value}: {cleaned}"
                );
                assert!(
                    leaves_nothing(&cleaned, &dressed),
                    "{dress} of {value}: {cleaned}"
                );
            }
        }
    }
}

#[test]
fn short_secrets_with_signs_are_found_where_the_signs_are_regular() {
    let secrets = handed_out(&[("WORD", "Canary"), ("PIN", "271828")]);
    for (text, expected) in [
        ("C-a-n-a-r-y", "‹secret WORD›"),
        ("it is C.a.n.a.r.y!", "it is ‹secret WORD›!"),
        ("c a n a r y", "‹secret WORD›"),
        ("Ｃａｎａｒｙ", "‹secret WORD›"),
        ("y-r-a-n-a-C", "‹secret WORD›"),
        ("2-7-1-8-2-8", "‹secret PIN›"),
        ("２７１８２８", "‹secret PIN›"),
        // Words and numbers that happen to stand side by side stay.
        ("I can, ary", "I can, ary"),
        ("27, 18, 28", "27, 18, 28"),
        ("27.18.28 and 2718-28", "27.18.28 and 2718-28"),
    ] {
        assert_eq!(secrets.clean(text), expected, "{text}");
    }
}

#[track_caller]
fn spread(mut value: Value, expected: Value) {
    let secrets = handed_out(&[(NAME, "hunter2-long"), ("PIN", "123456789")]);
    secrets.clean_value(&mut value);
    assert_eq!(value, expected);
}

#[test]
fn pieces_in_neighbouring_fields_are_taken_out() {
    const X: &str = "‹secret API_KEY›";
    spread(
        json!({"a": "hun", "b": "ter2-long"}),
        json!({"a": X, "b": X}),
    );
    spread(
        json!(["hu", "nter", "2-lo", "ng", "x"]),
        json!([X, X, X, X, "x"]),
    );
    spread(
        json!({"a": "it begins hun", "n": {"b": "ter2-long and ends"}}),
        json!({"a": format!("it begins {X}"), "n": {"b": format!("{X} and ends")}}),
    );
    spread(
        json!([{"i": 1, "p": "hunter"}, {"i": 2, "p": "2-long"}]),
        json!([{"i": 1, "p": X}, {"i": 2, "p": X}]),
    );
    spread(json!({"hunter": "2-long"}), json!({X: X}));
    let letters: Vec<String> = "hunter2-long".chars().map(String::from).collect();
    spread(json!(letters), json!(vec![X; 12]));
    let bytes: Vec<u8> = "hunter2-long".bytes().collect();
    spread(json!(bytes), json!(vec![X; 12]));
    let (one, two) = ("aHVudGVy", "Mi1sb25n");
    spread(json!({"a": one, "b": two}), json!({"a": X, "b": X}));
    let long = format!("hun{}", "x".repeat(3000));
    spread(json!([long, "ter2-long"]), json!([long, "ter2-long"]));
    let long = format!("{}hun", "x".repeat(3000));
    spread(
        json!([long, "ter2-long"]),
        json!([format!("{}{X}", "x".repeat(3000)), X]),
    );
}

#[test]
fn what_only_looks_like_pieces_stays() {
    for value in [
        json!([1, 2, 3, 4, 5, 6, 7, 8, 9]),
        json!({"a": "hunt", "b": "long"}),
        json!(["hunter", "and", "2-long"]),
        json!({"list": [104, 117, 110, 116], "text": "er2-long"}),
    ] {
        spread(value.clone(), value);
    }
}

/// Letters and digits that follow from a number, as tokens have them.
fn drawn(seed: u64, length: usize) -> String {
    let digest = blake3::hash(&seed.to_le_bytes()).to_hex();
    let letters: String = digest
        .bytes()
        .enumerate()
        .map(|(at, byte)| {
            char::from(if at % 3 == 0 {
                byte.to_ascii_uppercase()
            } else {
                byte
            })
        })
        .collect();
    letters[..length].to_owned()
}

#[test]
fn ordinary_text_raises_no_alarm() {
    let drawn: Vec<(String, String)> = (0..50)
        .map(|seed| (format!("KEY{seed}"), drawn(seed, 8 + seed as usize % 30)))
        .collect();
    let pairs: Vec<(&str, &str)> = drawn
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let secrets = handed_out(&pairs);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    for file in [
        "README.md",
        "ARCHITECTURE.md",
        "docs/cli.md",
        "docs/tools.md",
    ] {
        let text = std::fs::read_to_string(format!("{root}/{file}")).unwrap();
        assert_eq!(secrets.clean(&text), text, "{file}");
        let lines: Vec<&str> = text.lines().take(200).collect();
        let mut value = json!({ "lines": lines, "numbers": (0..500).collect::<Vec<u32>>() });
        let before = value.clone();
        secrets.clean_value(&mut value);
        assert_eq!(value, before, "{file}");
    }
}
