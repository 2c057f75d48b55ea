//! Do the rules about headers fire, and only when they should?

use std::collections::BTreeSet;

use super::*;
use crate::testing::{all_broken, names, page_at, with_site};

const GOOD: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'self'; script-src 'self' 'nonce-abc' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'",
    ),
    (
        "strict-transport-security",
        "max-age=31536000; includeSubDomains",
    ),
    ("x-content-type-options", "nosniff"),
    (
        "referrer-policy",
        "no-referrer, strict-origin-when-cross-origin",
    ),
    ("permissions-policy", "camera=()"),
    ("cross-origin-opener-policy", "same-origin"),
    ("server", "nginx"),
    ("x-robots", "1"),
];

fn found(url: &str, changes: &[(&str, &str)]) -> Vec<Finding> {
    let mut page = page_at(url, "<p>");
    for (name, value) in GOOD.iter().chain(changes) {
        if value.is_empty() {
            page.headers.remove(*name);
        } else {
            page.headers.insert((*name).to_owned(), (*value).to_owned());
        }
    }
    with_site(&[page], &[], check).findings
}

#[test]
fn every_rule_fires_and_stays_silent() {
    let csp = "content-security-policy";
    let cases: &[(&[(&str, &str)], &str)] = &[
        (&[], ""),
        (&[("strict-transport-security", "")], "hsts-missing"),
        (
            &[("strict-transport-security", "max-age=0")],
            "hsts-missing",
        ),
        (
            &[("strict-transport-security", "max-age=3600")],
            "hsts-short",
        ),
        (&[("x-content-type-options", "")], "content-type-sniffing"),
        (&[("referrer-policy", "")], "referrer-policy-missing"),
        (
            &[("referrer-policy", "unsafe-url")],
            "referrer-policy-unsafe",
        ),
        (&[("permissions-policy", "")], "permissions-policy-missing"),
        (&[("cross-origin-opener-policy", "")], "coop-missing"),
        (
            &[("cross-origin-opener-policy", "unsafe-none")],
            "coop-missing",
        ),
        (&[("server", "Apache/2.4.1 (Unix)")], "server-version-shown"),
        (&[("server", "gws2")], ""),
        (&[("access-control-allow-origin", "*")], ""),
        (
            &[
                ("access-control-allow-origin", "*"),
                ("access-control-allow-credentials", "true"),
            ],
            "cors-any-origin-credentials",
        ),
        (&[(csp, "")], "csp-missing framing-allowed"),
        (&[(csp, ""), ("x-frame-options", "deny")], "csp-missing"),
        (
            &[(
                csp,
                "default-src 'self'; base-uri 'self'; frame-ancestors https:",
            )],
            "framing-allowed",
        ),
        (
            &[
                (
                    csp,
                    "default-src 'self'; base-uri 'self'; frame-ancestors *",
                ),
                ("x-frame-options", "deny"),
            ],
            "framing-allowed",
        ),
        (
            &[(csp, "default-src 'self'; base-uri 'self'")],
            "framing-allowed",
        ),
        (
            &[(
                csp,
                "default-src 'self'; base-uri 'self'; frame-ancestors 'none'",
            )],
            "",
        ),
        (
            &[(
                csp,
                "default-src 'self' 'unsafe-inline'; base-uri 'self'; frame-ancestors 'none'",
            )],
            "csp-unsafe-inline",
        ),
        (
            &[(
                csp,
                "default-src 'self'; style-src 'unsafe-inline'; base-uri 'self'; frame-ancestors 'none'",
            )],
            "",
        ),
        (
            &[(
                csp,
                "script-src 'self' 'unsafe-eval'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
            )],
            "csp-unsafe-eval",
        ),
        (
            &[(
                csp,
                "script-src https: 'self'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
            )],
            "csp-wildcard",
        ),
        (
            &[(
                csp,
                "script-src *; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
            )],
            "csp-wildcard",
        ),
        (
            &[(
                csp,
                "script-src https: 'nonce-x' 'strict-dynamic'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
            )],
            "",
        ),
        (
            &[(
                csp,
                "img-src 'self'; frame-ancestors 'none'; base-uri 'self'",
            )],
            "csp-gaps",
        ),
        (
            &[(
                csp,
                "script-src 'self'; object-src 'none'; frame-ancestors 'none'",
            )],
            "csp-gaps",
        ),
        (
            &[(csp, "upgrade-insecure-requests; frame-ancestors 'none'")],
            "csp-gaps",
        ),
        (
            &[
                (csp, ""),
                ("content-security-policy-report-only", "default-src 'self'"),
                ("x-frame-options", "DENY"),
            ],
            "csp-missing",
        ),
    ];
    let mut broken: BTreeSet<String> = BTreeSet::from(["transport-insecure".to_owned()]);
    for (changes, expected) in cases {
        let findings = found("https://example.com/", changes);
        let found: Vec<_> = names(&findings).into_iter().collect();
        assert_eq!(found.join(" "), *expected, "{changes:?}");
        broken.extend(found.into_iter().map(str::to_owned));
    }
    broken.extend(scripted("").into_iter().map(|finding| finding.rule));
    let rules: Vec<Rule> = RULES.iter().chain(content_policy::RULES).copied().collect();
    all_broken(&rules, &broken.iter().map(String::as_str).collect());
}

/// What is found on a page with a script, with this added to the good policy.
fn scripted(more: &str) -> Vec<Finding> {
    let mut page = page_at("https://example.com/", "<script src=/a.js></script>");
    for (name, value) in GOOD {
        page.headers.insert(name.to_owned(), value.to_owned());
    }
    let policy = page.headers.get_mut("content-security-policy").unwrap();
    policy.push_str(more);
    with_site(&[page], &[], check).findings
}

#[test]
fn scripts_need_trusted_types() {
    assert_eq!(names(&scripted("")), ["trusted-types-missing"].into());
    assert_eq!(scripted("; require-trusted-types-for 'script'"), []);
    assert_eq!(found("https://example.com/", &[]), []);
}

#[test]
fn plain_http_is_wrong_but_not_on_loopback() {
    let names_at = |url: &str| {
        found(url, &[])
            .into_iter()
            .map(|finding| finding.rule)
            .collect::<Vec<_>>()
    };
    assert_eq!(names_at("http://example.com/"), ["transport-insecure"]);
    assert_eq!(names_at("http://127.0.0.1:8080/"), [""; 0]);
    assert_eq!(names_at("http://localhost/"), [""; 0]);
}

#[test]
fn without_headers_nothing_is_judged() {
    let page = page_at("https://example.com/", "<p>");
    assert_eq!(with_site(&[page], &[], check).findings, []);
}
