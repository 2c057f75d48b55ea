//! Is what is wrong with a certificate found? Certificates made on the spot for a
//! moment that the test sets, and a server on loopback that shows them.

use std::net::IpAddr;
use std::time::Duration;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, IsCa, Issuer, KeyIdMethod,
    PKCS_ECDSA_P256_SHA256, PublicKeyData, SanType, SerialNumber, SignatureAlgorithm, SigningKey,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::super::super::Grants;
use super::super::super::testing::run;
use super::*;

/// 2026-03-01, noon.
const NOW: i64 = 1_772_366_400;
const DAY: i64 = 86_400;

struct Key(EcdsaKeyPair);

impl Key {
    fn new() -> Self {
        Self(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap())
    }

    fn der(&self) -> PrivateKeyDer<'static> {
        let der = self.0.to_pkcs8v1().unwrap();
        PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(der.as_ref().to_vec()))
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        self.0.public_key().as_ref()
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

impl SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        let signature = self.0.sign(&SystemRandom::new(), message).unwrap();
        Ok(signature.as_ref().to_vec())
    }
}

/// A certificate that is valid from and until so many days after `NOW`.
fn params(name: &str, from: i64, until: i64) -> CertificateParams {
    let mut params = CertificateParams::default();
    let moment = |days: i64| {
        let seconds = (NOW + days * DAY).try_into().unwrap();
        rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds)
    };
    params.not_before = moment(from);
    params.not_after = moment(until);
    params.serial_number = Some(SerialNumber::from(7_u64));
    params.key_identifier_method = KeyIdMethod::PreSpecified(vec![1, 2, 3]);
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params.subject_alt_names = vec![
        SanType::DnsName(name.try_into().unwrap()),
        SanType::IpAddress(IpAddr::from([127, 0, 0, 1])),
    ];
    params
}

fn self_signed(name: &str, from: i64, until: i64) -> (Vec<u8>, Key) {
    let key = Key::new();
    let certificate = params(name, from, until).self_signed(&key).unwrap();
    (certificate.der().to_vec(), key)
}

/// Signed by an authority that nobody knows.
fn issued(name: &str) -> Vec<Vec<u8>> {
    let mut authority = params("Nobody's authority", -10, 1_000);
    authority.subject_alt_names = Vec::new();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = Key::new();
    let own = authority.clone().self_signed(&authority_key).unwrap();
    let issuer = Issuer::new(authority, authority_key);
    let certificate = params(name, -10, 200)
        .signed_by(&Key::new(), &issuer)
        .unwrap();
    vec![certificate.der().to_vec(), own.der().to_vec()]
}

fn check(host: &str, chain: Vec<Vec<u8>>, expected: &[&str]) -> Value {
    let target = Target {
        page: format!("https://{host}/"),
        host: host.to_owned(),
        port: 443,
        encrypted: true,
    };
    let seen = Seen {
        protocol: Some("TLS 1.3".to_owned()),
        chain,
        ..Seen::default()
    };
    let told = told(&target, &seen, NOW);
    let findings = told["findings"].as_array().unwrap().iter();
    let lines: Vec<String> = findings
        .map(|finding| {
            let text = |field: &str| finding[field].as_str().unwrap().to_owned();
            format!(
                "{} {}: {}",
                text("rule"),
                text("severity"),
                text("evidence")
            )
        })
        .collect();
    assert_eq!(lines, expected);
    told
}

#[test]
fn dates_are_judged_as_of_the_given_moment() {
    let own = "certificate-self-signed critical: CN=a.example vouches for itself";
    let shown = |from, until| vec![self_signed("a.example", from, until).0];
    check("a.example", shown(-10, 200), &[own]);
    check("a.example", shown(-10, 30), &[own]);
    check(
        "a.example",
        shown(-10, 29),
        &[
            "certificate-expires-soon moderate: valid until 2026-03-30T12:00:00Z, 29 days from now",
            own,
        ],
    );
    check(
        "a.example",
        shown(-10, 1),
        &[
            "certificate-expires-soon serious: valid until 2026-03-02T12:00:00Z, 1 day from now",
            own,
        ],
    );
    check(
        "a.example",
        shown(-10, -3),
        &[
            "certificate-expired critical: valid until 2026-02-26T12:00:00Z, 3 days ago",
            own,
        ],
    );
    check(
        "a.example",
        shown(2, 200),
        &[
            "certificate-not-yet-valid critical: valid from 2026-03-03T12:00:00Z",
            own,
        ],
    );
}

#[test]
fn names_and_authorities_are_judged() {
    let told = check(
        "shop.example",
        issued("a.example"),
        &[
            "certificate-name-mismatch critical: the certificate is for a.example, 127.0.0.1, not for shop.example",
            "certificate-untrusted critical: not trusted: invalid peer certificate: UnknownIssuer",
        ],
    );
    assert_eq!(
        (&told["chain_length"], &told["trusted"]),
        (&json!(2), &json!(false))
    );
    let certificate = &told["certificate"];
    assert_eq!(certificate["names"], json!(["a.example", "127.0.0.1"]));
    assert_eq!(
        (
            &certificate["subject"],
            &certificate["issuer"],
            &certificate["days_left"]
        ),
        (
            &json!("CN=a.example"),
            &json!("CN=Nobody's authority"),
            &json!(200)
        )
    );
    assert_eq!(
        (
            &certificate["key"],
            &certificate["key_bits"],
            &certificate["signature"]
        ),
        (&json!("EC"), &json!(256), &json!("ECDSA with SHA-256"))
    );
    check(
        "127.0.0.1",
        issued("a.example"),
        &["certificate-untrusted critical: not trusted: invalid peer certificate: UnknownIssuer"],
    );
}

#[test]
fn weakness_and_old_protocols_are_judged() {
    let mut certificate = certificate::read(&issued("a.example")[0], NOW).unwrap();
    certificate.key = "RSA".to_owned();
    certificate.key_bits = 1024;
    certificate.signature = "RSA with SHA-1".to_owned();
    let seen = Seen {
        old_protocol: Some("TLS 1.0".to_owned()),
        error: Some("no common cipher".to_owned()),
        ..Seen::default()
    };
    let shown = Shown {
        page: "https://a.example/",
        host: "a.example",
        seen: &seen,
        certificate: Some(&certificate),
        names_host: true,
        distrust: None,
        now: NOW,
    };
    let rules: Vec<_> = judge::findings(&shown)
        .into_iter()
        .map(|finding| finding.rule)
        .collect();
    assert_eq!(
        rules,
        [
            "tls-handshake",
            "tls-old-protocol",
            "certificate-weak-key",
            "certificate-weak-signature"
        ]
    );
}

#[test]
fn what_is_no_certificate_is_none() {
    for der in [vec![], vec![0x30, 0x80], vec![0xff; 100]] {
        assert!(certificate::read(&der, NOW).is_none());
        assert!(!handshake::names(&der, "a.example"));
    }
}

async fn tls_server() -> u16 {
    let (der, key) = self_signed("a.example", -10, 2_000);
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let configuration = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![CertificateDer::from(der)], key.der())
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(configuration));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move { acceptor.accept(stream).await.is_ok() });
        }
    });
    port
}

/// Answers every greeting in the clear.
async fn plain_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut greeting = [0; 512];
            let _some = stream.read(&mut greeting).await;
            stream
                .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                .await
                .ok();
        }
    });
    port
}

fn toolbox() -> super::super::super::Toolbox {
    super::super::super::Toolbox::builtin(Grants {
        private_hosts: vec!["127.0.0.1".to_owned()],
        ..Grants::default()
    })
}

#[tokio::test]
async fn a_server_is_looked_at() {
    let port = tls_server().await;
    for arguments in [
        json!({"host": "127.0.0.1", "port": port}),
        json!({"url": format!("https://127.0.0.1:{port}/shop")}),
    ] {
        let told = run(&toolbox(), "builtin/tls-check", arguments)
            .await
            .unwrap();
        assert_eq!(
            (&told["protocol"], &told["old_protocol"]),
            (&json!("TLS 1.3"), &json!(null))
        );
        assert!(
            told["cipher"].as_str().unwrap().starts_with("TLS13_"),
            "{told}"
        );
        assert_eq!(told["certificate"]["self_signed"], true);
        assert_eq!(told["findings"][0]["rule"], "certificate-self-signed");
        assert_eq!(
            told["findings"][0]["where"]["page"],
            format!("https://127.0.0.1:{port}/")
        );
    }
}

#[tokio::test]
async fn a_server_that_never_answers_is_a_failure() {
    // The system takes connections for a listener that nobody asks.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let grants = Grants {
        private_hosts: vec!["127.0.0.1".to_owned()],
        ..Grants::default()
    };
    let http = Http::new(&Arc::new(grants));
    let limit = Duration::from_millis(20);
    let failure = handshake::look(&http, "127.0.0.1", port, limit)
        .await
        .unwrap_err();
    assert_eq!(
        failure.message,
        format!(
            "127.0.0.1:{port} takes connections and does not answer the TLS greeting within 20 ms"
        )
    );
}

#[tokio::test]
async fn a_server_without_encryption_is_a_finding() {
    let told = run(
        &toolbox(),
        "builtin/tls-check",
        json!({"url": "http://127.0.0.1/x"}),
    )
    .await
    .unwrap();
    assert_eq!(
        (&told["encrypted"], &told["findings"][0]["rule"]),
        (&json!(false), &json!("https-missing"))
    );
    let url = format!("https://127.0.0.1:{}/", plain_server().await);
    let told = run(&toolbox(), "builtin/tls-check", json!({"url": url}))
        .await
        .unwrap();
    assert_eq!(
        (&told["certificate"], &told["findings"][0]["rule"]),
        (&json!(null), &json!("tls-handshake"))
    );
    assert_eq!(told["encrypted"], false);
    for wrong in [
        json!({}),
        json!({"url": "https://a/", "host": "a"}),
        json!({"url": "ftp://a/"}),
    ] {
        let failure = run(&toolbox(), "builtin/tls-check", wrong)
            .await
            .unwrap_err();
        assert_eq!(failure.name.as_str(), "Validation failed");
    }
}
