//! What does a certificate say? Whom it is for, who vouches for it, until when, and
//! with which key.

use serde::Serialize;
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};
use x509_parser::public_key::PublicKey;
use x509_parser::x509::SubjectPublicKeyInfo;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Certificate {
    pub(crate) subject: String,
    pub(crate) issuer: String,
    pub(crate) names: Vec<String>,
    pub(crate) not_before: String,
    pub(crate) not_after: String,
    /// Whole days from now; negative once it is over.
    pub(crate) days_left: i64,
    pub(crate) key: String,
    pub(crate) key_bits: usize,
    pub(crate) signature: String,
    pub(crate) serial: String,
    pub(crate) self_signed: bool,
    #[serde(skip)]
    pub(crate) begins: i64,
    #[serde(skip)]
    pub(crate) ends: i64,
}

const DAY: i64 = 86_400;

/// Reads a certificate as of `now`, in seconds since 1970.
pub(crate) fn read(der: &[u8], now: i64) -> Option<Certificate> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let begins = certificate.validity().not_before.timestamp();
    let ends = certificate.validity().not_after.timestamp();
    let (key, key_bits) = key(certificate.public_key());
    Some(Certificate {
        subject: certificate.subject().to_string(),
        issuer: certificate.issuer().to_string(),
        names: names(&certificate),
        not_before: date(begins),
        not_after: date(ends),
        days_left: (ends - now).div_euclid(DAY),
        key: key.to_owned(),
        key_bits,
        signature: signature(&certificate.signature_algorithm.algorithm.to_id_string()),
        serial: certificate.raw_serial_as_string(),
        self_signed: certificate.subject() == certificate.issuer(),
        begins,
        ends,
    })
}

fn names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let Ok(Some(extension)) = certificate.subject_alternative_name() else {
        return Vec::new();
    };
    let names = extension.value.general_names.iter();
    let names = names.filter_map(|name| match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => address(bytes),
        _ => None,
    });
    names.take(200).collect()
}

fn address(bytes: &[u8]) -> Option<String> {
    if let Ok(four) = <[u8; 4]>::try_from(bytes) {
        return Some(std::net::Ipv4Addr::from(four).to_string());
    }
    let sixteen = <[u8; 16]>::try_from(bytes).ok()?;
    Some(std::net::Ipv6Addr::from(sixteen).to_string())
}

fn date(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds)
        .map(|moment| moment.to_string())
        .unwrap_or_default()
}

fn key(info: &SubjectPublicKeyInfo<'_>) -> (&'static str, usize) {
    match info.parsed() {
        Ok(PublicKey::RSA(key)) => ("RSA", key.key_size()),
        Ok(PublicKey::EC(key)) => ("EC", curve_bits(info).unwrap_or(key.key_size())),
        Ok(PublicKey::DSA(_)) => ("DSA", info.subject_public_key.data.len() * 8),
        _ => match info.algorithm.algorithm.to_id_string().as_str() {
            "1.3.101.112" => ("Ed25519", 256),
            "1.3.101.113" => ("Ed448", 456),
            _ => ("unknown", 0),
        },
    }
}

/// The point is rounded up to whole bytes; the curve knows better.
fn curve_bits(info: &SubjectPublicKeyInfo<'_>) -> Option<usize> {
    let curve = info.algorithm.parameters.as_ref()?.as_oid().ok()?;
    Some(match curve.to_id_string().as_str() {
        "1.2.840.10045.3.1.7" => 256,
        "1.3.132.0.34" => 384,
        "1.3.132.0.35" => 521,
        "1.2.840.10045.3.1.1" => 192,
        "1.3.132.0.33" => 224,
        _ => return None,
    })
}

fn signature(oid: &str) -> String {
    let known = match oid {
        "1.2.840.113549.1.1.4" => "RSA with MD5",
        "1.2.840.113549.1.1.5" => "RSA with SHA-1",
        "1.2.840.113549.1.1.11" => "RSA with SHA-256",
        "1.2.840.113549.1.1.12" => "RSA with SHA-384",
        "1.2.840.113549.1.1.13" => "RSA with SHA-512",
        "1.2.840.113549.1.1.10" => "RSA-PSS",
        "1.2.840.10045.4.1" => "ECDSA with SHA-1",
        "1.2.840.10045.4.3.2" => "ECDSA with SHA-256",
        "1.2.840.10045.4.3.3" => "ECDSA with SHA-384",
        "1.2.840.10045.4.3.4" => "ECDSA with SHA-512",
        "1.3.101.112" => "Ed25519",
        "1.3.101.113" => "Ed448",
        other => other,
    };
    known.to_owned()
}
