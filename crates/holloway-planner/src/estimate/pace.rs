//! How long does a call last? As the recorded calls of its tool lasted, in the median; where there
//! are none, as the tool declares, and what is fetched from this machine or its network comes faster.

use holloway_plan::plan::Plan;
use holloway_plan::tool::ToolSpec;
use serde_json::Value;

use super::nature::fetches;
use crate::catalogue::Catalogue;

/// The share of what a call over the internet takes that one to a near host takes.
const NEAR: f64 = 0.08;

/// What is known about the calls of one plan.
pub(super) struct Pace<'a> {
    catalogue: &'a Catalogue,
    /// All addresses that the plan names are near.
    near: bool,
}

impl<'a> Pace<'a> {
    pub(super) fn of(plan: &Plan, catalogue: &'a Catalogue) -> Self {
        let mut hosts = Vec::new();
        let draft = plan.draft();
        draft.walk(&mut |step| {
            let values = step.input.iter().chain(step.over.as_deref());
            values.for_each(|value| hosts_in(value, &mut hosts));
        });
        draft
            .input
            .iter()
            .for_each(|value| hosts_in(value, &mut hosts));
        Self {
            catalogue,
            near: !hosts.is_empty() && hosts.iter().all(|host| is_near(host)),
        }
    }

    /// Nothing where neither the tool nor a run says it.
    pub(super) fn call_ms(&self, tool: &ToolSpec) -> Option<u64> {
        let measured = self.catalogue.repute_of(&tool.id).latency_ms;
        measured.or_else(|| {
            let declared = tool.latency_ms?;
            let near = self.near && fetches(tool);
            Some(if near {
                (declared as f64 * NEAR).ceil() as u64
            } else {
                declared
            })
        })
    }
}

/// The hosts of all addresses in a value.
fn hosts_in(value: &Value, hosts: &mut Vec<String>) {
    match value {
        Value::String(text) => hosts.extend(host_of(text)),
        Value::Array(items) => items.iter().for_each(|item| hosts_in(item, hosts)),
        Value::Object(fields) => fields.values().for_each(|field| hosts_in(field, hosts)),
        _ => {}
    }
}

fn host_of(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("://")?;
    let end = rest.find(['/', '?', '#', ' ']).unwrap_or(rest.len());
    let place = rest.get(..end)?;
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    let host = match place.strip_prefix('[') {
        Some(inside) => inside.split_once(']')?.0,
        None => place.split_once(':').map_or(place, |(host, _)| host),
    };
    Some(host.to_lowercase())
}

/// On this machine or in a private network.
fn is_near(host: &str) -> bool {
    if let Ok(address) = host.parse::<std::net::Ipv4Addr>() {
        return address.is_loopback() || address.is_private();
    }
    if let Ok(address) = host.parse::<std::net::Ipv6Addr>() {
        return address.is_loopback() || address.is_unique_local();
    }
    let last = host.rsplit('.').next();
    matches!(last, Some("localhost" | "local"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_hosts_are_told_from_others() {
        let near = |text: &str| host_of(text).map(|host| is_near(&host));
        for text in [
            "http://127.0.0.1:8123/a",
            "http://localhost/",
            "http://[::1]:80/x",
            "https://nas.local",
            "http://me@192.168.1.4/x",
        ] {
            assert_eq!(near(text), Some(true), "{text}");
        }
        for text in [
            "https://a.example/127.0.0.1",
            "http://8.8.8.8",
            "http://localhost.example",
        ] {
            assert_eq!(near(text), Some(false), "{text}");
        }
        assert_eq!(near("out/prices.csv"), None);
    }
}
