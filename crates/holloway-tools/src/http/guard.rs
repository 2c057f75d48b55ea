//! May this URL be requested? Looks at the scheme, at credentials, and at hosts
//! written as addresses; names are decided where they are resolved.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use holloway_engine::failure::ToolFailure;
use ipnet::IpNet;
use reqwest::Url;

use super::{address, platform};

/// What `[grants] private_hosts` allows.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    networks: Vec<IpNet>,
    hosts: Vec<(String, Option<u16>)>,
}

/// Which client a request may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// The addresses behind the name are checked when connecting.
    Public,
    /// The host itself is granted, whatever its address.
    Granted,
}

impl Guard {
    pub(crate) fn new(private_hosts: &[String]) -> Self {
        let mut guard = Self::default();
        for entry in private_hosts {
            let entry = entry.trim();
            if let Ok(network) = entry.parse::<IpNet>() {
                guard.networks.push(network);
            } else if let Ok(address) = bare(entry).parse::<IpAddr>() {
                guard.networks.push(IpNet::from(address));
            } else {
                guard.hosts.push(host_and_port(entry));
            }
        }
        guard
    }

    /// Checks a URL before each request and each redirect.
    pub(crate) fn check(&self, url: &Url) -> Result<Passage, ToolFailure> {
        if !matches!(url.scheme(), "http" | "https") {
            let message = format!("only http and https may be requested, not {}", url.scheme());
            return Err(ToolFailure::denied(message));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ToolFailure::denied("the URL contains credentials")
                .with_hint("send them in an `Authorization` header"));
        }
        let host = url.host_str().unwrap_or_default();
        if self.grants(host, url.port_or_known_default()) {
            return Ok(Passage::Granted);
        }
        match bare(host).parse::<IpAddr>() {
            Ok(address) => self.check_address(host, address),
            Err(_) if platform::is_name(&canonical(host)) => Err(denied(host, platform::REASON)),
            Err(_) if is_local_name(host) => self.check_local_name(host),
            Err(_) => Ok(Passage::Public),
        }
    }

    /// Why connecting to `address` is refused; `None` when it is allowed.
    pub(crate) fn refusal(&self, address: IpAddr) -> Option<&'static str> {
        let is_platform = platform::is_address(address);
        let granted = self.networks.iter().any(|network| {
            // Who grants a network does not think of the keys of the machine itself.
            let is_exact = network.prefix_len() == network.max_prefix_len();
            network.contains(&address) && (is_exact || !is_platform)
        });
        if granted {
            None
        } else {
            address::refusal(address)
        }
    }

    /// Why an address behind a granted name is refused all the same: the name may lead to the
    /// platform's own service, which nobody meant.
    pub(crate) fn refusal_behind(&self, name: &str, address: IpAddr) -> Option<&'static str> {
        if platform::is_name(&canonical(name)) || !platform::is_address(address) {
            return None;
        }
        self.refusal(address)
    }

    fn check_address(&self, host: &str, address: IpAddr) -> Result<Passage, ToolFailure> {
        match self.refusal(address) {
            None => Ok(Passage::Public),
            Some(reason) => Err(denied(host, reason)),
        }
    }

    /// These names mean this machine wherever they are asked for, so that nobody has
    /// to be asked.
    fn check_local_name(&self, host: &str) -> Result<Passage, ToolFailure> {
        let loopback = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
        let refused = loopback.map(|address| self.refusal(address));
        match refused {
            [Some(reason), Some(_)] => Err(denied(host, reason)),
            _ => Ok(Passage::Public),
        }
    }

    fn grants(&self, host: &str, port: Option<u16>) -> bool {
        let host = canonical(host);
        self.hosts.iter().any(|(granted, granted_port)| {
            *granted == host && (granted_port.is_none() || *granted_port == port)
        })
    }
}

/// The failure for a host that is not public.
pub(crate) fn denied(host: &str, reason: &str) -> ToolFailure {
    ToolFailure::denied(format!("`{host}` is a {reason} address")).with_hint(format!(
        "to allow it, add it to `[grants] private_hosts`: \"{host}\""
    ))
}

fn host_and_port(entry: &str) -> (String, Option<u16>) {
    match entry.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() => match port.parse() {
            Ok(port) => (canonical(host), Some(port)),
            Err(_) => (canonical(entry), None),
        },
        _ => (canonical(entry), None),
    }
}

/// `LocalHost.` and `localhost` are one host, as are `[::1]` and `::1`.
fn canonical(host: &str) -> String {
    bare(host).trim_end_matches('.').to_ascii_lowercase()
}

fn is_local_name(host: &str) -> bool {
    let name = canonical(host);
    name == "localhost" || name.ends_with(".localhost")
}

fn bare(host: &str) -> &str {
    host.strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host)
}

#[cfg(test)]
mod tests;
