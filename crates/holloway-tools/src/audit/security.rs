//! Are these pages safe to visit? One tool per family of rules, and one for all of them.

use std::sync::Arc;

use holloway_audit::documents::Documents;
use holloway_audit::finding::{Finding, Summary};
use holloway_audit::security::{cookies, forms, headers, mixed_content, vulnerabilities};
use holloway_audit::site::Site;
use serde_json::json;

use super::super::Tool;
use super::check::{Check, Outcome, Words};

/// What `security-scan` looks at: all but the certificate.
const SCANNED: [&str; 6] = [
    "security",
    "security.security-headers-check",
    "security.cookies-check",
    "security.mixed-content-check",
    "security.forms-check",
    "security.vulnerability-scan",
];

pub(super) fn tools(documents: &Arc<Documents>) -> Vec<Arc<dyn Tool>> {
    vec![
        Check::tool(headers_words().spec(), documents, |site| {
            headers::check(site).into()
        }),
        Check::tool(cookies_words().spec(), documents, |site| {
            cookies::check(site).into()
        }),
        Check::tool(mixed_content_words().spec(), documents, |site| {
            mixed_content::check(site).into()
        }),
        Check::tool(forms_words().spec(), documents, |site| {
            forms::check(site).into()
        }),
        Check::tool(vulnerability_words().spec(), documents, |site| {
            vulnerabilities::check(site).into()
        }),
        Check::tool(scan_words().spec_covering(&SCANNED), documents, scan),
    ]
}

/// All families in one call; the rows tell how each did.
fn scan(site: &Site) -> Outcome {
    let families = [
        ("headers", headers::check(site).findings),
        ("cookies", cookies::check(site).findings),
        ("mixed-content", mixed_content::check(site).findings),
        ("forms", forms::check(site).findings),
        ("vulnerabilities", vulnerabilities::check(site).findings),
    ];
    let rows = families.each_ref().map(|(name, findings)| {
        let summary = Summary::of(findings);
        json!({
            "check": name, "findings": summary.total, "critical": summary.critical,
            "serious": summary.serious, "moderate": summary.moderate, "minor": summary.minor
        })
    });
    let findings: Vec<Finding> = families
        .into_iter()
        .flat_map(|(_, findings)| findings)
        .collect();
    Outcome::new(findings).with("rows", rows)
}

fn headers_words() -> Words {
    let text = || json!({"type": "string"});
    Words {
        name: "security-headers-check",
        title: "Check security headers",
        category: "security",
        description: "Checks the security headers of pages: Content-Security-Policy and its weaknesses (unsafe-inline, \
            unsafe-eval, wildcards, gaps), Strict-Transport-Security, X-Content-Type-Options, framing, Referrer-Policy, \
            Permissions-Policy, CORS, versions of server software, and plain http. Pages without headers are only checked for \
            https. Returns findings with the RFC or specification they rest on, a summary by severity, and one row per page \
            with the headers it has.",
        row: json!({
            "page": text(), "https": {"type": "boolean"}, "content_security_policy": text(),
            "strict_transport_security": text(), "x_content_type_options": text(), "x_frame_options": text(),
            "referrer_policy": text(), "permissions_policy": text()
        }),
        example: "<p>Text",
    }
}

fn cookies_words() -> Words {
    Words {
        name: "cookies-check",
        title: "Check cookies",
        category: "security",
        description: "Checks the cookies that pages set: Secure, HttpOnly for those that look like sessions, SameSite, and the \
            promises of the __Host- and __Secure- prefixes. Values of cookies are never shown. Returns findings, a summary by \
            severity, and one row per cookie with its attributes.",
        row: json!({
            "page": {"type": "string"}, "name": {"type": "string"}, "secure": {"type": "boolean"},
            "http_only": {"type": "boolean"}, "same_site": {"type": "string"}, "domain": {"type": "string"},
            "path": {"type": "string"}, "lasting": {"type": "boolean"}
        }),
        example: "<p>Text",
    }
}

fn mixed_content_words() -> Words {
    Words {
        name: "mixed-content-check",
        title: "Find mixed content",
        category: "security",
        description: "Finds what https pages load over plain http: scripts, styles and frames (active, blocked by browsers), \
            images and media (passive), and links to the own site over http. Use it after a move to https. Returns findings, \
            a summary by severity, and one row per insecure address with page and kind.",
        row: json!({
            "page": {"type": "string"}, "kind": {"enum": ["active", "passive"]}, "url": {"type": "string"}
        }),
        example: "<p>Text",
    }
}

fn forms_words() -> Words {
    Words {
        name: "forms-check",
        title: "Check forms for safety",
        category: "security",
        description: "Checks where forms send what visitors type: passwords over http, passwords in addresses (method get), \
            actions over http or on other sites, and links with target=_blank that expose their opener. Returns findings, a \
            summary by severity, and one row per form with action, method and whether it asks for a password.",
        row: json!({
            "page": {"type": "string"}, "action": {"type": "string"}, "method": {"type": "string"},
            "password": {"type": "boolean"}
        }),
        example: "<form method=get><input type=password></form>",
    }
}

fn vulnerability_words() -> Words {
    Words {
        name: "vulnerability-scan",
        title: "Scan for known vulnerabilities",
        category: "security",
        description: "Looks for known dangers in pages without attacking anything: outdated JavaScript libraries with published \
            CVEs (jQuery, Bootstrap, AngularJS, Vue, Lodash and others, by file name or comment), missing subresource integrity \
            for public CDNs, inline event handlers, published keys, secrets in comments, folder listings, error pages with stack \
            traces. Returns findings, a summary by severity, and one row per library with version, advisories and the version \
            that mends them.",
        row: json!({
            "page": {"type": "string"}, "library": {"type": "string"}, "version": {"type": "string"},
            "advisories": {"type": "array", "items": {"type": "string"}}, "mended_in": {"type": "string"}
        }),
        example: "<script src=/js/jquery-3.4.1.min.js></script>",
    }
}

fn scan_words() -> Words {
    let count = || json!({"type": "integer"});
    Words {
        name: "security-scan",
        title: "Scan the security of pages",
        category: "security",
        description: "Runs all security checks over pages in one call: headers, cookies, mixed content, forms, vulnerable \
            libraries and published secrets. Use it for a quick security audit; the certificate is checked by tls-check. Returns \
            findings, a summary by severity, and one row per check with its counts.",
        row: json!({
            "check": {"type": "string"}, "findings": count(), "critical": count(), "serious": count(),
            "moderate": count(), "minor": count()
        }),
        example: "<form method=get><input type=password></form>",
    }
}
