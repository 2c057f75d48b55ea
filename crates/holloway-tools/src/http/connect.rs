//! How does something that is not HTTP reach a host? Over addresses that passed the
//! same guard as every request.

use std::net::{IpAddr, SocketAddr};

use holloway_engine::failure::ToolFailure;
use reqwest::Url;
use tokio::net::TcpStream;

use super::guard;
use super::resolver::keep_allowed;
use super::{CONNECT_TIMEOUT, Http, parse_url};

impl Http {
    /// The addresses behind `host` that may be connected to; never none.
    pub(crate) async fn addresses(
        &self,
        host: &str,
        port: u16,
    ) -> Result<Vec<SocketAddr>, ToolFailure> {
        let url = as_url(host, port)?;
        let passage = self.guard.check(&url)?;
        let host = url.host_str().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Ok(vec![SocketAddr::new(address, port)]);
        }
        let found = (self.lookup)(bare.to_owned()).await.map_err(|error| {
            ToolFailure::transient(format!("`{bare}` could not be looked up: {error}"))
        })?;
        let allowed = keep_allowed(&self.guard, passage, bare, found.into_iter())
            .map_err(|refused| guard::denied(&refused.host, refused.reason))?;
        if allowed.is_empty() {
            let message = format!("`{bare}` has no address");
            return Err(ToolFailure::transient(message));
        }
        let with_port = |address: SocketAddr| SocketAddr::new(address.ip(), port);
        Ok(allowed.into_iter().map(with_port).collect())
    }

    /// Whether an address may be asked for at all; what is behind its name is looked at later.
    pub(crate) fn may_reach(&self, url: &str) -> Result<(), ToolFailure> {
        self.guard.check(&parse_url(url)?).map(|_| ())
    }

    /// A plain connection to `host`.
    pub(crate) async fn connect(&self, host: &str, port: u16) -> Result<TcpStream, ToolFailure> {
        let addresses = self.addresses(host, port).await?;
        let connecting = TcpStream::connect(addresses.as_slice());
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
        match connected {
            Ok(Ok(stream)) => Ok(stream),
            Ok(Err(error)) => Err(ToolFailure::transient(format!(
                "{host}:{port} does not answer: {error}"
            ))),
            Err(_) => Err(ToolFailure::transient(format!(
                "{host}:{port} does not answer within {} s",
                CONNECT_TIMEOUT.as_secs()
            ))),
        }
    }
}

/// Written as a URL, a host goes through the same parser as everywhere else.
fn as_url(host: &str, port: u16) -> Result<Url, ToolFailure> {
    let is_plain = !host.is_empty()
        && host
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']'));
    let host_part = match host.parse::<std::net::Ipv6Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => host.to_owned(),
    };
    let url = Url::parse(&format!("https://{host_part}:{port}/"));
    match url {
        Ok(url) if is_plain && url.port_or_known_default() == Some(port) => Ok(url),
        _ => Err(ToolFailure::invalid(format!("`{host}` is no host name"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use super::super::super::Grants;

    async fn check(granted: &[&str], host: &str, expected: &str) {
        let grants = Grants {
            private_hosts: granted.iter().map(|&host| host.to_owned()).collect(),
            ..Grants::default()
        };
        let found = Http::new(&Arc::new(grants)).addresses(host, 4430).await;
        let text = match found {
            Ok(addresses) => format!("{addresses:?}"),
            Err(failure) => failure.to_string(),
        };
        assert_eq!(text, expected, "{host}");
    }

    #[tokio::test]
    async fn inner_hosts_must_be_granted_here_too() {
        let refused = "Denied: `127.0.0.1` is a loopback address";
        check(&[], "127.0.0.1", refused).await;
        check(&[], "127.1", refused).await;
        check(
            &[],
            "localhost",
            "Denied: `localhost` is a loopback address",
        )
        .await;
        check(&["127.0.0.1"], "127.0.0.1", "[127.0.0.1:4430]").await;
        check(&["127.0.0.1:4430"], "127.0.0.1", "[127.0.0.1:4430]").await;
        check(&["::1"], "::1", "[[::1]:4430]").await;
    }

    #[tokio::test]
    async fn what_is_no_host_is_refused() {
        for host in ["", "a b", "user@host", "host/path", "a:1:2"] {
            let expected = format!("Validation failed: `{host}` is no host name");
            check(&[], host, &expected).await;
        }
    }
}
