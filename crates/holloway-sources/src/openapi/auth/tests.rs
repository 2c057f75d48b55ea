//! Does every kind of scheme put its proof where it belongs, and nothing elsewhere?

use std::sync::Arc;

use holloway_engine::failure::FailureName;
use serde_json::json;

use super::*;
use crate::openapi::operation::{Whereabouts, read_all};

fn document(security: &Value) -> Document {
    Document::new(json!({
        "openapi": "3.1.0",
        "servers": [{"url": "https://api.example"}],
        "paths": {"/a": {"get": {"operationId": "a", "security": security}}},
        "components": {"securitySchemes": {
            "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "query": {"type": "apiKey", "in": "query", "name": "k y"},
            "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
            "bearer": {"type": "http", "scheme": "Bearer", "bearerFormat": "JWT"},
            "basic": {"type": "http", "scheme": "basic"},
            "oauth": {"type": "oauth2", "flows": {"password": {"tokenUrl": "relative", "scopes": {}}}},
            "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://x.example"},
            "digest": {"type": "http", "scheme": "digest"},
            "tls": {"type": "mutualTLS"},
            "same": {"$ref": "#/components/securitySchemes/bearer"}
        }}
    }))
    .unwrap()
}

fn proof(security: Value, given: &[(&str, &str)]) -> Result<String, ToolFailure> {
    let document = document(&security);
    let schemes = schemes(&document);
    let whereabouts = Whereabouts {
        base_url: None,
        origin: None,
    };
    let (operations, _) = read_all(&document, &schemes, &whereabouts);
    let given = given
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let lookup = |name: &str| (name == "S").then(|| "a b:c".to_owned());
    let secrets = Secrets::new(Arc::new(lookup));
    let proof = prove(&operations[0], &schemes, &given.collect(), false, &secrets)?;
    let mut lines: Vec<String> = Vec::new();
    for (name, value) in &proof.headers {
        assert!(value.is_sensitive());
        lines.push(format!("{name}: {}", value.to_str().unwrap()));
    }
    lines.extend(
        proof
            .query
            .iter()
            .map(|(name, value)| format!("?{name}={value}")),
    );
    lines.extend(
        proof
            .cookies
            .iter()
            .map(|(name, value)| format!("cookie {name}={value}")),
    );
    Ok(lines.join(" + "))
}

#[test]
fn each_scheme_has_its_place() {
    for (name, expected) in [
        ("header", "x-key: a b:c"),
        ("query", "?k%20y=a%20b%3Ac"),
        ("cookie", "cookie sid=a%20b%3Ac"),
        ("bearer", "authorization: Bearer a b:c"),
        ("same", "authorization: Bearer a b:c"),
        ("oauth", "authorization: Bearer a b:c"),
        ("oidc", "authorization: Bearer a b:c"),
        ("basic", "authorization: Basic YSBiOmM="),
    ] {
        let found = proof(json!([{name: []}]), &[(name, "${S}")]);
        assert_eq!(found.unwrap(), expected, "{name}");
    }
}

#[test]
fn any_complete_way_will_do() {
    let ways = json!([{"header": [], "query": []}, {"bearer": []}]);
    let both = [("header", "1"), ("query", "2")];
    assert_eq!(proof(ways.clone(), &both).unwrap(), "x-key: 1 + ?k%20y=2");
    let second = [("header", "1"), ("bearer", "2")];
    assert_eq!(proof(ways, &second).unwrap(), "authorization: Bearer 2");
    let optional = json!([{}, {"bearer": []}]);
    assert_eq!(proof(optional.clone(), &[]).unwrap(), "");
    assert_eq!(
        proof(optional, &[("bearer", "2")]).unwrap(),
        "authorization: Bearer 2"
    );
    assert_eq!(proof(json!([]), &[("bearer", "2")]).unwrap(), "");
}

#[test]
fn what_is_missing_is_named() {
    for (security, given, expected, hint) in [
        (
            json!([{"header": [], "query": []}]),
            &[("query", "1")][..],
            "`a` asks for `header` and `query`, which is not set",
            "--auth 'header=${NAME}' --auth 'query=${NAME}'",
        ),
        (
            json!([{"bearer": []}]),
            &[("bearer", "${NO}")],
            "the secret `NO` is not set; `bearer` needs it",
            "set `NO`",
        ),
        (
            json!([{"bearer": []}]),
            &[("bearer", "${NO:-}")],
            "the value for `bearer` is empty",
            "set the secret",
        ),
        (
            json!([{"bearer": []}]),
            &[("bearer", "a\nb")],
            "the value for `bearer` does not fit into a header",
            "line breaks",
        ),
        (
            json!([{"digest": []}]),
            &[("digest", "1")],
            "`a` cannot be called: `digest`: the HTTP scheme `digest` is not known here",
            "--header",
        ),
        (
            json!([{"tls": []}, {"what": []}]),
            &[],
            "`a` cannot be called: `tls`: client certificates are not supported; `what`: the description does not say what it is",
            "--header",
        ),
    ] {
        let failure = proof(security, given).unwrap_err();
        assert_eq!(
            (failure.name, failure.message.as_str()),
            (FailureName::Denied, expected)
        );
        assert!(failure.hint.as_ref().unwrap().contains(hint), "{failure:?}");
    }
}
