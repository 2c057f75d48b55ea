//! What is wrong with a server's encryption? Findings from what it showed, as of a
//! moment that is given.

use holloway_audit::finding::{Domain, Finding, Place, Severity};

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
    findings.add(
        "https-missing",
        Severity::Critical,
        "the address begins with http://, so everything is sent in the clear".to_owned(),
        "Serve the site over https and redirect http there.",
        "RFC 9110 4.2.2",
    );
    findings.found
}

struct Findings<'a> {
    page: &'a str,
    found: Vec<Finding>,
}

impl Findings<'_> {
    fn add(
        &mut self,
        rule: &str,
        severity: Severity,
        evidence: String,
        mend: &str,
        reference: &str,
    ) {
        self.found.push(Finding {
            rule: rule.to_owned(),
            domain: Domain::Security,
            severity,
            place: Place {
                page: self.page.to_owned(),
                element: String::new(),
            },
            evidence,
            mend: mend.to_owned(),
            reference: reference.to_owned(),
        });
    }

    fn protocol(&mut self, seen: &Seen) {
        if let Some(error) = &seen.error {
            self.add(
                "tls-handshake",
                Severity::Critical,
                format!("no encrypted connection came about: {error}"),
                "Let the server speak TLS 1.2 or 1.3 with a current cipher suite.",
                "RFC 8446",
            );
        }
        if let Some(old) = &seen.old_protocol {
            self.add(
                "tls-old-protocol",
                Severity::Serious,
                format!("the server still agrees to {old}"),
                "Switch off every protocol before TLS 1.2.",
                "RFC 8996",
            );
        }
    }

    fn dates(&mut self, certificate: &Certificate, now: i64) {
        let renew = "Renew the certificate, and let that happen by itself.";
        let days = certificate.days_left;
        if certificate.ends < now {
            self.add(
                "certificate-expired",
                Severity::Critical,
                format!(
                    "valid until {}, {} ago",
                    certificate.not_after,
                    day_count(-days)
                ),
                renew,
                "RFC 5280 4.1.2.5",
            );
        } else if days < SOON {
            let severity = if days < VERY_SOON {
                Severity::Serious
            } else {
                Severity::Moderate
            };
            self.add(
                "certificate-expires-soon",
                severity,
                format!(
                    "valid until {}, {} from now",
                    certificate.not_after,
                    day_count(days)
                ),
                renew,
                "RFC 5280 4.1.2.5",
            );
        }
        if certificate.begins > now {
            self.add(
                "certificate-not-yet-valid",
                Severity::Critical,
                format!("valid from {}", certificate.not_before),
                "Install a certificate that is valid now, and check the server's clock.",
                "RFC 5280 4.1.2.5",
            );
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
        self.add(
            "certificate-name-mismatch",
            Severity::Critical,
            format!("the certificate is for {names}, not for {}", shown.host),
            "Install a certificate that lists this host among its alternative names.",
            "RFC 9525",
        );
    }

    fn trust(&mut self, certificate: &Certificate, shown: &Shown<'_>) {
        let mend =
            "Install a certificate from an authority that browsers trust, with the whole chain.";
        if let Some(reason) = shown.distrust {
            if certificate.self_signed {
                let evidence = format!("{} vouches for itself", certificate.subject);
                self.add(
                    "certificate-self-signed",
                    Severity::Critical,
                    evidence,
                    mend,
                    "RFC 5280 6.1",
                );
            } else {
                let evidence = format!("not trusted: {reason}");
                self.add(
                    "certificate-untrusted",
                    Severity::Critical,
                    evidence,
                    mend,
                    "RFC 5280 6.1",
                );
            }
        }
    }

    fn strength(&mut self, certificate: &Certificate) {
        let least = match certificate.key.as_str() {
            "RSA" | "DSA" => 2048,
            "EC" => 256,
            _ => 0,
        };
        if certificate.key_bits < least {
            self.add(
                "certificate-weak-key",
                Severity::Serious,
                format!(
                    "the {} key has {} bits",
                    certificate.key, certificate.key_bits
                ),
                "Use an RSA key of 2048 bits or more, or an EC key of 256 bits or more.",
                "NIST SP 800-131A",
            );
        }
        let signature = &certificate.signature;
        // Whoever vouches for itself is believed for other reasons than its signature.
        let is_weak = signature.ends_with("MD5") || signature.ends_with("SHA-1");
        if is_weak && !certificate.self_signed {
            self.add(
                "certificate-weak-signature",
                Severity::Serious,
                format!("signed by {signature}"),
                "Get a certificate that is signed with SHA-256 or better.",
                "RFC 9155",
            );
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
