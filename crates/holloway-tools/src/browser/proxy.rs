//! How does the browser reach the network? Through a proxy on this machine that asks the guard of the
//! http tools for every host, and connects to the very addresses that were looked at.
//!
//! Invariant: a host that http tools may not reach is answered 403, whoever asks.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Url;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::super::http::Http;

/// The lines of a request before its body are not longer.
const LONGEST_HEAD: usize = 64 * 1024;

pub(super) struct Proxy {
    port: u16,
    refused: Arc<AtomicU64>,
    serving: JoinHandle<()>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Proxy {
    pub(super) async fn start(http: Arc<Http>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let refused = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&refused);
        let serving = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, Arc::clone(&http), Arc::clone(&counted)));
                // What has ended is let go of.
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Self {
            port,
            refused,
            serving,
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Requests that the guard refused.
    pub(super) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

/// One connection: a tunnel, or one plain request that is passed on.
async fn serve(mut browser: TcpStream, http: Arc<Http>, refused: Arc<AtomicU64>) {
    let Some((head, rest)) = read_head(&mut browser).await else {
        return;
    };
    let Some(wanted) = Wanted::of(&head) else {
        answer(&mut browser, "400 Bad Request", "no proxy request").await;
        return;
    };
    let mut server = match http.connect(&wanted.host, wanted.port).await {
        Ok(server) => server,
        Err(failure) => {
            let denied = failure.name == holloway_engine::failure::FailureName::Denied;
            refused.fetch_add(u64::from(denied), Ordering::Relaxed);
            let status = if denied {
                "403 Forbidden"
            } else {
                "502 Bad Gateway"
            };
            answer(&mut browser, status, &failure.message).await;
            return;
        }
    };
    let begun = match &wanted.request {
        None => {
            browser
                .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                .await
        }
        Some(request) => server.write_all(request.as_bytes()).await,
    };
    if begun.is_err() || server.write_all(&rest).await.is_err() {
        return;
    }
    // Either side may end it; nothing is left to be told.
    copy_bidirectional(&mut browser, &mut server).await.ok();
}

async fn read_head(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let rest = bytes.split_off(end + 4);
            return String::from_utf8(bytes).ok().map(|head| (head, rest));
        }
        if bytes.len() > LONGEST_HEAD || stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

async fn answer(stream: &mut TcpStream, status: &str, message: &str) {
    let length = message.len();
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{message}"
    );
    stream.write_all(text.as_bytes()).await.ok();
    stream.shutdown().await.ok();
}

/// What a browser asks of a proxy.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    host: String,
    port: u16,
    /// The request as the server is to see it; none for a tunnel.
    request: Option<String>,
}

impl Wanted {
    fn of(head: &str) -> Option<Self> {
        let (line, headers) = head.split_once("\r\n")?;
        let mut words = line.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if method == "CONNECT" {
            let (host, port) = target.rsplit_once(':')?;
            return Some(Self {
                host: host.trim_matches(['[', ']']).to_owned(),
                port: port.parse().ok()?,
                request: None,
            });
        }
        let url = Url::parse(target)
            .ok()
            .filter(|url| url.scheme() == "http")?;
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        // One request for each connection: the next one may be for another host.
        let kept = headers.split("\r\n").filter(|header| {
            let name = header
                .split(':')
                .next()
                .unwrap_or_default()
                .to_ascii_lowercase();
            !header.is_empty()
                && ![
                    "connection",
                    "proxy-connection",
                    "proxy-authorization",
                    "keep-alive",
                ]
                .contains(&name.as_str())
        });
        let kept: Vec<&str> = kept.collect();
        Some(Self {
            host: url.host_str()?.trim_matches(['[', ']']).to_owned(),
            port: url.port_or_known_default()?,
            request: Some(format!(
                "{method} {path} {version}\r\n{}\r\nConnection: close\r\n\r\n",
                kept.join("\r\n")
            )),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_proxies_get_them() {
        let tunnel = Wanted::of("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n");
        assert_eq!(
            tunnel,
            Some(Wanted {
                host: "a.example".to_owned(),
                port: 443,
                request: None
            })
        );
        let plain = "GET http://127.0.0.1:81/a?b=c HTTP/1.1\r\nHost: 127.0.0.1:81\r\nProxy-Connection: keep-alive\r\nX: y\r\n\r\n";
        assert_eq!(
            Wanted::of(plain),
            Some(Wanted {
                host: "127.0.0.1".to_owned(),
                port: 81,
                request: Some(
                    "GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:81\r\nX: y\r\nConnection: close\r\n\r\n".to_owned()
                )
            })
        );
        for wrong in [
            "",
            "GET / HTTP/1.1\r\n\r\n",
            "GET ftp://a/ HTTP/1.1\r\n\r\n",
            "CONNECT a HTTP/1.1\r\n\r\n",
        ] {
            assert_eq!(Wanted::of(wrong), None, "{wrong}");
        }
    }
}
