//! Which settings are taken, and which are refused with what key?

use super::*;

/// The address, or the key that is wrong.
#[track_caller]
fn check(table: &str, expected: Result<&str, &str>) {
    let settings: Settings = toml::from_str(table).unwrap();
    let found = settings.checked();
    let found = found.as_ref().map(Url::as_str).map_err(|bad| bad.key);
    assert_eq!(found, expected, "{table}");
}

const KEYED: &str = "name = 'm'\nkey = 'API_KEY'\n";

#[test]
fn a_name_and_a_key_are_enough() {
    check(
        &format!("provider = 'openai'\n{KEYED}"),
        Ok("https://api.openai.com/v1"),
    );
    check(
        &format!("provider = 'anthropic'\n{KEYED}"),
        Ok("https://api.anthropic.com/v1"),
    );
    check(
        &format!("provider = 'gemini'\n{KEYED}"),
        Ok("https://generativelanguage.googleapis.com/v1beta"),
    );
    check("provider = 'openai'\nname = 'm'", Err("key"));
}

#[test]
fn plain_http_stays_on_this_machine() {
    let at = |url: &str| format!("provider = 'openai'\nname = 'm'\nbase_url = '{url}'");
    check(
        &at("http://127.0.0.1:8080/v1"),
        Ok("http://127.0.0.1:8080/v1"),
    );
    check(&at("http://[::1]:8080/v1"), Ok("http://[::1]:8080/v1"));
    check(
        &at("http://localhost:11434/v1"),
        Ok("http://localhost:11434/v1"),
    );
    check(&at("http://192.168.1.5/v1"), Err("base_url"));
    check(&at("http://localhost.example/v1"), Err("base_url"));
    check(
        &(at("http://192.168.1.5/v1") + "\nallow_plain_http = true"),
        Ok("http://192.168.1.5/v1"),
    );
    check(
        &at("https://models.example/v1"),
        Ok("https://models.example/v1"),
    );
}

#[test]
fn an_address_is_only_a_host_and_a_path() {
    for url in [
        "nonsense",
        "file:///etc/passwd",
        "https://a:b@c.example/",
        "https://c.example/?key=1",
        "https://c.example/#x",
        "mailto:a@b.example",
    ] {
        check(
            &format!("provider = 'openai'\nname = 'm'\nbase_url = '{url}'"),
            Err("base_url"),
        );
    }
}

#[test]
fn a_key_is_named_and_never_written_out() {
    let with = |key: &str| format!("provider = 'openai'\nname = 'm'\nkey = '{key}'");
    let longest = "k".repeat(LONGEST_NAME);
    for name in ["API_KEY", "_k", "open-ai.key2", longest.as_str()] {
        check(&with(name), Ok("https://api.openai.com/v1"));
    }
    let longer = longest + "k";
    let longer = longer.as_str();
    for key in [
        "",
        " ",
        "2fast",
        "a b",
        "clé",
        "a/b",
        "sk-proj-1",
        "AIzaSy1",
        longer,
    ] {
        check(&with(key), Err("key"));
    }
    let settings: Settings = toml::from_str(&with("sk-proj-1")).unwrap();
    let refused = settings.checked().unwrap_err();
    assert!(
        !format!("{refused} {refused:?}").contains("proj"),
        "{refused}"
    );
}

#[test]
fn figures_are_within_reason() {
    let with = |line: &str| format!("provider = 'openai'\n{KEYED}{line}");
    for (line, key) in [
        ("temperature = 3.0", "temperature"),
        ("temperature = nan", "temperature"),
        ("max_tokens = 0", "max_tokens"),
        ("timeout_ms = 0", "timeout_ms"),
        ("attempts = 0", "attempts"),
        ("attempts = 11", "attempts"),
        ("price_in = -1.0", "price_in"),
        ("price_out = inf", "price_out"),
    ] {
        check(&with(line), Err(key));
    }
    check("provider = 'openai'\nname = ' '\nkey = 'K'", Err("name"));
}

#[test]
fn what_is_not_known_is_refused() {
    let error =
        toml::from_str::<Settings>(&format!("provider = 'openai'\n{KEYED}api_key = 'sk-1'"))
            .unwrap_err();
    assert!(
        error.message().contains("unknown field `api_key`"),
        "{error}"
    );
    assert!(toml::from_str::<Settings>("provider = 'oracle'\nname = 'x'").is_err());
}
