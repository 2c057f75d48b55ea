//! Does a secret stay where it was handed to, however it is dressed, and does
//! everything else come through untouched?

mod growth;
mod rare;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::json;

use super::*;

const VALUE: &str = "s3cr3t/Kéy+\"9>?~x";
const NAME: &str = "API_KEY";

fn handed_out(pairs: &[(&str, &str)]) -> Secrets {
    let map = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let secrets = Secrets::from_map(map.collect());
    for (name, _) in pairs {
        secrets.resolve(&format!("${{{name}}}")).unwrap();
    }
    secrets
}

fn hex(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    bytes.concat()
}

fn percent(text: &str, all: bool) -> String {
    let one = |byte: u8| match byte {
        b if b.is_ascii_alphanumeric() && !all => char::from(b).to_string(),
        b => format!("%{b:02X}"),
    };
    text.bytes().map(one).collect()
}

fn json_units(text: &str) -> String {
    let units = text.encode_utf16();
    let units: Vec<String> = units.map(|unit| format!("\\u{unit:04X}")).collect();
    units.concat()
}

fn joined(text: &str, between: &str) -> String {
    let letters: Vec<String> = text.chars().map(String::from).collect();
    letters.join(between)
}

/// Every dress a secret may come back in, by name.
fn dresses(value: &str) -> Vec<(&'static str, String)> {
    let entity = |c: char| format!("&#{};", c as u32);
    let entity_hex = |c: char| format!("&#x{:X};", c as u32);
    let html = value
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('>', "&gt;");
    let json = serde_json::to_string(value).unwrap();
    let json = json.trim_matches('"').to_owned();
    vec![
        ("as it is", value.to_owned()),
        ("base64", STANDARD.encode(value)),
        ("base64 without padding", STANDARD_NO_PAD.encode(value)),
        ("base64 for addresses", URL_SAFE.encode(value)),
        (
            "base64 for addresses, no padding",
            URL_SAFE_NO_PAD.encode(value),
        ),
        ("base64 at one", STANDARD.encode(format!("a{value}"))),
        ("base64 at two", STANDARD.encode(format!("ab{value}"))),
        ("hex", hex(value)),
        ("hex in capitals", hex(value).to_uppercase()),
        ("percent where needed", percent(value, false)),
        ("percent everywhere", percent(value, true)),
        ("percent twice", percent(&percent(value, false), false)),
        ("JSON", json.clone()),
        ("JSON with slashes", json.replace('/', "\\/")),
        ("JSON by number", json_units(value)),
        (
            "JSON in JSON",
            serde_json::to_string(&json)
                .unwrap()
                .trim_matches('"')
                .to_owned(),
        ),
        ("HTML", html),
        ("HTML by number", value.chars().map(entity).collect()),
        (
            "HTML by hex number",
            value.chars().map(entity_hex).collect(),
        ),
        ("backwards", value.chars().rev().collect()),
        ("capitals", value.to_uppercase()),
        ("small letters", value.to_lowercase()),
        ("blanks between", joined(value, " ")),
        ("line breaks between", joined(value, "\r\n")),
        (
            "a line break inside",
            format!("{}\n{}", &value[..5], &value[5..]),
        ),
    ]
}

#[test]
fn no_dress_gets_a_secret_through() {
    for value in [VALUE, "abcdef", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"] {
        let secrets = handed_out(&[(NAME, value)]);
        for (dress, dressed) in dresses(value) {
            for (before, after) in [
                ("", ""),
                ("token: ", " end"),
                ("{\"k\": \"", "\"}"),
                ("日本 ", " é"),
            ] {
                let cleaned = secrets.clean(&format!("{before}{dressed}{after}"));
                let expected = format!("{before}‹secret {NAME}›{after}");
                assert_eq!(cleaned, expected, "{dress} of {value}");
            }
        }
    }
}

/// What stands beside the secret may stay, but nothing that tells of it.
#[test]
fn a_secret_inside_encoded_text_is_cut_out() {
    let secrets = handed_out(&[(NAME, VALUE)]);
    for before in ["user:", "user1:", "user12:"] {
        let whole = STANDARD.encode(format!("{before}{VALUE}:and some more"));
        let (head, tail) = whole.split_at(whole.len() / 2);
        for text in [
            whole.clone(),
            format!("{head}\r\n{tail}"),
            format!("Basic {whole}"),
        ] {
            let cleaned = secrets.clean(&text);
            assert_eq!(cleaned.matches("‹secret API_KEY›").count(), 1, "{cleaned}");
            let rest = cleaned.replace("‹secret API_KEY›", "");
            assert!(rest.len() < text.len() - VALUE.len(), "{cleaned}");
        }
    }
}

#[test]
fn nothing_in_a_value_is_passed_over() {
    let secrets = handed_out(&[(NAME, VALUE), ("PIN", "73915502")]);
    for (dress, dressed) in dresses(VALUE) {
        let mut value = json!({
            "text": dressed,
            "list": ["fine", {"deep": [format!("x {dressed} y")]}],
            dressed.clone(): true,
            "number": 73_915_502,
        });
        secrets.clean_value(&mut value);
        let expected = json!({
            "text": "‹secret API_KEY›",
            "list": ["fine", {"deep": ["x ‹secret API_KEY› y"]}],
            "‹secret API_KEY›": true,
            "number": "‹secret PIN›",
        });
        assert_eq!(value, expected, "{dress}");
    }
}

#[test]
fn keys_that_come_out_the_same_keep_their_fields() {
    let secrets = handed_out(&[(NAME, "abcdef")]);
    let mut value = json!({"abcdef": 1, "ABCDEF": 2});
    secrets.clean_value(&mut value);
    assert_eq!(
        value,
        json!({"‹secret API_KEY›": 1, "‹secret API_KEY› 2": 2})
    );
}

#[test]
fn everything_else_stays_as_it_is() {
    let secrets = handed_out(&[(NAME, VALUE), ("SHORT", "4711"), ("TINY", "on")]);
    for text in [
        "",
        "The quick brown fox is on the bench; 24711 and 47110 are numbers.",
        "c2VjcmV0IG1lc3NhZ2Ugb2Ygc29tZW9uZSBlbHNl",
        "deadbeefdeadbeefdeadbeef",
        "a%20b%2Fc &lt;p&gt; \\u00e9 \\/ \u{1F600} \r\n\t\0",
        "s3cr3t/Kéy+",
    ] {
        assert_eq!(secrets.clean(text), text);
        let mut value = json!({text: [text, 12, null, 1.5, true]});
        let before = value.clone();
        secrets.clean_value(&mut value);
        assert_eq!(value, before);
    }
}

#[test]
fn short_secrets_go_where_they_stand_alone() {
    let secrets = handed_out(&[("PIN", "4711"), ("TINY", "on")]);
    assert_eq!(secrets.clean("pin=4711, on"), "pin=‹secret PIN›, on");
}

#[test]
fn only_what_was_handed_out_is_looked_for() {
    let map = BTreeMap::from([(NAME.to_owned(), VALUE.to_owned())]);
    let secrets = Secrets::from_map(map);
    assert_eq!(secrets.clean(VALUE), VALUE);
    secrets.resolve("Bearer ${API_KEY}").unwrap();
    assert_eq!(secrets.clean(VALUE), "‹secret API_KEY›");
}

#[test]
fn one_secret_inside_another_leaves_no_rest() {
    let secrets = handed_out(&[("INNER", "middle"), ("OUTER", "left-middle-right")]);
    assert_eq!(secrets.clean("left-middle-right"), "‹secret OUTER›");
    assert_eq!(secrets.clean("the middle way"), "the ‹secret INNER› way");
}

#[test]
fn a_long_secret_is_found_in_part_and_as_a_whole() {
    let long: String = (0..900_u32)
        .map(|n| char::from(b'a' + (n * n % 23) as u8))
        .collect();
    let secrets = handed_out(&[("KEY_FILE", &long)]);
    assert_eq!(secrets.clean(&long), "‹secret KEY_FILE›");
    let cleaned = secrets.clean(&format!("part: {}", &long[..200]));
    assert!(cleaned.starts_with("part: ‹secret KEY_FILE›"), "{cleaned}");
    let encoded = secrets.clean(&STANDARD.encode(&long));
    assert_eq!(encoded, "‹secret KEY_FILE›");
}

#[track_caller]
fn check(text: &str, expected: Result<&str, &str>) {
    let pairs = [("A", "alpha"), ("B.c-d_1", "beta"), ("_X", "${A}")];
    let map = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let resolved = Secrets::from_map(map.into()).resolve(text);
    let found = resolved.map(|text| text.reveal().to_owned());
    assert_eq!(
        found,
        expected
            .map(str::to_owned)
            .map_err(|name| MissingSecret(name.to_owned())),
        "{text}"
    );
}

#[test]
fn names_are_filled_in_and_the_rest_stays() {
    for (text, expected) in [
        ("", Ok("")),
        ("plain $A {A}", Ok("plain $A {A}")),
        ("Bearer ${A}", Ok("Bearer alpha")),
        ("${A}${A}-${B.c-d_1}", Ok("alphaalpha-beta")),
        ("${NONE:-fallback}", Ok("fallback")),
        ("${NONE:-}", Ok("")),
        ("${A:-fallback}", Ok("alpha")),
        ("${NONE:-a:-b}", Ok("a:-b")),
        ("${NONE}", Err("NONE")),
        ("${A", Ok("${A")),
        ("${A} and ${", Ok("alpha and ${")),
        ("${}", Ok("${}")),
        ("${:-x}", Ok("${:-x}")),
        ("${1A}", Ok("${1A}")),
        ("${A B}", Ok("${A B}")),
        ("${ A }", Ok("${ A }")),
        ("${${A}}", Ok("${alpha}")),
        ("$${A}", Ok("$alpha")),
        // What a secret holds is never looked into.
        ("${_X}", Ok("${A}")),
        ("}${A}{", Ok("}alpha{")),
    ] {
        check(text, expected);
    }
}

#[test]
fn debugging_shows_no_secret() {
    let text = handed_out(&[(NAME, VALUE)]).resolve("${API_KEY}").unwrap();
    assert_eq!(format!("{text:?}"), "‹secret›");
}
