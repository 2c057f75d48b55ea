//! Which addresses may a name lead to? Decided on the very addresses that are then
//! connected to, so that a name server cannot change its answer in between.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::guard::{Guard, Passage};

pub(crate) struct GuardedResolver {
    guard: Arc<Guard>,
    passage: Passage,
    lookup: Arc<Lookup>,
}

/// Asks for the addresses of a name.
pub(crate) type Lookup = dyn Fn(String) -> Looking + Send + Sync;
pub(crate) type Looking = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Asks the system.
pub(crate) fn system() -> Arc<Lookup> {
    Arc::new(|name| {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.collect())
        })
    })
}

/// Every address behind a name was refused.
#[derive(Debug, thiserror::Error)]
#[error("`{host}` leads to a {reason} address")]
pub(crate) struct Refused {
    pub(crate) host: String,
    pub(crate) reason: &'static str,
}

impl GuardedResolver {
    pub(crate) fn new(guard: Arc<Guard>, passage: Passage, lookup: Arc<Lookup>) -> Self {
        Self {
            guard,
            passage,
            lookup,
        }
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = Arc::clone(&self.guard);
        let passage = self.passage;
        let looking = (self.lookup)(name.as_str().to_owned());
        Box::pin(async move {
            let found = looking.await?;
            let allowed = keep_allowed(&guard, passage, name.as_str(), found.into_iter())?;
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// Drops the refused addresses; fails when nothing else is left.
pub(crate) fn keep_allowed(
    guard: &Guard,
    passage: Passage,
    host: &str,
    found: impl Iterator<Item = SocketAddr>,
) -> Result<Vec<SocketAddr>, Refused> {
    let mut allowed = Vec::new();
    let mut refused = None;
    for address in found {
        let refusal = match passage {
            Passage::Granted => guard.refusal_behind(host, address.ip()),
            Passage::Public => guard.refusal(address.ip()),
        };
        match refusal {
            None => allowed.push(address),
            Some(reason) => refused = Some(reason),
        }
    }
    match refused {
        Some(reason) if allowed.is_empty() => Err(Refused {
            host: host.to_owned(),
            reason,
        }),
        _ => Ok(allowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn inner_addresses_are_dropped_from_a_mixed_answer() {
        let found = addresses(&["10.0.0.1:0", "8.8.8.8:0", "[::1]:0"]);
        let kept = keep_allowed(
            &Guard::default(),
            Passage::Public,
            "mixed.example",
            found.into_iter(),
        )
        .unwrap();
        assert_eq!(kept, addresses(&["8.8.8.8:0"]));
    }

    #[test]
    fn a_name_with_only_inner_addresses_is_refused() {
        let found = addresses(&["169.254.169.254:0"]);
        let refused = keep_allowed(
            &Guard::default(),
            Passage::Public,
            "rebind.example",
            found.into_iter(),
        );
        assert_eq!(
            refused.unwrap_err().to_string(),
            "`rebind.example` leads to a link-local address"
        );
    }

    #[test]
    fn a_granted_network_is_allowed_behind_a_name() {
        let guard = Guard::new(&["10.0.0.0/8".to_owned()]);
        let found = addresses(&["10.0.0.1:0"]);
        assert_eq!(
            keep_allowed(
                &guard,
                Passage::Public,
                "db.example",
                found.clone().into_iter()
            )
            .unwrap(),
            found
        );
    }

    #[test]
    fn a_granted_name_does_not_lead_to_the_platform() {
        let guard = |granted: &[&str]| {
            let granted: Vec<String> = granted.iter().map(|&host| host.to_owned()).collect();
            Guard::new(&granted)
        };
        let check = |granted: &[&str], host: &str, address: &str, expected: bool| {
            let found = addresses(&[address]).into_iter();
            let kept = keep_allowed(&guard(granted), Passage::Granted, host, found);
            assert_eq!(kept.is_ok(), expected, "{host} at {address}");
        };
        check(&["intranet"], "intranet", "10.0.0.1:0", true);
        check(&["intranet"], "intranet", "169.254.169.254:0", false);
        check(&["intranet"], "intranet", "168.63.129.16:0", false);
        let both = ["intranet", "169.254.169.254"];
        check(&both, "intranet", "169.254.169.254:0", true);
        let name = "metadata.google.internal";
        check(&[name], name, "169.254.169.254:0", true);
    }
}
