//! Does a server still speak what nobody should? Our own library knows no protocol
//! before TLS 1.2, so one greeting is written by hand; only the first words of the
//! answer are read.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::super::super::http::Http;

/// Cipher suites of that time, those with forward secrecy first.
const SUITES: [u16; 8] = [
    0xc013, 0xc014, 0xc009, 0xc00a, 0x0033, 0x0039, 0x002f, 0x000a,
];
const TLS_1_1: u16 = 0x0302;

/// The newest of TLS 1.1 and older that the server agrees to.
pub(crate) async fn spoken(
    http: &Http,
    host: &str,
    port: u16,
    timeout: Duration,
) -> Option<String> {
    let stream = http.connect(host, port).await.ok()?;
    let asking = tokio::time::timeout(timeout, ask(stream, host));
    let answer = asking.await.ok()??;
    version_in(&answer)
}

async fn ask(mut stream: TcpStream, host: &str) -> Option<[u8; 11]> {
    stream.write_all(&greeting(host)).await.ok()?;
    let mut answer = [0; 11];
    stream.read_exact(&mut answer).await.ok()?;
    Some(answer)
}

/// A record that holds a handshake that holds the server's greeting.
fn version_in(answer: &[u8; 11]) -> Option<String> {
    match answer {
        [22, 3, _, _, _, 2, _, _, _, 3, 2] => Some("TLS 1.1".to_owned()),
        [22, 3, _, _, _, 2, _, _, _, 3, 1] => Some("TLS 1.0".to_owned()),
        [22, 3, _, _, _, 2, _, _, _, 3, 0] => Some("SSL 3.0".to_owned()),
        _ => None,
    }
}

/// RFC 4346, 7.4.1.2, with the name of the host (RFC 6066) and curves (RFC 8422).
fn greeting(host: &str) -> Vec<u8> {
    let mut extensions = Vec::new();
    if host.parse::<std::net::IpAddr>().is_err() {
        let name = sized(host.as_bytes());
        let entry = [&[0], name.as_slice()].concat();
        extensions.extend(extension(0, &sized(&entry)));
    }
    // P-256, P-384 and P-521; points without compression.
    extensions.extend(extension(10, &sized(&[0, 23, 0, 24, 0, 25])));
    extensions.extend(extension(11, &[1, 0]));
    let suites: Vec<u8> = SUITES
        .iter()
        .flat_map(|suite| suite.to_be_bytes())
        .collect();
    let mut hello = TLS_1_1.to_be_bytes().to_vec();
    // Nothing secret depends on this: the connection ends with the answer.
    hello.extend([0x5a; 32]);
    hello.push(0);
    hello.extend(sized(&suites));
    hello.extend([1, 0]);
    hello.extend(sized(&extensions));
    let length = (hello.len() as u32).to_be_bytes();
    let handshake = [&[1], length.get(1..).unwrap_or_default(), &hello].concat();
    [&[22, 3, 1], sized(&handshake).as_slice()].concat()
}

fn extension(kind: u16, content: &[u8]) -> Vec<u8> {
    [kind.to_be_bytes().as_slice(), &sized(content)].concat()
}

/// With its length before it.
fn sized(content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u16).to_be_bytes();
    [length.as_slice(), content].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_tells_the_version() {
        let answer = |kind, message, minor| [kind, 3, 1, 0, 70, message, 0, 0, 66, 3, minor];
        assert_eq!(version_in(&answer(22, 2, 2)).as_deref(), Some("TLS 1.1"));
        assert_eq!(version_in(&answer(22, 2, 1)).as_deref(), Some("TLS 1.0"));
        assert_eq!(version_in(&answer(22, 2, 3)), None);
        assert_eq!(version_in(&answer(21, 2, 2)), None);
    }

    #[test]
    fn the_greeting_is_as_long_as_it_says() {
        let greeting = greeting("a.example");
        let length = usize::from(u16::from_be_bytes([greeting[3], greeting[4]]));
        assert_eq!(greeting.len(), length + 5);
        let inner = u32::from_be_bytes([0, greeting[6], greeting[7], greeting[8]]) as usize;
        assert_eq!(length, inner + 4);
    }
}
