//! Does this address or name belong to the platform that a machine runs on? There a machine is
//! told its own keys. The list is data (`data/platform.toml`).
//! Invariant: without a readable list every address belongs to it.

use std::net::IpAddr;
use std::sync::LazyLock;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use serde::Deserialize;

use super::address::carried;
use super::resolver::Refused;

const LIST: &str = include_str!("../../data/platform.toml");

/// The word for such an address in messages.
pub(crate) const REASON: &str = "platform metadata";

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let list = toml::from_str::<List>(LIST).ok();
    list.and_then(Known::of).unwrap_or_else(Known::everything)
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    platforms: Vec<Platform>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Platform {
    #[allow(dead_code)] // for those who read the list
    who: String,
    #[serde(default)]
    networks: Vec<String>,
    #[serde(default)]
    names: Vec<String>,
}

struct Known {
    networks: Vec<IpNet>,
    names: Vec<String>,
}

impl Known {
    fn of(list: List) -> Option<Self> {
        let mut known = Self {
            networks: Vec::new(),
            names: Vec::new(),
        };
        for platform in list.platforms {
            for network in platform.networks {
                known.networks.push(network.parse().ok()?);
            }
            known.names.extend(platform.names);
        }
        Some(known)
    }

    fn everything() -> Self {
        let all = [Ipv4Net::default().into(), Ipv6Net::default().into()];
        Self {
            networks: all.into(),
            names: Vec::new(),
        }
    }
}

/// Whether packets to this address end up at the platform, in whatever form it is written.
pub(crate) fn is_address(address: IpAddr) -> bool {
    let mut forms = [Some(address), carried(address)].into_iter().flatten();
    forms.any(|form| KNOWN.networks.iter().any(|network| network.contains(&form)))
}

/// Whether a name is the platform's; lower case and without a dot at its end.
pub(crate) fn is_name(name: &str) -> bool {
    KNOWN.names.iter().any(|known| known == name)
}

/// Whether a URL names the platform outright.
pub fn is_url(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else {
        return false;
    };
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<IpAddr>() {
        Ok(address) => is_address(address),
        Err(_) => is_name(&bare.trim_end_matches('.').to_ascii_lowercase()),
    }
}

/// Looks names up for a client that may reach inner addresses, but not the platform's.
pub struct PublicSide;

impl Resolve for PublicSide {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let kept: Vec<_> = found.filter(|found| !is_address(found.ip())).collect();
            if kept.is_empty() {
                let host = name.as_str().to_owned();
                let reason = REASON;
                return Err(Refused { host, reason }.into());
            }
            Ok(Box::new(kept.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_read_and_is_in_the_form_it_is_looked_up_in() {
        let list: List = toml::from_str(LIST).unwrap();
        for platform in &list.platforms {
            let Platform {
                who,
                networks,
                names,
            } = platform;
            assert!(
                !(who.is_empty() || networks.is_empty() && names.is_empty()),
                "{who}"
            );
            for name in names {
                assert!(
                    *name == name.to_ascii_lowercase() && !name.ends_with('.'),
                    "{name}"
                );
            }
        }
        assert!(list.platforms.len() >= 6);
        assert!(Known::of(list).is_some());
    }

    #[test]
    fn addresses_are_known_in_every_form() {
        for text in [
            "169.254.169.254",
            "169.254.170.2",
            "168.63.129.16",
            "100.100.100.200",
            "192.0.0.192",
            "fd00:ec2::254",
            "fe80::1",
            "::ffff:168.63.129.16",
            "64:ff9b::a83f:8110",
            "2002:a83f:8110::1",
            "2606:4700::5efe:168.63.129.16",
        ] {
            assert!(is_address(text.parse().unwrap()), "{text}");
        }
        for text in [
            "168.63.129.17",
            "10.0.0.1",
            "127.0.0.1",
            "fd12::1",
            "1.1.1.1",
        ] {
            assert!(!is_address(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn urls_are_known_by_their_host() {
        for url in [
            "http://169.254.169.254/mcp",
            "http://0xa9fea9fe/mcp",
            "http://[fd00:ec2::254]:80/mcp",
            "https://Metadata.Google.Internal./mcp",
        ] {
            assert!(is_url(url), "{url}");
        }
        for url in [
            "http://127.0.0.1:9/mcp",
            "https://example.com/metadata",
            "no",
        ] {
            assert!(!is_url(url), "{url}");
        }
    }

    #[test]
    fn names_are_whole_names() {
        assert!(is_name("metadata.google.internal") && is_name("instance-data"));
        assert!(!is_name("metadata.google.internal.example.com") && !is_name("example.com"));
    }
}
