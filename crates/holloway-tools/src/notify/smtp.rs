//! How does a message reach its server? Over a connection to a guarded address, with
//! what went wrong told by whether anything can have been sent.

use std::net::SocketAddr;
use std::time::Duration;

use holloway_engine::failure::ToolFailure;
use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::Response;

use super::super::grants::{Mail, MailSecurity};
use super::super::http::{Http, failure};
use crate::secrets::SecretText;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

type SmtpError = lettre::transport::smtp::Error;

impl Mail {
    fn port(&self) -> u16 {
        self.port.unwrap_or(match self.security {
            MailSecurity::Starttls => 587,
            MailSecurity::Tls => 465,
            MailSecurity::None => 25,
        })
    }
}

/// Sends a message and returns what the server said.
pub(crate) async fn send(
    http: &Http,
    mail: &Mail,
    password: Option<&SecretText>,
    message: &Message,
) -> Result<String, ToolFailure> {
    let addresses = http.addresses(&mail.server, mail.port()).await?;
    require_privacy(mail, password, &addresses)?;
    let mut connection = open(mail, &addresses).await.map_err(unsent)?;
    if let (Some(user), Some(password)) = (&mail.user, password) {
        let credentials = Credentials::new(user.clone(), password.reveal().to_owned());
        let authentication = connection.auth(DEFAULT_MECHANISMS, &credentials).await;
        authentication.map_err(|error| {
            unsent(error).with_hint("check `user` and `password` in `[grants.mail]`")
        })?;
    }
    let sent = connection
        .send(message.envelope(), &message.formatted())
        .await;
    let said = sent.map_err(while_sending)?;
    // The message is theirs now; how the goodbye goes does not matter.
    let _goodbye = connection.quit().await;
    Ok(line(&said))
}

async fn open(mail: &Mail, addresses: &[SocketAddr]) -> Result<AsyncSmtpConnection, SmtpError> {
    let us = ClientId::default();
    let encryption = match mail.security {
        MailSecurity::None => None,
        _ => Some(TlsParameters::new(mail.server.clone())?),
    };
    let from_start = encryption
        .clone()
        .filter(|_| mail.security == MailSecurity::Tls);
    let mut connection = AsyncSmtpConnection::connect_tokio1(
        addresses,
        Some(CONNECT_TIMEOUT),
        &us,
        from_start,
        None,
    )
    .await?;
    if let (MailSecurity::Starttls, Some(encryption)) = (mail.security, encryption) {
        connection.starttls(encryption, &us).await?;
    }
    Ok(connection)
}

/// A password does not leave this machine in the clear.
fn require_privacy(
    mail: &Mail,
    password: Option<&SecretText>,
    addresses: &[SocketAddr],
) -> Result<(), ToolFailure> {
    let is_here = addresses.iter().all(|address| address.ip().is_loopback());
    if mail.security == MailSecurity::None && password.is_some() && !is_here {
        let message = "the password would be sent without encryption";
        return Err(ToolFailure::denied(message)
            .with_hint("set `security` in `[grants.mail]` to \"starttls\" or \"tls\""));
    }
    Ok(())
}

/// Before the message itself, nothing can have been sent.
fn unsent(error: SmtpError) -> ToolFailure {
    let message = format!("the mail server: {}", failure::chain(&error));
    if error.is_permanent() || error.is_client() || error.is_tls() {
        ToolFailure::permanent(message)
    } else {
        ToolFailure::transient(message)
    }
}

/// A refusal means that nothing was sent; a lost connection leaves it open.
fn while_sending(error: SmtpError) -> ToolFailure {
    let answered = error.status().is_some() || error.is_client();
    let failure = unsent(error);
    if answered {
        failure
    } else {
        failure.uncertain()
    }
}

fn line(response: &Response) -> String {
    let words: Vec<&str> = response.message().collect();
    format!("{} {}", response.code(), words.join(" "))
}
