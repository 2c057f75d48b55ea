//! Do the answers tell browsers to be careful? The security headers of each page; a page
//! that came without any header is not judged.

use serde::Serialize;

use super::{content_policy, is_local};
use crate::collect::Collector;
use crate::document::Document;
use crate::finding::Finding;
use crate::rule::Rule;
use crate::site::{Checked, Site};

const PLAIN: Rule = Rule::security("transport-insecure");
const HSTS_MISSING: Rule = Rule::security("hsts-missing");
const HSTS_SHORT: Rule = Rule::security("hsts-short");
const SNIFFING: Rule = Rule::security("content-type-sniffing");
const FRAMING: Rule = Rule::security("framing-allowed");
const REFERRER_MISSING: Rule = Rule::security("referrer-policy-missing");
const REFERRER_UNSAFE: Rule = Rule::security("referrer-policy-unsafe");
const PERMISSIONS: Rule = Rule::security("permissions-policy-missing");
const VERSION: Rule = Rule::security("server-version-shown");
const CORS: Rule = Rule::security("cors-any-origin-credentials");
const OPENER: Rule = Rule::security("coop-missing");

pub(super) const RULES: &[Rule] = &[
    PLAIN,
    HSTS_MISSING,
    HSTS_SHORT,
    SNIFFING,
    FRAMING,
    REFERRER_MISSING,
    REFERRER_UNSAFE,
    PERMISSIONS,
    VERSION,
    CORS,
    OPENER,
];

/// Half a year.
const HSTS_SECONDS: u64 = 15_552_000;

/// Which security headers one page has.
#[derive(Clone, Debug, Serialize)]
pub struct HeadersRow {
    pub page: String,
    pub https: bool,
    pub content_security_policy: String,
    pub strict_transport_security: String,
    pub x_content_type_options: String,
    pub x_frame_options: String,
    pub referrer_policy: String,
    pub permissions_policy: String,
}

pub fn check(site: &Site) -> Checked<HeadersRow> {
    site.rows(check_page)
}

fn check_page(document: &Document) -> (Vec<Finding>, HeadersRow) {
    let mut found = Collector::new(document);
    let https = document.url().is_some_and(|url| url.scheme() == "https");
    if document
        .url()
        .is_some_and(|url| url.scheme() == "http" && !is_local(url))
    {
        found.page(&PLAIN, "the page is served over plain http");
    }
    if !document.page().headers.is_empty() {
        if https {
            check_hsts(&mut found);
        }
        content_policy::check(&mut found);
        check_framing(&mut found);
        check_small(&mut found);
        check_opener(&mut found);
        check_versions(&mut found);
    }
    let header = |name: &str| {
        document
            .page()
            .headers
            .get(name)
            .cloned()
            .unwrap_or_default()
    };
    let row = HeadersRow {
        page: document.page().url.clone(),
        https,
        content_security_policy: header("content-security-policy"),
        strict_transport_security: header("strict-transport-security"),
        x_content_type_options: header("x-content-type-options"),
        x_frame_options: header("x-frame-options"),
        referrer_policy: header("referrer-policy"),
        permissions_policy: header("permissions-policy"),
    };
    (found.finish(), row)
}

fn header<'a>(found: &Collector<'a>, name: &str) -> Option<&'a str> {
    let value = found.document().page().headers.get(name)?.trim();
    (!value.is_empty()).then_some(value)
}

fn check_hsts(found: &mut Collector) {
    let Some(value) = header(found, "strict-transport-security") else {
        found.page(&HSTS_MISSING, "no Strict-Transport-Security header");
        return;
    };
    let parts = value
        .split([';', ','])
        .filter_map(|part| part.split_once('='));
    let mut ages = parts.filter(|(name, _)| name.trim().eq_ignore_ascii_case("max-age"));
    let age = ages
        .next()
        .and_then(|(_, age)| age.trim().trim_matches('"').parse::<u64>().ok());
    match age {
        // Zero switches it off, and without an age it is not understood.
        None | Some(0) => found.page(
            &HSTS_MISSING,
            &format!("Strict-Transport-Security: {value}"),
        ),
        Some(age) if age < HSTS_SECONDS => {
            found.page(&HSTS_SHORT, &format!("max-age is {age} seconds"))
        }
        Some(_) => {}
    }
}

fn check_framing(found: &mut Collector) {
    let policies = content_policy::in_header(found.document());
    let limits: Vec<_> = policies
        .iter()
        .filter_map(content_policy::Policy::limits_framing)
        .collect();
    let option = header(found, "x-frame-options");
    let by_option = option.is_some_and(|option| {
        ["deny", "sameorigin"]
            .iter()
            .any(|known| option.eq_ignore_ascii_case(known))
    });
    // Where frame-ancestors is said, browsers pass over X-Frame-Options.
    if limits.is_empty() && !by_option {
        let evidence = option.map_or(
            "neither frame-ancestors nor X-Frame-Options".to_owned(),
            |option| format!("X-Frame-Options: {option}"),
        );
        found.page(&FRAMING, &evidence);
    } else if !limits.is_empty() && !limits.contains(&true) {
        let evidence = "frame-ancestors allows every site";
        found.page(&FRAMING, evidence);
    }
}

fn check_small(found: &mut Collector) {
    let sniffing = header(found, "x-content-type-options");
    if sniffing.is_none_or(|value| !value.to_ascii_lowercase().contains("nosniff")) {
        found.page(&SNIFFING, "no X-Content-Type-Options: nosniff");
    }
    let declared = found.document().meta("referrer");
    match header(found, "referrer-policy").or(declared) {
        None => found.page(&REFERRER_MISSING, "no Referrer-Policy header"),
        // Of several, the last one a browser knows counts.
        Some(policy) => {
            let last = policy.rsplit(',').next().unwrap_or_default().trim();
            if ["unsafe-url", "no-referrer-when-downgrade"].contains(&last) {
                found.page(&REFERRER_UNSAFE, &format!("Referrer-Policy: {policy}"));
            }
        }
    }
    if header(found, "permissions-policy").is_none() {
        found.page(&PERMISSIONS, "no Permissions-Policy header");
    }
    let origin = header(found, "access-control-allow-origin");
    let credentials = header(found, "access-control-allow-credentials");
    let open = origin.is_some_and(|origin| origin == "*" || origin.eq_ignore_ascii_case("null"));
    if open && credentials.is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        let evidence = format!(
            "Access-Control-Allow-Origin: {}",
            origin.unwrap_or_default()
        );
        found.page(&CORS, &evidence);
    }
}

/// Windows that other sites open stay reachable for them, unless the page isolates itself.
fn check_opener(found: &mut Collector) {
    let policy = header(found, "cross-origin-opener-policy");
    let policy = policy.unwrap_or_default().to_ascii_lowercase();
    let isolates = policy.starts_with("same-origin") || policy.starts_with("noopener");
    if !isolates {
        let evidence = match policy.as_str() {
            "" => "no Cross-Origin-Opener-Policy header".to_owned(),
            other => format!("Cross-Origin-Opener-Policy: {other}"),
        };
        found.page(&OPENER, &evidence);
    }
}

fn check_versions(found: &mut Collector) {
    for name in [
        "server",
        "x-powered-by",
        "x-aspnet-version",
        "x-aspnetmvc-version",
        "x-generator",
    ] {
        if let Some(value) = header(found, name)
            && value.bytes().any(|byte| byte.is_ascii_digit())
            && value.contains('.')
        {
            found.page(&VERSION, &format!("{name}: {value}"));
        }
    }
}

#[cfg(test)]
mod tests;
