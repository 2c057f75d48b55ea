//! What is wrong with a server's encryption? Findings from what it showed, as of a
//! moment that is given.

use holloway_audit::finding::{Finding, Place, Severity};
use holloway_audit::rule::Rule;
use holloway_audit::security::transport;

use super::certificate::Certificate;
use super::handshake::Seen;

/// Certificates are renewed before this many days are left.
const SOON: i64 = 30;
const VERY_SOON: i64 = 7;

/// Everything the findings rest on.
pub(crate) struct Shown<'a> {
    pub(crate) page: &'a str,
    pub(crate) host: &'a str,
    pub(crate) seen: &'a Seen,
    pub(crate) certificate: Option<&'a Certificate>,
    pub(crate) names_host: bool,
    pub(crate) distrust: Option<&'a str>,
    /// Seconds since 1970.
    pub(crate) now: i64,
}

pub(crate) fn findings(shown: &Shown<'_>) -> Vec<Finding> {
    let mut findings = Findings {
        page: shown.page,
        found: Vec::new(),
    };
    findings.protocol(shown.seen);
    if let Some(certificate) = shown.certificate {
        findings.dates(certificate, shown.now);
        findings.names(certificate, shown);
        findings.trust(certificate, shown);
        findings.strength(certificate);
    }
    findings.found
}

/// A page that is not encrypted at all.
pub(crate) fn unencrypted(page: &str) -> Vec<Finding> {
    let mut findings = Findings {
        page,
        found: Vec::new(),
    };
    let evidence = "the address begins with http://, so everything is sent in the clear";
    findings.add(transport::HTTPS_MISSING, evidence);
    findings.found
}

struct Findings<'a> {
    page: &'a str,
    found: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, rule: Rule, evidence: &str) {
        let place = Place {
            page: self.page.to_owned(),
            element: String::new(),
        };
        self.found.push(rule.at(place, evidence));
    }

    fn protocol(&mut self, seen: &Seen) {
        if let Some(error) = &seen.error {
            let evidence = format!("no encrypted connection came about: {error}");
            self.add(transport::HANDSHAKE, &evidence);
        }
        if let Some(old) = &seen.old_protocol {
            let evidence = format!("the server still agrees to {old}");
            self.add(transport::OLD_PROTOCOL, &evidence);
        }
    }

    fn dates(&mut self, certificate: &Certificate, now: i64) {
        let days = certificate.days_left;
        let until = &certificate.not_after;
        if certificate.ends < now {
            let evidence = format!("valid until {until}, {} ago", day_count(-days));
            self.add(transport::EXPIRED, &evidence);
        } else if days < SOON {
            let evidence = format!("valid until {until}, {} from now", day_count(days));
            self.add(transport::EXPIRES_SOON, &evidence);
            if let Some(found) = self.found.last_mut().filter(|_| days < VERY_SOON) {
                found.severity = Severity::Serious;
            }
        }
        if certificate.begins > now {
            let evidence = format!("valid from {}", certificate.not_before);
            self.add(transport::NOT_YET_VALID, &evidence);
        }
    }

    fn names(&mut self, certificate: &Certificate, shown: &Shown<'_>) {
        if shown.names_host {
            return;
        }
        let names = if certificate.names.is_empty() {
            "no host".to_owned()
        } else {
            let first: Vec<&str> = certificate
                .names
                .iter()
                .take(5)
                .map(String::as_str)
                .collect();
            first.join(", ")
        };
        let evidence = format!("the certificate is for {names}, not for {}", shown.host);
        self.add(transport::NAME_MISMATCH, &evidence);
    }

    fn trust(&mut self, certificate: &Certificate, shown: &Shown<'_>) {
        let Some(reason) = shown.distrust else {
            return;
        };
        if certificate.self_signed {
            let evidence = format!("{} vouches for itself", certificate.subject);
            self.add(transport::SELF_SIGNED, &evidence);
        } else {
            self.add(transport::UNTRUSTED, &format!("not trusted: {reason}"));
        }
    }

    fn strength(&mut self, certificate: &Certificate) {
        let least = match certificate.key.as_str() {
            "RSA" | "DSA" => 2048,
            "EC" => 256,
            _ => 0,
        };
        if certificate.key_bits < least {
            let evidence = format!(
                "the {} key has {} bits",
                certificate.key, certificate.key_bits
            );
            self.add(transport::WEAK_KEY, &evidence);
        }
        let signature = &certificate.signature;
        // Whoever vouches for itself is believed for other reasons than its signature.
        let is_weak = signature.ends_with("MD5") || signature.ends_with("SHA-1");
        if is_weak && !certificate.self_signed {
            self.add(transport::WEAK_SIGNATURE, &format!("signed by {signature}"));
        }
    }
}

fn day_count(days: i64) -> String {
    if days == 1 {
        "1 day".to_owned()
    } else {
        format!("{days} days")
    }
}
