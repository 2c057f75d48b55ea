//! Which mail server do the tests talk to? A small one on loopback that speaks enough
//! SMTP and keeps what it was told.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Where the server breaks off or refuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mood {
    #[default]
    Kind,
    /// Refuses every recipient for good.
    NoRecipients,
    /// Asks to come again.
    Busy,
    /// Closes the connection after the message, without a word.
    HangsUp,
    /// Says no to every password.
    NoEntry,
}

pub(crate) struct MailServer {
    pub(crate) port: u16,
    heard: Arc<Mutex<String>>,
}

impl MailServer {
    pub(crate) async fn start(mood: Mood) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(String::new()));
        let ear = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(converse(stream, mood, Arc::clone(&ear)));
            }
        });
        Self { port, heard }
    }

    pub(crate) fn heard(&self) -> String {
        self.heard.lock().unwrap().clone()
    }
}

async fn converse(stream: TcpStream, mood: Mood, heard: Arc<Mutex<String>>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let mut in_message = false;
    stream.write_all(b"220 mail.test ready\r\n").await.ok()?;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        heard.lock().unwrap().push_str(&line);
        let answer = if in_message {
            if line != ".\r\n" {
                continue;
            }
            in_message = false;
            if mood == Mood::HangsUp {
                return None;
            }
            "250 kept as 1\r\n"
        } else {
            let word = line.split_whitespace().next().unwrap_or_default();
            in_message = word == "DATA";
            match (word, mood) {
                ("EHLO", _) => "250-mail.test\r\n250-8BITMIME\r\n250 AUTH PLAIN\r\n",
                ("AUTH", Mood::NoEntry) => "535 5.7.8 no\r\n",
                ("AUTH", _) => "235 come in\r\n",
                ("RCPT", Mood::NoRecipients) => "550 5.1.1 nobody here\r\n",
                ("RCPT", Mood::Busy) => "451 4.3.0 later\r\n",
                ("DATA", _) => "354 go on\r\n",
                ("QUIT", _) => "221 bye\r\n",
                _ => "250 fine\r\n",
            }
        };
        stream.write_all(answer.as_bytes()).await.ok()?;
    }
}
