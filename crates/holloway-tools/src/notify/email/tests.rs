//! Does a message arrive, and is a failure told rightly? Against a mail server on
//! loopback, in all its moods.

use std::collections::BTreeMap;

use holloway_engine::failure::FailureName;

use super::super::super::testing::run_keyed;
use super::super::super::{Grants, MailSecurity, Toolbox};
use super::super::server::{MailServer, Mood};
use super::*;

fn mail(port: u16) -> Mail {
    Mail {
        server: "127.0.0.1".to_owned(),
        port: Some(port),
        security: MailSecurity::None,
        user: None,
        password: None,
        from: "Reports <reports@a.example>".to_owned(),
    }
}

async fn send(mail: Option<Mail>, granted: bool) -> Result<Value, ToolFailure> {
    let grants = Grants {
        private_hosts: granted
            .then(|| "127.0.0.1".to_owned())
            .into_iter()
            .collect(),
        mail,
        ..Grants::default()
    };
    let secrets = BTreeMap::from([("SMTP_PASSWORD".to_owned(), "open sesame".to_owned())]);
    let toolbox = Toolbox::builtin_with(grants, Secrets::from_map(secrets));
    let arguments =
        json!({"to": "Ada <ada@b.example>", "subject": "Done", "text": "Three findings.\n.\nEnd"});
    run_keyed(&toolbox, "builtin/email-send", arguments, "run/node").await
}

#[tokio::test]
async fn a_message_arrives_as_it_was_written() {
    let server = MailServer::start(Mood::Kind).await;
    let told = send(Some(mail(server.port)), true).await.unwrap();
    assert_eq!(told["recipients"], json!(["ada@b.example"]));
    assert_eq!(told["answer"], "250 kept as 1");
    let heard = server.heard();
    let id = told["message_id"].as_str().unwrap();
    for part in [
        "MAIL FROM:<reports@a.example>",
        "RCPT TO:<ada@b.example>",
        "Subject: Done\r\n",
        // A line with a dot alone would end the message.
        "Three findings.\r\n..\r\nEnd\r\n",
        id,
    ] {
        assert!(heard.contains(part), "{part} in {heard}");
    }
    assert!(!heard.contains("AUTH"));
}

#[tokio::test]
async fn the_password_is_a_secret_and_stays_one() {
    let login = |port, password: &str| Mail {
        user: Some("reports".to_owned()),
        password: Some(password.to_owned()),
        ..mail(port)
    };
    let server = MailServer::start(Mood::Kind).await;
    send(Some(login(server.port, "${SMTP_PASSWORD}")), true)
        .await
        .unwrap();
    let expected =
        base64::Engine::encode(&base64::prelude::BASE64_STANDARD, "\0reports\0open sesame");
    assert!(server.heard().contains(&expected));

    let failure = send(Some(login(server.port, "open sesame")), true)
        .await
        .unwrap_err();
    assert_eq!(failure.name, FailureName::Denied);
    let failure = send(Some(login(server.port, "${UNSET}")), true)
        .await
        .unwrap_err();
    assert_eq!(failure.message, "the secret `UNSET` is not set");

    let server = MailServer::start(Mood::NoEntry).await;
    let failure = send(Some(login(server.port, "${SMTP_PASSWORD}")), true)
        .await
        .unwrap_err();
    assert!(!failure.retryable && failure.hint.unwrap().contains("[grants.mail]"));
}

#[tokio::test]
async fn nothing_is_sent_without_a_grant() {
    let failure = send(None, true).await.unwrap_err();
    assert_eq!(failure.name, FailureName::Denied);
    assert!(failure.hint.unwrap().contains("[grants.mail]"));
    let server = MailServer::start(Mood::Kind).await;
    let failure = send(Some(mail(server.port)), false).await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        "Denied: `127.0.0.1` is a loopback address"
    );
    assert_eq!(server.heard(), "");
}

#[tokio::test]
async fn failures_say_whether_the_message_may_be_out() {
    for (mood, retryable, uncertain) in [
        (Mood::NoRecipients, false, false),
        (Mood::Busy, true, false),
        (Mood::HangsUp, true, true),
    ] {
        let server = MailServer::start(mood).await;
        let failure = send(Some(mail(server.port)), true).await.unwrap_err();
        assert_eq!(
            (failure.retryable, failure.uncertain),
            (retryable, uncertain),
            "{mood:?}: {failure}"
        );
    }
}

#[tokio::test]
async fn encryption_that_was_asked_for_is_not_done_without() {
    let server = MailServer::start(Mood::Kind).await;
    let private = Mail {
        security: MailSecurity::Starttls,
        ..mail(server.port)
    };
    let failure = send(Some(private), true).await.unwrap_err();
    assert!(!failure.retryable, "{failure}");
    assert!(!server.heard().contains("MAIL FROM"));
}
