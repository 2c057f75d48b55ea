//! What does a server show when it is asked for encryption? Protocol, cipher and
//! certificates are noted even where no browser would go on.

use std::sync::Arc;
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use tokio_rustls::TlsConnector;

use super::super::super::http::{Http, failure};
use super::legacy;

/// For each handshake.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(10);

/// What the server showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Such as `TLS 1.3`; none where there was no understanding.
    pub(crate) protocol: Option<String>,
    pub(crate) cipher: Option<String>,
    /// The newest of the protocols nobody should use any more that it still speaks.
    pub(crate) old_protocol: Option<String>,
    /// The server's own certificate first.
    pub(crate) chain: Vec<Vec<u8>>,
    /// Why the handshake failed.
    pub(crate) error: Option<String>,
}

/// Connects once to shake hands, and once to ask for the old protocols.
pub(crate) async fn look(
    http: &Http,
    host: &str,
    port: u16,
    limit: Duration,
) -> Result<Seen, ToolFailure> {
    let name = ServerName::try_from(host.to_owned())
        .map_err(|_| ToolFailure::invalid(format!("`{host}` is no host name")))?;
    let stream = http.connect(host, port).await?;
    let connector = TlsConnector::from(Arc::new(configuration()?));
    let shaking = tokio::time::timeout(limit, connector.connect(name, stream)).await;
    let mut seen = match shaking {
        Err(_) => {
            let message = format!(
                "{host}:{port} takes connections and does not answer the TLS greeting within {} ms",
                limit.as_millis()
            );
            return Err(ToolFailure::transient(message).with_hint(
                "is this a port for TLS? Some services wait for a greeting of their own",
            ));
        }
        Ok(Err(error)) => failed(failure::chain(&error)),
        Ok(Ok(stream)) => noted(stream.get_ref().1),
    };
    seen.old_protocol = legacy::spoken(http, host, port, limit).await;
    Ok(seen)
}

fn failed(error: String) -> Seen {
    Seen {
        error: Some(error),
        ..Seen::default()
    }
}

fn noted(connection: &rustls::ClientConnection) -> Seen {
    let protocol = connection.protocol_version().map(|version| match version {
        rustls::ProtocolVersion::TLSv1_3 => "TLS 1.3".to_owned(),
        rustls::ProtocolVersion::TLSv1_2 => "TLS 1.2".to_owned(),
        other => format!("{other:?}"),
    });
    let cipher = connection.negotiated_cipher_suite();
    let chain = connection.peer_certificates().unwrap_or_default().iter();
    Seen {
        protocol,
        cipher: cipher.map(|cipher| format!("{:?}", cipher.suite())),
        chain: chain.map(|certificate| certificate.to_vec()).collect(),
        ..Seen::default()
    }
}

fn configuration() -> Result<ClientConfig, ToolFailure> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = Arc::new(Noting(Arc::clone(&provider)));
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ToolFailure::permanent(format!("TLS did not start: {error}")))?;
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

/// Accepts every certificate, for the connection carries nothing: what is wrong with
/// it is told afterwards.
#[derive(Debug)]
struct Noting(Arc<CryptoProvider>);

impl ServerCertVerifier for Noting {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _between: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _stapled: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Does the certificate name this host?
pub(crate) fn names(certificate: &[u8], host: &str) -> bool {
    let certificate = CertificateDer::from(certificate.to_vec());
    let parsed = ParsedCertificate::try_from(&certificate);
    match (parsed, ServerName::try_from(host.to_owned())) {
        (Ok(parsed), Ok(name)) => verify_server_name(&parsed, &name).is_ok(),
        _ => false,
    }
}

/// Why this machine does not trust the chain, leaving dates aside: it is looked at
/// as of `moment`.
pub(crate) fn distrust(chain: &[Vec<u8>], host: &str, moment: u64) -> Option<String> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = match rustls_platform_verifier::Verifier::new(provider) {
        Ok(verifier) => verifier,
        Err(error) => return Some(format!("this machine has no trusted roots: {error}")),
    };
    let mut chain = chain.iter().map(|der| CertificateDer::from(der.clone()));
    let own = chain.next()?;
    let between: Vec<_> = chain.collect();
    let name = ServerName::try_from(host.to_owned()).ok()?;
    let moment = UnixTime::since_unix_epoch(Duration::from_secs(moment));
    let verified = verifier.verify_server_cert(&own, &between, &name, &[], moment);
    match verified {
        Ok(_) => None,
        // Names are looked at on their own.
        Err(rustls::Error::InvalidCertificate(
            rustls::CertificateError::NotValidForName
            | rustls::CertificateError::NotValidForNameContext { .. },
        )) => None,
        Err(error) => Some(error.to_string()),
    }
}
