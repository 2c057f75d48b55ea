//! Which origins does a description send to, and which of them were accepted?

use holloway_flow::catalog::SourceId;
use serde_json::json;

use super::super::{Service, Survey};
use super::*;
use holloway_tools::Grants;

fn description() -> Value {
    let operation = json!({"responses": {}});
    json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example/v1"}, {"url": "https://spare.example"}],
        "paths": {
            "/a": {"get": operation},
            "/b": {"get": operation, "servers": [{"url": "https://path.example:8443/x"}]},
            "/c": {"get": {"responses": {}, "servers": [{
                "url": "http://{host}.example", "variables": {"host": {"default": "operation"}}
            }]}},
        },
        "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": {
            "clientCredentials": {"tokenUrl": "https://tokens.example/new", "scopes": {}}
        }}}}
    })
}

fn survey(config: &OpenApiConfig) -> Survey {
    let service = Service::read(config, Grants::default()).unwrap();
    service.survey(&SourceId::new("openapi.test"))
}

/// Each origin with `+` when it was accepted, else `-`.
#[track_caller]
fn check(config: &OpenApiConfig, expected: &[&str]) {
    let found: Vec<String> = survey(config)
        .destinations
        .into_iter()
        .map(|found| format!("{}{}", if found.accepted { '+' } else { '-' }, found.origin))
        .collect();
    assert_eq!(found, expected);
}

fn from(origin: &str) -> OpenApiConfig {
    OpenApiConfig {
        origin: origin.to_owned(),
        document: description(),
        ..OpenApiConfig::default()
    }
}

const FOREIGN: [&str; 2] = ["-https://path.example:8443", "-http://operation.example"];

#[test]
fn origins_are_accepted_one_by_one() {
    let mut config = from("api.json");
    config.accept_own_origin();
    check(&config, &["+https://api.example", FOREIGN[0], FOREIGN[1]]);
    config.accept_origin("https://path.example:8443");
    check(
        &config,
        &[
            "+https://api.example",
            "+https://path.example:8443",
            FOREIGN[1],
        ],
    );
}

#[test]
fn a_description_from_the_web_accepts_its_own_origin_only() {
    let mut config = from("https://docs.example/api.json");
    config.accept_own_origin();
    check(&config, &["-https://api.example", FOREIGN[0], FOREIGN[1]]);
    let mut own = from("https://api.example/api.json");
    own.accept_own_origin();
    check(&own, &["+https://api.example", FOREIGN[0], FOREIGN[1]]);
}

#[test]
fn a_base_url_replaces_every_server() {
    let mut config = OpenApiConfig {
        base_url: "https://typed.example/v2".to_owned(),
        ..from("api.json")
    };
    config.accept_own_origin();
    check(&config, &["+https://typed.example"]);
}

#[test]
fn a_source_from_before_keeps_its_first_server_and_no_other() {
    let config = from("https://docs.example/api.json");
    check(&config, &["+https://api.example", FOREIGN[0], FOREIGN[1]]);
    let mut more = config.clone();
    more.accept_origin("http://operation.example");
    check(
        &more,
        &[
            "+https://api.example",
            "+http://operation.example",
            FOREIGN[0],
        ],
    );
}

#[test]
fn what_is_only_named_is_told_apart() {
    let mut config = from("api.json");
    config.accept_own_origin();
    let survey = survey(&config);
    assert_eq!(
        survey.only_named,
        ["https://spare.example", "https://tokens.example"]
    );
    let held: Vec<_> = survey
        .offers
        .iter()
        .filter(|offer| !offer.findings.is_empty())
        .map(|offer| offer.id.name())
        .collect();
    assert_eq!(held, ["get_b", "get_c"]);
}

#[test]
fn origins_are_compared_as_browsers_do() {
    let check = |text: &str, expected: Option<&str>| {
        assert_eq!(origin_of(text).as_deref(), expected, "{text}");
    };
    check("https://API.example:443/x?y", Some("https://api.example"));
    check("http://user:word@api.example", Some("http://api.example"));
    check(
        "https://bücher.example",
        Some("https://xn--bcher-kva.example"),
    );
    check("ftp://api.example", None);
    check("api.example", None);
}
